// SPDX-License-Identifier: Apache-2.0

/** Highest count that is kept. */
const MOST = 255;

/** Opacity by count, from 0 to 255. */
export type Ramp = Uint8Array;

/**
 * Opacity that grows with the logarithm of the count: a single window must be seen, and a hundred must be told from
 * ten.
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
 * Windows are counted at their centre first and spread over their dots then: many share a centre, because throughput
 * comes in whole completions. Only pixels that were counted are looked at again, so the cost goes with the number of
 * windows and not with the size of the plot.
 */
export class Density {
  private readonly centres: Uint32Array;
  private readonly counts: Uint32Array;
  private readonly usedCentres: Uint32Array;
  private readonly usedPixels: Uint32Array;
  private used = 0;

  /** @param size number of pixels */
  constructor(size: number) {
    this.centres = new Uint32Array(size);
    this.counts = new Uint32Array(size);
    this.usedCentres = new Uint32Array(size);
    this.usedPixels = new Uint32Array(size);
  }

  /** Counts a window. */
  add(centre: number) {
    if (this.centres[centre]++ === 0) {
      this.usedCentres[this.used++] = centre;
    }
  }

  /**
   * Colours the counted windows and starts again.
   *
   * If several groups of windows meet, the densest takes the pixel; equal ones take turns from pixel to pixel. So
   * the colours stay pure: a mixture of two tiers' colours could look like a third tier.
   *
   * @param dot the pixels of a window's dot, as distances from its centre
   * @param rgb colour of the group as image data holds it, without opacity
   * @param turn this group's place among `turns` groups
   */
  colour(pixels: Uint32Array, dot: Int32Array, rgb: number, opacity: Ramp, turn: number, turns: number) {
    const { counts, usedPixels } = this;
    const dense = this.spread(dot);
    for (let i = 0; i < dense; i++) {
      const at = usedPixels[i];
      const own = opacity[Math.min(counts[at], MOST)];
      const other = pixels[at] >>> 24;
      if (own > other || (own === other && at % turns === turn)) {
        pixels[at] = (rgb | (own << 24)) >>> 0;
      }
      counts[at] = 0;
    }
  }

  /** Turns counts per centre into counts per pixel; returns how many pixels are used. */
  private spread(dot: Int32Array): number {
    const { centres, counts, usedCentres, usedPixels } = this;
    let pixels = 0;
    for (let i = 0; i < this.used; i++) {
      const centre = usedCentres[i];
      const windows = centres[centre];
      centres[centre] = 0;
      for (let k = 0; k < dot.length; k++) {
        const at = centre + dot[k];
        if (counts[at] === 0) {
          usedPixels[pixels++] = at;
        }
        counts[at] += windows;
      }
    }
    this.used = 0;
    return pixels;
  }
}
