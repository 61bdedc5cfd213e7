// SPDX-License-Identifier: Apache-2.0

/** Distance between the pointer and the box beside it, pixels. */
const GAP = 12;

/**
 * The place of a box along one axis: after the pointer, before it if it would stick out, and at the edge if neither
 * fits.
 *
 * @param at the pointer
 * @param size length of the box
 * @param bounds length of the panel
 */
export function beside(at: number, size: number, bounds: number): number {
  if (at + GAP + size <= bounds) {
    return at + GAP;
  }
  if (at - GAP - size >= 0) {
    return at - GAP - size;
  }
  return Math.max(0, bounds - size);
}
