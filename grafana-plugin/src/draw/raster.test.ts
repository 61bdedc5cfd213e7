// SPDX-License-Identifier: Apache-2.0
import { pixel, Raster } from './raster';

const rows = (raster: Raster) =>
  Array.from({ length: raster.height }, (_, y) => [...raster.pixels.slice(y * raster.width, (y + 1) * raster.width)]);

describe('Raster', () => {
  it('fills a column and nothing beside it', () => {
    const raster = new Raster(3, 4);
    raster.column(1, 1, 3, 7);
    expect(rows(raster)).toEqual([
      [0, 0, 0],
      [0, 7, 0],
      [0, 7, 0],
      [0, 0, 0],
    ]);
    raster.clear();
    expect(raster.pixels.every((value) => value === 0)).toBe(true);
  });

  it('cuts what is above or below', () => {
    const raster = new Raster(2, 2);
    raster.column(0, -3, 9, 5);
    raster.hatchedColumn(1, -3, 9, 6, { colour: 6, lean: 1 }, 3);
    expect(rows(raster)).toEqual([
      [5, 6],
      [5, 6],
    ]);
  });

  it('draws diagonal stripes across columns', () => {
    const raster = new Raster(3, 3);
    for (let x = 0; x < 3; x++) {
      raster.hatchedColumn(x, 0, 3, 1, { colour: 2, lean: 1 }, 3);
    }
    expect(rows(raster)).toEqual([
      [2, 1, 1],
      [1, 1, 2],
      [1, 2, 1],
    ]);
  });

  it('draws stripes that lean the other way', () => {
    const raster = new Raster(3, 3);
    for (let x = 0; x < 3; x++) {
      raster.hatchedColumn(x, 0, 3, 1, { colour: 2, lean: -1 }, 3);
    }
    expect(rows(raster)).toEqual([
      [2, 1, 1],
      [1, 2, 1],
      [1, 1, 2],
    ]);
  });
});

test('pixel has the bytes in the order that canvas wants', () => {
  const bytes = new Uint8Array(new Uint32Array([pixel(1, 2, 3, 1)]).buffer);
  expect([...bytes]).toEqual([1, 2, 3, 255]);
});
