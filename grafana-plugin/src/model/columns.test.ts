// SPDX-License-Identifier: Apache-2.0
import { T0, WIDTH, windowEnd } from '../fixtures/clock';
import { Random, random } from '../fixtures/random';
import { Point, tierOf } from '../fixtures/tiers';
import { Columns, columns } from './columns';
import { State } from './state';
import { Tier } from './tier';

const IDLE: Point = [0, 0];
const NORMAL: Point = [2, 100];
const SATURATED: Point = [12, 390];
const FROZEN: Point = [40, 0];
const LIMITS = { nStar: 8, tpMax: 400 };

/** The shares of idle, normal, saturated and frozen; of the others there are none here. */
function at(result: Columns, column: number): number[] {
  expect(result.share.slice(4).map((of) => of[column])).toEqual([0, 0, 0]);
  return result.share.slice(0, 4).map((of) => of[column]);
}

describe('columns', () => {
  it('gives each window its column when the two are as wide', () => {
    const tier = tierOf([IDLE, NORMAL, SATURATED, FROZEN], LIMITS);
    const result = columns(tier, T0, T0 + 4 * WIDTH, 4, WIDTH);
    expect([0, 1, 2, 3].map((c) => at(result, c))).toEqual([
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
      [0, 0, 0, 1],
    ]);
    expect([...result.queueMean]).toEqual([0, 2, 12, 40]);
    expect(result.gcMean).toBeNull();
  });

  it('shares a wide column between the states, and keeps the greatest queue', () => {
    const gc = Float64Array.of(0.5, NaN, 0, 1);
    const tier = tierOf([NORMAL, SATURATED, SATURATED, FROZEN], { ...LIMITS, gc });
    const result = columns(tier, T0, T0 + 4 * WIDTH, 1, WIDTH);
    expect(at(result, 0)).toEqual([0, 0.25, 0.5, 0.25]);
    expect(result.queueMean[0]).toBe((2 + 12 + 12 + 40) / 4);
    expect(result.queueMax[0]).toBe(40);
    expect(result.gcMean![0]).toBeCloseTo((0.5 + 0 + 1) / 3, 12);
  });

  it('counts a window in two columns by how much of it lies in each', () => {
    // Columns of 75 ms over windows of 50 ms: the second window lies half in each.
    const tier = tierOf([NORMAL, SATURATED, NORMAL], LIMITS);
    const result = columns(tier, T0, T0 + 150, 2, WIDTH);
    for (const c of [0, 1]) {
      expect(at(result, c)[State.Normal]).toBeCloseTo(2 / 3, 12);
      expect(at(result, c)[State.Saturated]).toBeCloseTo(1 / 3, 12);
      expect(result.queueMean[c]).toBeCloseTo((2 * 50 + 12 * 25) / 75, 12);
    }
  });

  it('fills all the columns that a window covers', () => {
    const tier = tierOf([NORMAL, FROZEN], LIMITS);
    const result = columns(tier, T0, T0 + 100, 10, WIDTH);
    expect([...result.share[State.Frozen]]).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
  });

  it('leaves columns without windows empty', () => {
    const tier = tierOf([NORMAL, null, FROZEN], LIMITS);
    const result = columns(tier, T0, T0 + 150, 3, WIDTH);
    expect(at(result, 1)).toEqual([0, 0, 0, 0]);
    expect(result.queueMean[1]).toBeNaN();
    expect(result.queueMax[1]).toBeNaN();
  });

  it('counts windows at the ends as far as they reach in, and none that only touch', () => {
    const tier = tierOf([FROZEN, NORMAL, SATURATED, FROZEN], LIMITS);
    const result = columns(tier, windowEnd(0), windowEnd(1) + 10, 1, WIDTH);
    expect(at(result, 0)[State.Frozen]).toBe(0);
    expect(at(result, 0)[State.Saturated]).toBeCloseTo(1 / 6, 12);
  });

  it('does not let rounding spill a window into a neighbouring column', () => {
    const { integer } = random(23);
    for (let round = 0; round < 300; round++) {
      // One window in an empty lane: any spill would show as a whole column of it.
      const windows = integer(1, 999);
      const perWindow = integer(1, 9);
      const tier = tierOf([...new Array<Point>(integer(0, windows - 1)).fill(null), FROZEN], LIMITS);
      const result = columns(tier, T0, T0 + windows * WIDTH, windows * perWindow, WIDTH);
      expect(result.share[State.Frozen].filter((share) => share > 0)).toHaveLength(perWindow);
    }
  });
});

describe('columns, at any zoom', () => {
  const { integer, next, pick, shuffle } = random(17);
  const cases = Array.from({ length: 60 }, (_, seed) => {
    const tier = randomTier({ integer, next, pick, shuffle });
    const from = T0 + integer(-2000, 8000) + (seed % 2) * next();
    // From a thousandth of a window per column to the hundredfold of all windows in one.
    return { tier, from, to: from + 10 ** (1 + 5 * next()), count: integer(1, 300) };
  });

  it('agree with a plain calculation', () => {
    for (const { tier, from, to, count } of cases) {
      const result = columns(tier, from, to, count, WIDTH);
      for (let c = 0; c < count; c++) {
        const expected = plain(tier, from, to, count, c);
        if (expected.covered > 1e-3) {
          at(result, c).forEach((share, state) => expect(share).toBeCloseTo(expected.share[state], 5));
          expect(result.queueMean[c]).toBeCloseTo(expected.queueMean, 4);
          expect(result.gcMean![c]).toEqual(Number.isNaN(expected.gcMean) ? NaN : expect.closeTo(expected.gcMean, 5));
        }
      }
    }
  });

  it('add up to 1, or are empty', () => {
    for (const { tier, from, to, count } of cases) {
      const result = columns(tier, from, to, count, WIDTH);
      for (let c = 0; c < count; c++) {
        const sum = at(result, c).reduce((total, share) => total + share);
        expect(sum === 0 || Math.abs(sum - 1) < 1e-12).toBe(true);
        expect(Number.isNaN(result.queueMean[c])).toBe(sum === 0);
        expect(Number.isNaN(result.queueMax[c])).toBe(sum === 0);
      }
    }
  });

  it('show every frozen window', () => {
    let seen = 0;
    for (const { tier, from, to, count } of cases) {
      const result = columns(tier, from, to, count, WIDTH);
      tier.time.forEach((end, i) => {
        if (tier.state[i] === State.Frozen && end - WIDTH >= from && end <= to) {
          const column = Math.floor(((end - WIDTH / 2 - from) / (to - from)) * count);
          expect(result.share[State.Frozen][column]).toBeGreaterThan(0);
          expect(result.queueMax[column]).toBeGreaterThanOrEqual(tier.queue[i]);
          seen++;
        }
      });
    }
    expect(seen).toBeGreaterThan(100);
  });

  it('show one frozen window in a day', () => {
    const tier = tierOf([FROZEN], LIMITS);
    const result = columns(tier, T0, T0 + 86_400_000, 100, WIDTH);
    expect(at(result, 0)).toEqual([0, 0, 0, 1]);
    const busy = { ...tier, time: Float64Array.of(windowEnd(0), windowEnd(1)), queue: Float64Array.of(40, 1) };
    expect(at(columns({ ...busy, state: Uint8Array.of(3, 1) }, T0, T0 + 86_400_000, 1, WIDTH), 0)).toEqual([
      0, 0.5, 0, 0.5,
    ]);
  });
});

function randomTier({ integer, next, pick }: Random): Tier {
  const points = Array.from({ length: integer(1, 200) }, () => pick([IDLE, NORMAL, SATURATED, FROZEN, null]));
  const windows = points.filter((point) => point !== null).length;
  return tierOf(points, { ...LIMITS, gc: Float64Array.from({ length: windows }, () => (next() < 0.2 ? NaN : next())) });
}

/** One column, from every window and in ms since `from`. */
function plain(tier: Tier, from: number, to: number, count: number, column: number) {
  const start = ((to - from) * column) / count;
  const end = ((to - from) * (column + 1)) / count;
  const parts = Array.from(tier.time, (time) =>
    Math.max(0, Math.min(time - from, end) - Math.max(time - from - WIDTH, start))
  );
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const covered = sum(parts);
  const collected = parts.map((part, i) => (Number.isNaN(tier.gc![i]) ? 0 : part));
  return {
    covered: covered / (end - start),
    share: [0, 1, 2, 3].map((state) => sum(parts.filter((_, i) => tier.state[i] === state)) / covered),
    queueMean: sum(parts.map((part, i) => part * tier.queue[i])) / covered,
    gcMean: sum(collected.map((part, i) => (part > 0 ? part * tier.gc![i] : 0))) / sum(collected),
  };
}
