// SPDX-License-Identifier: Apache-2.0
import { Picture, Tier } from './tier';
import { firstAfter } from './times';

/** Index of the tier's window at a time (ms since the epoch), -1 if there is none. A window includes its end. */
export function windowAt(tier: Pick<Tier, 'time' | 'width'>, at: number, { step }: Picture): number {
  const { time, width } = tier;
  const after = firstAfter(time, at);
  const index = after > 0 && time[after - 1] === at ? after - 1 : after;
  // if only 1 in n windows was sent, each stands for those before it
  return index < time.length && time[index] - at < Math.max(width, step) ? index : -1;
}
