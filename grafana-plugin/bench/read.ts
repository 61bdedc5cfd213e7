// SPDX-License-Identifier: Apache-2.0
import { readPicture } from '../src/data/read';
import { framesOf } from '../src/fixtures/frames';
import { windows } from './windows';

/** Milliseconds that it takes to read the answers for so many windows, round by round. */
export function readTimes(count: number, rounds: number): number[] {
  const frames = framesOf(windows(count, 1));
  return Array.from({ length: rounds }, () => {
    const began = performance.now();
    readPicture(frames);
    return performance.now() - began;
  });
}
