// SPDX-License-Identifier: Apache-2.0
import { Columns } from '../model/columns';
import { BandColours, paintBand, PixelStrip } from './band';
import { Lane, Strip } from './lanes';
import { paintLevels } from './levels';
import { Raster } from './raster';

/** Colours of one lane, as the raster holds them. */
export interface LaneColours extends BandColours {
  queueMax: number;
  queueMean: number;
  /** The line on top of the mean. */
  queueLine: number;
  gc: number;
  /** Behind the garbage collection, so that none is seen as none. */
  gcTrack: number;
}

/** CSS pixels: the least height of frozen, the distance of its stripes, the line on top of the queue length. */
const LEAST_FROZEN = 4;
const LEAST_FROZEN_SHARE = 0.15;
const STRIPES = 6;
const LINE = 1;

/** Where a strip lies in the raster. */
export function toPixels(strip: Strip, offset: number, ratio: number): PixelStrip {
  const top = Math.round((strip.top + offset) * ratio);
  return { top, height: Math.round((strip.top + strip.height + offset) * ratio) - top };
}

/**
 * Draws one lane.
 *
 * @param offset by how much the lanes are scrolled, CSS pixels, 0 or less
 * @param ratio pixels of the raster per CSS pixel
 * @param queueTop upper end of the queue scale
 * @param crisp windows are wider than columns
 */
export function paintLane(
  raster: Raster,
  lane: Lane,
  offset: number,
  ratio: number,
  columns: Columns,
  queueTop: number,
  crisp: boolean,
  colours: LaneColours
) {
  const band = toPixels(lane.band, offset, ratio);
  paintBand(raster, band, columns.share, colours, {
    least: Math.round(Math.max(LEAST_FROZEN * ratio, band.height * LEAST_FROZEN_SHARE)),
    period: Math.round(STRIPES * ratio),
    crisp,
  });
  if (lane.queue) {
    const strip = toPixels(lane.queue, offset, ratio);
    paintLevels(raster, strip, columns.queueMax, queueTop, colours.queueMax);
    const line = { width: Math.max(1, Math.round(LINE * ratio)), colour: colours.queueLine };
    paintLevels(raster, strip, columns.queueMean, queueTop, colours.queueMean, line);
  }
  if (lane.gc && columns.gcMean) {
    const strip = toPixels(lane.gc, offset, ratio);
    for (let x = 0; x < raster.width; x++) {
      if (columns.gcMean[x] >= 0) {
        raster.column(x, strip.top, strip.top + strip.height, colours.gcTrack);
      }
    }
    paintLevels(raster, strip, columns.gcMean, 1, colours.gc);
  }
}
