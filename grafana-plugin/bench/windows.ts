// SPDX-License-Identifier: Apache-2.0
import { random } from '../src/fixtures/random';
import { State } from '../src/model/state';
import { CurvePoint, Picture, Tier } from '../src/model/tier';

const WIDTH = 50;
const T0 = Date.UTC(2026, 0, 5, 9, 0, 0);

/** Saturation point and best throughput of the tiers; two of them lie on each other, as those of a chain do. */
const TIERS = [
  { tier: 'httpd', nStar: 7.4, tpMax: 509 },
  { tier: 'tomcat', nStar: 7.5, tpMax: 508 },
  { tier: 'mariadb', nStar: 17.6, tpMax: 1720 },
];
/** Share of the windows in which a freeze begins, and its length in windows. */
const FREEZE = { share: 0.015, least: 1, most: 5 };

/** A picture with `count` windows altogether: load that wanders, a main sequence with noise, short freezes. */
export function windows(count: number, seed: number): Picture {
  const each = Math.floor(count / TIERS.length);
  const tiers = TIERS.map((of, t) => tierWindows(of, t, t < TIERS.length - 1 ? each : count - 2 * each, seed + t));
  return { tiers, step: WIDTH };
}

function tierWindows({ tier, nStar, tpMax }: (typeof TIERS)[number], place: number, count: number, seed: number): Tier {
  const { next, integer } = random(seed);
  const time = Float64Array.from({ length: count }, (_, i) => T0 + (i + 1) * WIDTH);
  const queue = new Float64Array(count);
  const throughput = new Float64Array(count);
  const state = new Uint8Array(count);
  // the sum of a few random numbers is near enough to normal
  const noise = () => next() + next() + next() - 1.5;
  let load = 0;
  let frozen = 0;
  for (let i = 0; i < count; i++) {
    load = 0.97 * load + 0.2 * noise();
    if (frozen === 0 && next() < FREEZE.share) {
      frozen = integer(FREEZE.least, FREEZE.most);
    }
    const length = nStar * Math.exp(load + (frozen > 0 ? 1 : 0));
    const pace = frozen > 0 ? 0.05 * next() : Math.min(length / nStar, 1) * Math.max(0, 1 + 0.25 * noise());
    frozen = Math.max(0, frozen - 1);
    // as the exporter rounds: queues to 1/64, throughput to whole completions
    queue[i] = Math.round(length * 64) / 64;
    throughput[i] = Math.round((pace * tpMax * WIDTH) / 1000) * (1000 / WIDTH);
    state[i] = queue[i] <= nStar ? State.Normal : pace < 0.2 ? State.Frozen : State.Saturated;
  }
  return {
    ...{ app: 'bench', tier, instance: 'host-1:9965', key: tier, name: tier, place, width: WIDTH },
    ...{ time, queue, throughput, state, residence: null, gc: null, queueKind: 'own', otherQueue: null },
    ...{
      nStar,
      nStarInterval: [0.9 * nStar, 1.1 * nStar],
      nStarStatus: 'known',
      tpMax,
      curve: curve(nStar, tpMax),
      shares: null,
    },
  };
}

function curve(nStar: number, tpMax: number): CurvePoint[] {
  return Array.from({ length: 24 }, (_, bin) => {
    const queue = nStar * 2 ** ((bin - 16) / 4);
    return { queue, throughput: Math.min(queue / nStar, 1) * tpMax, windows: 50 };
  });
}

/** How many windows of a picture are frozen. */
export function frozenWindows({ tiers }: Picture): number {
  return tiers.reduce((sum, { state }) => sum + state.filter((of) => of === State.Frozen).length, 0);
}
