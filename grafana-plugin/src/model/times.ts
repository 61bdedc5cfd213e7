// SPDX-License-Identifier: Apache-2.0

/** Index of the first time after `limit` in ascending times. */
export function firstAfter(time: Float64Array, limit: number): number {
  let low = 0;
  let high = time.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (time[middle] > limit) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/** Smallest distance of neighbouring times; 0 if there are fewer than two. */
export function smallestGap(time: Float64Array): number {
  let gap = Infinity;
  for (let i = 1; i < time.length; i++) {
    gap = Math.min(gap, time[i] - time[i - 1]);
  }
  return Number.isFinite(gap) ? gap : 0;
}
