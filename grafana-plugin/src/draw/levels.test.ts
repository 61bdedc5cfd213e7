// SPDX-License-Identifier: Apache-2.0
import { largest, paintLevels, queueTop } from './levels';
import { Raster } from './raster';

describe('queueTop', () => {
  it.each([
    [0, null, 1],
    [0.3, null, 0.3],
    [7, null, 8],
    [8.1, null, 10],
    [143, 10, 150],
    [151, 10, 200],
    [5, 40, 50],
    [1000, null, 1000],
  ])('longest %d, N* %p: %d', (longest, nStar, top) => {
    expect(queueTop(longest, nStar)).toBeCloseTo(top, 9);
  });

  it('has everything in view', () => {
    for (let longest = 0.01; longest < 5000; longest *= 1.13) {
      const top = queueTop(longest, null);
      expect(top).toBeGreaterThanOrEqual(longest * (1 - 1e-9));
      expect(top).toBeLessThan(longest * 1.6);
    }
  });
});

test('largest leaves out what is no number', () => {
  expect(largest([NaN, 3, 8, NaN, 2])).toBe(8);
  expect(largest([NaN])).toBe(0);
});

test('paintLevels draws from the lower edge, cut at the top', () => {
  const raster = new Raster(5, 12);
  paintLevels(raster, { top: 1, height: 10 }, [0, 5, 20, NaN, 0.001], 10, 3);
  const filled = (x: number) =>
    Array.from({ length: 12 }, (_, y) => (raster.pixels[y * 5 + x] ? y : -1)).filter((y) => y >= 0);
  expect(filled(0)).toEqual([]);
  expect(filled(1)).toEqual([6, 7, 8, 9, 10]);
  expect(filled(2)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(filled(3)).toEqual([]);
  expect(filled(4)).toEqual([10]);
});

describe('the line of paintLevels', () => {
  const paint = (values: number[]) => {
    const raster = new Raster(values.length, 7);
    paintLevels(raster, { top: 0, height: 6 }, values, 6, 3, { width: 2, colour: 7 });
    return (x: number) => Array.from({ length: 7 }, (_, y) => raster.pixels[y * values.length + x]);
  };

  it('follows the upper end, never below the strip', () => {
    const at = paint([4, 4, NaN, 1]);
    expect(at(0)).toEqual([0, 0, 7, 7, 3, 3, 0]);
    expect(at(1)).toEqual([0, 0, 7, 7, 3, 3, 0]);
    expect(at(2)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(at(3)).toEqual([0, 0, 0, 0, 0, 7, 0]);
  });

  it('goes down to a lower neighbour on either side', () => {
    const at = paint([2, 6, 6, 0]);
    expect(at(0)).toEqual([0, 0, 0, 0, 7, 7, 0]);
    expect(at(1)).toEqual([7, 7, 7, 7, 3, 3, 0]);
    expect(at(2)).toEqual([7, 7, 7, 7, 7, 7, 0]);
  });
});
