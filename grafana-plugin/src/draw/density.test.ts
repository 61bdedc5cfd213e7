// SPDX-License-Identifier: Apache-2.0
import { Density, ramp } from './density';
import { dot } from './stamp';

const STRIDE = 21;
const SIZE = STRIDE * STRIDE;
const CENTRE = 10 * STRIDE + 10;
const RED = 0x0000ff;
const GREEN = 0x00ff00;
const ONE = Int32Array.of(0);

function times(count: number, density: Density, centre: number) {
  for (let i = 0; i < count; i++) {
    density.add(centre);
  }
}

describe('ramp', () => {
  const opacity = ramp(0.2, 0.8, 64);

  it('shows a single window, and nothing where there is none', () => {
    expect(opacity[0]).toBe(0);
    expect(opacity[1]).toBe(Math.round(0.2 * 255));
  });

  it('rises with the count and is full from the given one on', () => {
    const doubled = [1, 2, 4, 8, 16, 32, 64].map((count) => opacity[count]);
    doubled.slice(1).forEach((value, i) => expect(value).toBeGreaterThan(doubled[i] + 20));
    expect(opacity[64]).toBe(Math.round(0.8 * 255));
    expect(opacity[255]).toBe(opacity[64]);
  });
});

describe('Density', () => {
  const steps = ramp(0.1, 1, 200);
  const fresh = () => ({ density: new Density(SIZE), pixels: new Uint32Array(SIZE) });

  it('counts windows on every pixel of their dots', () => {
    const { density, pixels } = fresh();
    const plus = dot(1, STRIDE);
    times(3, density, CENTRE);
    times(2, density, CENTRE + 1);
    density.colour(pixels, plus, RED, steps, 0, 1);
    // the dots share both centres
    expect(pixels[CENTRE]).toBe(((steps[5] << 24) | RED) >>> 0);
    expect(pixels[CENTRE + 1]).toBe(((steps[5] << 24) | RED) >>> 0);
    expect(pixels[CENTRE - 1]).toBe(((steps[3] << 24) | RED) >>> 0);
    expect(pixels[CENTRE + 2]).toBe(((steps[2] << 24) | RED) >>> 0);
    expect(pixels.filter((value) => value !== 0)).toHaveLength(8);
  });

  it('starts anew after colouring', () => {
    const { density, pixels } = fresh();
    times(9, density, CENTRE);
    density.colour(pixels, ONE, RED, steps, 0, 1);
    const next = new Uint32Array(SIZE);
    density.add(CENTRE);
    density.colour(next, ONE, RED, steps, 0, 1);
    expect(next[CENTRE] >>> 24).toBe(steps[1]);
  });

  it('gives a pixel to the denser group, whichever is drawn first', () => {
    for (const order of [
      [RED, 9, GREEN, 2],
      [GREEN, 2, RED, 9],
    ]) {
      const { density, pixels } = fresh();
      times(order[1], density, CENTRE);
      density.colour(pixels, ONE, order[0], steps, 0, 2);
      times(order[3], density, CENTRE);
      density.colour(pixels, ONE, order[2], steps, 1, 2);
      expect(pixels[CENTRE] & 0xffffff).toBe(RED);
    }
  });

  it('lets equally dense groups take turns', () => {
    const { density, pixels } = fresh();
    for (const [turn, rgb] of [RED, GREEN].entries()) {
      for (let i = 0; i < SIZE; i++) {
        density.add(i);
      }
      density.colour(pixels, ONE, rgb, steps, turn, 2);
    }
    const red = pixels.filter((value) => (value & 0xffffff) === RED).length;
    expect(red).toBeGreaterThan(0.4 * SIZE);
    expect(red).toBeLessThan(0.6 * SIZE);
  });

  it('keeps counting where more windows meet than the ramp tells apart', () => {
    const { density, pixels } = fresh();
    times(70_000, density, CENTRE);
    density.colour(pixels, ONE, RED, steps, 0, 1);
    expect(pixels[CENTRE] >>> 24).toBe(255);
  });
});
