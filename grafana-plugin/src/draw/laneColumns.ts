// SPDX-License-Identifier: Apache-2.0
import { Columns, columns, sharesToColumns } from '../model/columns';
import { STATES } from '../model/state';
import { Picture, Tier } from '../model/tier';

/** What of a picture the columns depend on. */
export type Sampling = Pick<Picture, 'width' | 'step'>;

/**
 * A tier in columns of pixels.
 *
 * Where only 1 in n windows was sent, each stands for the n, and the recorded shares, which know all windows, replace
 * their states: a brief freeze between two samples would be lost.
 */
export function laneColumns(tier: Tier, sampling: Sampling, from: number, to: number, count: number): Columns {
  const sampled = sampling.step > sampling.width;
  const result = columns(tier, from, to, count, sampled ? sampling.step : sampling.width);
  if (!sampled || !tier.shares) {
    return result;
  }
  const recorded = sharesToColumns(tier.shares, from, to, count);
  for (let x = 0; x < count; x++) {
    if (recorded.some((share) => share[x] > 0)) {
      for (let state = 0; state < STATES.length; state++) {
        result.share[state][x] = recorded[state][x];
      }
    }
  }
  return result;
}
