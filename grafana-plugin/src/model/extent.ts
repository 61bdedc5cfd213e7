// SPDX-License-Identifier: Apache-2.0
import { solidBins } from './curve';
import { nStarOnAxis, Tier } from './tier';

/** How far the axes of the main sequence reach; both begin at 0. */
export interface Extent {
  /** Requests. */
  queue: number;
  /** Requests per second. */
  throughput: number;
}

/** Room beyond the farthest point, so that it does not sit on the border. */
const ROOM = 1.02;
const STEPS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/**
 * The extent that shows every window and the lines of the tiers. It is a round number, so that the axes hold still
 * while new windows come in.
 *
 * @param withCurves whether it shows what is drawn of their curves, too
 */
export function extent(tiers: readonly Tier[], withCurves: boolean): Extent {
  let queue = 0;
  let throughput = 0;
  const reach = (someQueue: number | null, someThroughput: number | null) => {
    // comparisons with NaN are false: an unknown value reaches nowhere
    queue = someQueue !== null && someQueue > queue ? someQueue : queue;
    throughput = someThroughput !== null && someThroughput > throughput ? someThroughput : throughput;
  };
  for (const tier of tiers) {
    const { queue: queues, throughput: throughputs } = tier;
    for (let i = 0; i < queues.length; i++) {
      reach(queues[i], throughputs[i]);
    }
    reach(nStarOnAxis(tier), tier.tpMax);
    if (withCurves) {
      solidBins(tier.curve).forEach((bin) => reach(bin.queue, bin.throughput));
    }
  }
  return { queue: roundUp(queue * ROOM), throughput: roundUp(throughput * ROOM) };
}

/** The next round number at or above a value; 1 for 0. */
export function roundUp(value: number): number {
  if (!(value > 0) || !isFinite(value)) {
    return 1;
  }
  const magnitude = 10 ** Math.floor(Math.log10(value));
  const step = STEPS.find((factor) => factor * magnitude >= value) ?? 10;
  return step * magnitude;
}
