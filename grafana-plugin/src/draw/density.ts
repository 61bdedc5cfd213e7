// SPDX-License-Identifier: Apache-2.0

/** Highest count that is kept. */
const MOST = 255;

/** Opacity by count, from 0 to 255. */
export type Ramp = Uint8Array;

/**
 * Opacity that grows with the logarithm of the count: a single window must be seen, and a hundred must be told from ten.
 *
 * @param one opacity of a single window, 0 to 1
 * @param full opacity from `at` windows on
 */
export function ramp(one: number, full: number, at: number): Ramp {
  return Uint8Array.from({ length: MOST + 1 }, (_, count) => {
    const grown = count > 0 ? Math.min(Math.log2(count) / Math.log2(at), 1) : 0;
    return count === 0 ? 0 : Math.round(255 * (one + (full - one) * grown));
  });
}

/**
 * Counts windows per pixel and turns the counts into colours.
 *
 * Only pixels that were counted are looked at again, so the cost goes with the number of windows and not with the size of
 * the plot.
 */
export class Density {
  private readonly counts: Uint8Array;
  private readonly counted: Uint32Array;
  private used = 0;

  /** @param size number of pixels */
  constructor(size: number) {
    this.counts = new Uint8Array(size);
    this.counted = new Uint32Array(size);
  }

  /** Counts a window at every pixel of its dot. */
  add(centre: number, dot: Int32Array) {
    const { counts } = this;
    for (let i = 0; i < dot.length; i++) {
      const at = centre + dot[i];
      const count = counts[at];
      if (count === 0) {
        this.counted[this.used++] = at;
      }
      if (count < MOST) {
        counts[at] = count + 1;
      }
    }
  }

  /**
   * Colours what was counted and starts anew.
   *
   * Where several groups of windows meet, the densest takes the pixel; equal ones take turns from pixel to pixel. So the
   * colours stay pure: a mixture of two tiers' colours could be taken for a third tier.
   *
   * @param rgb colour of the group as image data holds it, without opacity
   * @param turn this group's place among `turns` groups
   */
  colour(pixels: Uint32Array, rgb: number, opacity: Ramp, turn: number, turns: number) {
    for (let i = 0; i < this.used; i++) {
      const at = this.counted[i];
      const own = opacity[this.counts[at]];
      const other = pixels[at] >>> 24;
      if (own > other || (own === other && at % turns === turn)) {
        pixels[at] = (rgb | (own << 24)) >>> 0;
      }
      this.counts[at] = 0;
    }
    this.used = 0;
  }
}
