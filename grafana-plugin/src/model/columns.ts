// SPDX-License-Identifier: Apache-2.0
import { STATE_WORDS } from './state';
import { StateShares, Tier } from './tier';
import { firstAfter, smallestGap } from './times';

/**
 * Share of the time with data that was spent in each state, per column, by State with windows that are not judged yet
 * as the last; adds up to 1, or all 0 without data.
 */
export type ShareColumns = Float64Array[];

/** A tier's windows condensed into the pixel columns of a time line. */
export interface Columns {
  share: ShareColumns;
  /** Mean and greatest queue length, requests; NaN without data. */
  queueMean: Float64Array;
  queueMax: Float64Array;
  /** Mean share of garbage collection; NaN where unknown; null if the tier has none. */
  gcMean: Float64Array | null;
}

/**
 * Overlaps of less than this share of a column come from rounding. Only a window narrower than that could get lost, in
 * a column of more than a year.
 */
const EDGE = 1e-9;

/**
 * Condenses windows into `count` columns of equal width between `from` and `to`. A window counts in each column by how
 * much of it lies there, so that nothing vanishes in wide columns and a window fills all of several narrow ones.
 *
 * @param from start of the first column, ms since the epoch
 * @param to end of the last column
 * @param width for how long a window stands, ms: as wide as it is, or more where it stands for others
 */
export function columns(tier: Tier, from: number, to: number, count: number, width: number): Columns {
  const share = emptyShares(count);
  const queueMean = new Float64Array(count);
  const queueMax = new Float64Array(count).fill(NaN);
  const gcMean = tier.gc && new Float64Array(count);
  const gcTime = new Float64Array(tier.gc ? count : 0);
  const span = (to - from) / count;
  const { time, queue, state, gc } = tier;
  for (let i = firstAfter(time, from); i < time.length && time[i] - width < to; i++) {
    const start = (time[i] - width - from) / span;
    const end = (time[i] - from) / span;
    const last = Math.min(Math.ceil(end - EDGE), count);
    for (let c = Math.max(Math.floor(start + EDGE), 0); c < last; c++) {
      const part = Math.min(end, c + 1) - Math.max(start, c);
      share[state[i]][c] += part;
      queueMean[c] += part * queue[i];
      if (!(queueMax[c] >= queue[i])) {
        queueMax[c] = queue[i];
      }
      if (gc && gcMean && gc[i] >= 0) {
        gcMean[c] += part * gc[i];
        gcTime[c] += part;
      }
    }
  }
  for (let c = 0; c < count; c++) {
    queueMean[c] /= normalise(share, c);
    if (gcMean) {
      gcMean[c] /= gcTime[c];
    }
  }
  return { share, queueMean, queueMax, gcMean };
}

/** The span of a recorded share, if there is only one share, ms. */
const ONLY_SPAN = 10_000;

/**
 * Puts recorded shares into columns as {@link columns} does with windows. Each share holds from one step before its
 * time, where the step is the smallest distance of two of them.
 */
export function sharesToColumns(shares: StateShares, from: number, to: number, count: number): ShareColumns {
  const result = emptyShares(count);
  const { time, share } = shares;
  const step = smallestGap(time) || ONLY_SPAN;
  const span = (to - from) / count;
  for (let i = firstAfter(time, from); i < time.length && time[i] - step < to; i++) {
    const start = (time[i] - step - from) / span;
    const end = (time[i] - from) / span;
    const last = Math.min(Math.ceil(end - EDGE), count);
    for (let c = Math.max(Math.floor(start + EDGE), 0); c < last; c++) {
      const part = Math.min(end, c + 1) - Math.max(start, c);
      for (let state = 0; state < share.length; state++) {
        result[state][c] += share[state][i] > 0 ? part * share[state][i] : 0;
      }
    }
  }
  for (let c = 0; c < count; c++) {
    normalise(result, c);
  }
  return result;
}

function emptyShares(count: number): ShareColumns {
  return STATE_WORDS.map(() => new Float64Array(count));
}

/** Makes the shares of a column add up to 1 and returns their previous sum. NaN without data, 0 / 0. */
function normalise(share: ShareColumns, column: number): number {
  let sum = 0;
  for (const of of share) {
    sum += of[column];
  }
  if (sum > 0) {
    for (const of of share) {
      of[column] /= sum;
    }
  }
  return sum;
}
