// SPDX-License-Identifier: Apache-2.0
import { Columns, columns, sharesToColumns } from '../model/columns';
import { Tier } from '../model/tier';

/**
 * A tier in columns of pixels.
 *
 * If only 1 in n windows was sent, each stands for n windows, and the recorded shares, which know all windows,
 * replace their states: otherwise a brief freeze between two samples would be lost.
 *
 * @param step distance of neighbouring windows in the answer, ms
 */
export function laneColumns(tier: Tier, step: number, from: number, to: number, count: number): Columns {
  const sampled = step > tier.width;
  const result = columns(tier, from, to, count, sampled ? step : tier.width);
  if (!sampled || !tier.shares) {
    return result;
  }
  const recorded = sharesToColumns(tier.shares, from, to, count);
  for (let x = 0; x < count; x++) {
    if (recorded.some((share) => share[x] > 0)) {
      result.share.forEach((share, state) => (share[x] = recorded[state][x]));
    }
  }
  return result;
}
