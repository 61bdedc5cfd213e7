// SPDX-License-Identifier: Apache-2.0
import { T0 } from '../fixtures/clock';
import { Point, tierOf } from '../fixtures/tiers';
import { State } from '../model/state';
import { StateShares } from '../model/tier';
import { laneColumns } from './laneColumns';

const NORMAL: Point = [1, 100];

/** One share at the end of the second half of the range: a tenth frozen. */
const SHARES: StateShares = {
  time: Float64Array.of(T0 + 10_000, T0 + 20_000),
  share: [0, 0.5, 0.4, 0.1, 0, 0].map((share) => Float64Array.of(NaN, share)),
};

/** Every fourth window of 20 s. */
const SAMPLED = tierOf(
  Array.from({ length: 400 }, (_, i) => (i % 4 === 3 ? NORMAL : null)),
  { nStar: 8, tpMax: 100, shares: SHARES }
);

const column = (result: ReturnType<typeof laneColumns>, x: number) => result.share.slice(0, 4).map((share) => share[x]);

describe('laneColumns', () => {
  it('takes the states from the windows where all were sent', () => {
    const tier = tierOf(Array(400).fill(NORMAL), { shares: SHARES });
    const result = laneColumns(tier, 50, T0, T0 + 20_000, 2);
    expect(column(result, 0)).toEqual([0, 1, 0, 0]);
    expect(column(result, 1)).toEqual([0, 1, 0, 0]);
  });

  it('takes the recorded shares where windows were left out, the windows where there are none', () => {
    const result = laneColumns(SAMPLED, 200, T0, T0 + 20_000, 2);
    expect(column(result, 0)).toEqual([0, 1, 0, 0]);
    expect(result.share[State.Frozen][1]).toBeCloseTo(0.1);
    expect(result.share[State.Saturated][1]).toBeCloseTo(0.4);
    expect(result.queueMean[1]).toBeCloseTo(1);
  });

  it('lets a window be as wide as it is, whatever the windows of others', () => {
    const narrow = tierOf([null, null, [40, 0]], { nStar: 8, tpMax: 100 });
    const wide = tierOf([[40, 0]], { nStar: 8, tpMax: 100, time: Float64Array.of(T0 + 1000), width: 1000 });
    const frozen = (tier: typeof wide) =>
      laneColumns(tier, 50, T0, T0 + 2000, 40).share[State.Frozen].reduce((a, b) => a + b);
    expect(frozen(narrow)).toBe(1);
    expect(frozen(wide)).toBe(20);
  });

  it('lets a sample stand for those that were left out', () => {
    const result = laneColumns({ ...SAMPLED, shares: null }, 200, T0, T0 + 20_000, 400);
    expect([...result.share[State.Normal]].every((share) => share > 0)).toBe(true);
  });
});
