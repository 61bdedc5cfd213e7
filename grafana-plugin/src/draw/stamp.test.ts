// SPDX-License-Identifier: Apache-2.0
import { pixel } from './raster';
import { diamond, disc, dot, put, Rgb } from './stamp';

const STRIDE = 31;
const CENTRE = 15 * STRIDE + 15;
const RED: Rgb = [255, 0, 0];
const GREEN: Rgb = [0, 255, 0];
const BLUE: Rgb = [0, 0, 255];

const canvas = (colour = 0) => new Uint32Array(STRIDE * STRIDE).fill(colour);
const at = (pixels: Uint32Array, x: number, y: number) => pixels[CENTRE + y * STRIDE + x];
const opacity = (value: number) => value >>> 24;

describe('dot', () => {
  it('is a small circle', () => {
    expect([...dot(1.2, 10)].sort((a, b) => a - b)).toEqual([-10, -1, 0, 1, 10]);
  });
});

describe('disc', () => {
  it('covers the area of a circle', () => {
    const pixels = canvas();
    put(disc(4, RED, 1, STRIDE), pixels, CENTRE);
    const area = pixels.reduce((sum, value) => sum + opacity(value) / 255, 0);
    expect(area).toBeGreaterThan(0.95 * Math.PI * 16);
    expect(area).toBeLessThan(1.05 * Math.PI * 16);
  });

  it('has a smooth edge and the same opacity inside', () => {
    const pixels = canvas();
    put(disc(4, RED, 0.5, STRIDE), pixels, CENTRE);
    expect(at(pixels, 0, 0)).toBe(pixel(255, 0, 0, 0.5));
    expect(at(pixels, 2, 2)).toBe(pixel(255, 0, 0, 0.5));
    expect(opacity(at(pixels, 4, 0))).toBeGreaterThan(0);
    expect(opacity(at(pixels, 4, 0))).toBeLessThan(127);
    expect(at(pixels, 5, 0)).toBe(0);
  });
});

describe('diamond', () => {
  it('is a ring around a core within a halo', () => {
    const pixels = canvas();
    put(diamond(8, { core: RED, ring: GREEN, halo: BLUE }, 1, STRIDE), pixels, CENTRE);
    expect(at(pixels, 0, 0)).toBe(pixel(...RED));
    expect(at(pixels, 6, 0)).toBe(pixel(...GREEN));
    expect(at(pixels, 3, 3)).toBe(pixel(...GREEN));
    expect(at(pixels, 0, 9)).toBe(pixel(...BLUE));
    expect(at(pixels, 7, 7)).toBe(0);
  });
});

describe('put', () => {
  it('hides what is under an opaque stamp', () => {
    const pixels = canvas(pixel(9, 9, 9));
    put(disc(3, RED, 1, STRIDE), pixels, CENTRE);
    expect(at(pixels, 0, 0)).toBe(pixel(...RED));
  });

  it('mixes a translucent stamp with what is under it', () => {
    const pixels = canvas(pixel(0, 0, 255));
    put(disc(3, RED, 0.5, STRIDE), pixels, CENTRE);
    const mixed = at(pixels, 0, 0);
    expect(opacity(mixed)).toBe(255);
    expect(mixed & 255).toBeCloseTo(127, -1);
    expect((mixed >>> 16) & 255).toBeCloseTo(128, -1);
  });

  it('grows more opaque where translucent stamps lie on each other', () => {
    const pixels = canvas();
    const stamp = disc(3, RED, 0.4, STRIDE);
    const seen = [1, 2, 3].map(() => {
      put(stamp, pixels, CENTRE);
      return opacity(at(pixels, 0, 0));
    });
    expect(seen[1]).toBeGreaterThan(seen[0]);
    expect(seen[2]).toBeGreaterThan(seen[1]);
    expect(at(pixels, 0, 0) & 255).toBe(255);
  });
});
