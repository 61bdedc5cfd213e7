// SPDX-License-Identifier: Apache-2.0
import { Tier } from './tier';
import { firstAfter } from './times';

/** A stretch of a tier's windows: indices from `first` (included) to `end` (excluded). */
export interface Stretch {
  first: number;
  end: number;
}

/** The windows that a span of time touches; a window covers `width` ms up to its end. */
export function within(tier: Pick<Tier, 'time'>, from: number, to: number, width: number): Stretch {
  const first = firstAfter(tier.time, from);
  let end = first;
  while (end < tier.time.length && tier.time[end] - width < to) {
    end++;
  }
  return { first, end };
}

/** Mean of a stretch without values that are no numbers; NaN if nothing is left. */
export function meanOf(values: ArrayLike<number>, { first, end }: Stretch): number {
  let sum = 0;
  let count = 0;
  for (let i = first; i < end; i++) {
    if (!Number.isNaN(values[i])) {
      sum += values[i];
      count++;
    }
  }
  return sum / count;
}
