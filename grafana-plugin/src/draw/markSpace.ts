// SPDX-License-Identifier: Apache-2.0

/** Width of a letter in the axis' font, and the least distance of two marks' numbers, CSS pixels. */
const LETTER = 6.4;
const GAP = 8;
/** The width of numbers of usual size, CSS pixels. */
const USUAL = 36;

/**
 * Least distance of two marks of a queue axis so that their numbers do not touch, CSS pixels: if the queues of the
 * whole axis are short, the numbers are long.
 *
 * @param max end of the axis, requests
 * @param length of the axis, CSS pixels
 */
export function markSpace(max: number, length: number): number {
  const least = (max / length) * USUAL;
  // one more digit than the first that is not 0, as in 0.025
  const decimals = least < 1 ? Math.ceil(-Math.log10(least)) + 1 : 0;
  return Math.max(USUAL, ('0.'.length + decimals) * LETTER + GAP);
}
