// SPDX-License-Identifier: Apache-2.0
import { THEME } from '../fixtures/theme';
import { tierOf } from '../fixtures/tiers';
import { State } from '../model/state';
import { Tier } from '../model/tier';
import { channels, stateColour, tierColour } from './colour';
import { Frame, placePoints } from './points';
import { pixel } from './raster';
import { CIRCLES_UP_TO, Scatter } from './scatter';

const FRAME: Frame = { width: 200, height: 100, extent: { queue: 40, throughput: 1000 }, log: false };
const COLOURS = [0, 1, 2].map((i) => tierColour(i, THEME));
const LIMITS = { nStar: 8, tpMax: 800 };
const NORMAL = [4, 500] as const;
const SATURATED = [20, 800] as const;
const FROZEN = [30, 0] as const;

/** The picture, and a look at the pixel where a queue length and a throughput are. */
function draw(tiers: Tier[], { selected = null as Uint8Array | null, ratio = 1 } = {}) {
  const scatter = new Scatter(FRAME.width, FRAME.height, ratio);
  scatter.draw(placePoints(tiers, FRAME), selected, { theme: THEME, colours: COLOURS.slice(0, tiers.length) });
  const { pixels, width } = scatter.raster;
  const look = ([queue, throughput]: readonly [number, number], dx = 0) => {
    const x = Math.round((queue / 40) * FRAME.width) + scatter.margin + dx;
    const y = Math.round((1 - throughput / 1000) * FRAME.height) + scatter.margin;
    return pixels[y * width + x];
  };
  return { look, scatter };
}

const repeated = (point: readonly [number, number], count: number) => Array.from({ length: count }, () => point);
const opacity = (value: number) => value >>> 24;
const colour = (value: number) => [value & 255, (value >>> 8) & 255, (value >>> 16) & 255];
const RING = channels(stateColour(State.Frozen, THEME));

describe.each([
  ['circles', 1],
  ['density', CIRCLES_UP_TO],
])('Scatter, %s', (_, many) => {
  it('shows each window in the colour of its tier, the saturated ones stronger', () => {
    const { look } = draw([tierOf([...repeated([1, 100], many), NORMAL, SATURATED], LIMITS)]);
    expect(colour(look(NORMAL))).toEqual(channels(COLOURS[0]));
    expect(colour(look(SATURATED))).toEqual(channels(COLOURS[0]));
    expect(opacity(look(NORMAL))).toBeGreaterThan(0.3 * 255);
    expect(opacity(look(SATURATED))).toBeGreaterThan(1.5 * opacity(look(NORMAL)));
  });

  it('shows a frozen window through any crowd, with the core of its tier in a ring', () => {
    const crowd = tierOf(repeated([30, 20], 3 * many));
    crowd.state.fill(State.Saturated);
    const { look } = draw([tierOf([FROZEN], LIMITS), tierOf(repeated([30, 0], many)), crowd]);
    expect(look(FROZEN)).toBe(pixel(...channels(COLOURS[0])));
    expect(colour(look(FROZEN, 4))).toEqual(RING);
  });

  it('shows windows on the corners of the plot whole', () => {
    const { look, scatter } = draw([tierOf([[0, 0], [40, 1000], ...repeated([1, 100], many)], LIMITS)]);
    expect(opacity(look([0, 0], -1))).toBeGreaterThan(0);
    expect(opacity(look([40, 1000], 1))).toBeGreaterThan(0);
    expect(scatter.margin).toBeGreaterThan(6);
  });

  it('dims what is not selected, also frozen windows', () => {
    const tier = tierOf([NORMAL, [10, 300], FROZEN, [38, 0], ...repeated([1, 100], many)], LIMITS);
    const selected = new Uint8Array(tier.time.length);
    selected[1] = 1;
    selected[3] = 1;
    const { look } = draw([tier], { selected });
    const plain = draw([tier]).look;
    expect(opacity(look(NORMAL))).toBeLessThan(0.5 * opacity(plain(NORMAL)));
    expect(opacity(look(FROZEN))).toBeLessThan(0.3 * 255);
    expect(look([10, 300])).toBe(plain([10, 300]));
    expect(look([38, 0])).toBe(plain([38, 0]));
  });

  it('draws nothing of what was drawn before', () => {
    const scatter = new Scatter(FRAME.width, FRAME.height, 1);
    const style = { theme: THEME, colours: COLOURS.slice(0, 1) };
    scatter.draw(placePoints([tierOf(repeated(SATURATED, many))], FRAME), null, style);
    scatter.draw(placePoints([tierOf([])], FRAME), null, style);
    expect(scatter.raster.pixels.every((value) => value === 0)).toBe(true);
  });

  it('reaches over no edge on a fine screen', () => {
    const tier = tierOf([[40, 0], ...repeated(SATURATED, many)], LIMITS);
    const { scatter } = draw([tier], { ratio: 3 });
    const { pixels, width, height } = scatter.raster;
    const left = Array.from({ length: height }, (__, y) => pixels[y * width]);
    expect(left.every((value) => value === 0)).toBe(true);
  });
});

describe('Scatter', () => {
  it('shows a rim of the tier behind where windows of two tiers coincide', () => {
    const { look } = draw([tierOf([SATURATED], LIMITS), tierOf([SATURATED], LIMITS)]);
    const rim = colour(look(SATURATED, 3));
    const middle = colour(look(SATURATED));
    const distance = (one: number[], other: number[]) => Math.hypot(...one.map((value, i) => value - other[i]));
    expect(distance(middle, channels(COLOURS[1]))).toBeLessThan(distance(middle, channels(COLOURS[0])));
    expect(distance(rim, channels(COLOURS[0]))).toBeLessThan(distance(rim, channels(COLOURS[1])));
  });

  it('shows both of two tiers that share the same crowd', () => {
    const crowd = Array.from({ length: CIRCLES_UP_TO }, (_, i) => [10 + (i % 40) / 2, 300 + 10 * (i % 31)] as const);
    const { scatter } = draw([tierOf(crowd, LIMITS), tierOf(crowd, LIMITS)]);
    const seen = [...scatter.raster.pixels].filter((value) => value !== 0).map((value) => colour(value).join());
    const share = seen.filter((value) => value === channels(COLOURS[0]).join()).length / seen.length;
    expect(share).toBeGreaterThan(0.3);
    expect(share).toBeLessThan(0.7);
    expect(new Set(seen).size).toBe(2);
  });
});
