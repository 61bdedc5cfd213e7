// SPDX-License-Identifier: Apache-2.0

/** Stripes as the raster's pixels hold them. */
export interface Stripes {
  colour: number;
  /** 1: from bottom left to top right; -1: from top left to bottom right. */
  lean: 1 | -1;
}

/** Pixels in memory, drawn to a canvas in one go: cheaper than a thousand rectangles per lane. */
export class Raster {
  readonly pixels: Uint32Array<ArrayBuffer>;

  constructor(
    readonly width: number,
    readonly height: number
  ) {
    this.pixels = new Uint32Array(width * height);
  }

  clear() {
    this.pixels.fill(0);
  }

  /** Fills column x from top (included) to bottom (excluded). */
  column(x: number, top: number, bottom: number, colour: number) {
    const end = Math.min(bottom, this.height) * this.width;
    for (let at = Math.max(top, 0) * this.width + x; at < end; at += this.width) {
      this.pixels[at] = colour;
    }
  }

  /**
   * As column, with stripes from bottom left to top right (lean 1) or from top left to bottom right (lean -1);
   * neighbouring columns continue each other's stripes.
   */
  hatchedColumn(
    x: number,
    top: number,
    bottom: number,
    colour: number,
    { colour: stripe, lean }: Stripes,
    period: number
  ) {
    const last = Math.min(bottom, this.height);
    // many periods on the left, so that the remainder is of no negative number
    const across = x + period * this.height;
    for (let y = Math.max(top, 0); y < last; y++) {
      this.pixels[y * this.width + x] = (across + lean * y) % period < period / 3 ? stripe : colour;
    }
  }
}

/** A colour as the raster's pixels hold it. */
export function pixel(red: number, green: number, blue: number, alpha = 1): number {
  const bytes = new Uint8ClampedArray([red, green, blue, alpha * 255]);
  // read back through the same memory, so that the order of bytes is the machine's
  return new Uint32Array(bytes.buffer)[0];
}
