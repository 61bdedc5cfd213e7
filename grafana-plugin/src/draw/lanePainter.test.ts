// SPDX-License-Identifier: Apache-2.0
import { Columns } from '../model/columns';
import { State, STATE_WORDS } from '../model/state';
import { LaneColours, paintLane, toPixels } from './lanePainter';
import { Lane } from './lanes';
import { Raster } from './raster';

const COLOURS: LaneColours = {
  state: [1, 2, 3, 4, 11, 12, 13],
  stripes: {},
  queueMax: 6,
  queueMean: 7,
  queueLine: 8,
  gc: 9,
  gcTrack: 10,
};

const LANE: Lane = {
  top: 0,
  height: 40,
  queue: { top: 0, height: 20 },
  band: { top: 22, height: 10 },
  gc: { top: 34, height: 6 },
};

/** Two columns: saturated with queue 5 (peak 10) and half a window of garbage collection, then nothing. */
const COLUMNS: Columns = {
  share: STATE_WORDS.map((_, state) => Float64Array.of(state === State.Saturated ? 1 : 0, 0)),
  queueMean: Float64Array.of(5, NaN),
  queueMax: Float64Array.of(10, NaN),
  gcMean: Float64Array.of(0.5, NaN),
};

function paint(lane: Lane, { offset = 0, ratio = 1, columns = COLUMNS } = {}) {
  const raster = new Raster(2, 40 * ratio);
  paintLane(raster, lane, offset, ratio, columns, 10, false, COLOURS);
  return (x: number) => Array.from({ length: raster.height }, (_, y) => raster.pixels[y * 2 + x]);
}

const count = (pixels: number[], colour: number) => pixels.filter((pixel) => pixel === colour).length;

describe('paintLane', () => {
  it('draws each part in its strip', () => {
    const pixels = paint(LANE)(0);
    expect(count(pixels.slice(0, 10), 6)).toBe(10); // from the mean up to the peak
    expect(pixels[10]).toBe(8); // the mean's line
    expect(count(pixels.slice(11, 20), 7)).toBe(9);
    expect(count(pixels.slice(22, 32), 3)).toBe(10);
    expect(pixels.slice(34)).toEqual([10, 10, 10, 9, 9, 9]);
    expect([20, 21, 32, 33].map((y) => pixels[y])).toEqual([0, 0, 0, 0]);
  });

  it('draws nothing where there are no windows', () => {
    expect(paint(LANE)(1).every((pixel) => pixel === 0)).toBe(true);
  });

  it('leaves out what the lane has no room for', () => {
    const pixels = paint({ ...LANE, queue: null, gc: null })(0);
    expect(new Set(pixels)).toEqual(new Set([0, 3]));
  });

  it('is twice as fine on a fine screen, and moves when scrolled', () => {
    expect(count(paint(LANE, { ratio: 2 })(0), 3)).toBe(20);
    const scrolled = paint(LANE, { offset: -30 })(0);
    expect(scrolled.slice(0, 3)).toEqual([3, 3, 0]);
    expect(count(scrolled, 3)).toBe(2);
  });

  it('keeps a thousandth of frozen visible', () => {
    const columns: Columns = {
      ...COLUMNS,
      share: [0, 0, 0.999, 0.001, 0, 0, 0].map((share) => Float64Array.of(share)),
    };
    expect(count(paint(LANE, { columns })(0), 4)).toBeGreaterThanOrEqual(4);
  });
});

test('toPixels leaves no gap between neighbours, whatever the ratio', () => {
  const upper = toPixels({ top: 3, height: 7 }, 0.3, 1.25);
  const lower = toPixels({ top: 10, height: 5 }, 0.3, 1.25);
  expect(upper.top + upper.height).toBe(lower.top);
});
