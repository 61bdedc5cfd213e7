// SPDX-License-Identifier: Apache-2.0
import { PixelStrip } from './band';
import { Raster } from './raster';

const STEPS = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];

/**
 * Upper end of a lane's queue scale: a round number from the longest queue on, with N* in view. Round, so that it does
 * not change with each refresh.
 */
export function queueTop(longest: number, nStar: number | null): number {
  const reach = Math.max(longest, (nStar ?? 0) * 1.1);
  if (!(reach > 0)) {
    return 1;
  }
  const magnitude = 10 ** Math.floor(Math.log10(reach));
  const step = STEPS.find((candidate) => candidate * magnitude >= reach * (1 - 1e-9)) ?? 10;
  return step * magnitude;
}

/** The largest of the values that are numbers; 0 if there are none. */
export function largest(values: ArrayLike<number>): number {
  let result = 0;
  for (let i = 0; i < values.length; i++) {
    if (values[i] > result) {
      result = values[i];
    }
  }
  return result;
}

/** A line along the upper end of levels. */
export interface LevelLine {
  /** Pixels. */
  width: number;
  colour: number;
}

/** Draws values from 0 to `top` as columns that stand on the strip's lower edge; NaN and 0 draw nothing. */
export function paintLevels(
  raster: Raster,
  strip: PixelStrip,
  values: ArrayLike<number>,
  top: number,
  colour: number,
  line?: LevelLine
) {
  const bottom = strip.top + strip.height;
  for (let x = 0; x < raster.width; x++) {
    const height = levelHeight(values[x], top, strip.height);
    raster.column(x, bottom - height, bottom, colour);
    if (line && height > 0) {
      const next = Math.min(neighbour(values, x - 1, x), neighbour(values, x + 1, x));
      // down to the lower neighbour, so that the line has no holes where levels jump
      const drop = height - levelHeight(next, top, strip.height);
      raster.column(x, bottom - height, Math.min(bottom, bottom - height + Math.max(line.width, drop)), line.colour);
    }
  }
}

/** Height of a level in pixels, at least one: little is not nothing. */
function levelHeight(value: number, top: number, height: number): number {
  return value > 0 ? Math.max(1, Math.round((Math.min(value, top) / top) * height)) : 0;
}

/** The value beside x, or the one at x if there is none. */
function neighbour(values: ArrayLike<number>, at: number, x: number): number {
  return values[at] >= 0 ? values[at] : values[x];
}
