// SPDX-License-Identifier: Apache-2.0
import { random } from '../fixtures/random';
import { last, samplesOf } from './samples';
import { Series } from './series';

function series(time: Array<number | null>, value: Array<number | null>): Series {
  return { kind: 'queue', labels: {}, time, value, interval: 50 };
}

function pairs(...parts: Series[]): Array<[number, number]> {
  const { time, value } = samplesOf(parts);
  return Array.from(time, (t, i) => [t, value[i]]);
}

describe('samplesOf', () => {
  it('keeps what is in order', () => {
    expect(pairs(series([10, 20, 30], [1, 0, 3]))).toEqual([
      [10, 1],
      [20, 0],
      [30, 3],
    ]);
  });

  it('drops what has no time or no value; null is not 0', () => {
    expect(pairs(series([10, 20, null, 40, NaN, 60], [1, null, 3, NaN, 5, 6]))).toEqual([
      [10, 1],
      [60, 6],
    ]);
  });

  it('sorts', () => {
    expect(pairs(series([30, 10, 20], [3, 1, 2]))).toEqual([
      [10, 1],
      [20, 2],
      [30, 3],
    ]);
  });

  it('keeps the first of several values at one time', () => {
    expect(pairs(series([10, 10, 20], [1, 7, 2]), series([10, 20, 30], [8, 9, 3]))).toEqual([
      [10, 1],
      [20, 2],
      [30, 3],
    ]);
  });

  it('takes typed arrays, and the shorter of two lengths', () => {
    const typed = { ...series([], []), time: Float64Array.of(1, 2, 3), value: Float64Array.of(4, 5) };
    expect(pairs(typed)).toEqual([
      [1, 4],
      [2, 5],
    ]);
  });

  it('is empty without samples', () => {
    expect(pairs()).toEqual([]);
    expect(pairs(series([], []), series([null], [1]))).toEqual([]);
  });

  it('agrees with a plain sort of any mess', () => {
    const { integer, next } = random(41);
    for (let round = 0; round < 200; round++) {
      const parts = Array.from({ length: integer(1, 3) }, () => {
        const length = integer(0, 30);
        const time = Array.from({ length }, () => (next() < 0.05 ? null : integer(0, 40)));
        const value = Array.from({ length }, () => (next() < 0.1 ? null : next() < 0.1 ? NaN : integer(-3, 3)));
        return series(time, value);
      });
      const first = new Map<number, number>();
      parts.forEach((part) =>
        Array.from(part.time).forEach((time, i) => {
          const value = part.value[i];
          if (time !== null && value !== null && !Number.isNaN(value) && !first.has(time)) {
            first.set(time, value);
          }
        })
      );
      expect(pairs(...parts)).toEqual([...first].sort(([a], [b]) => a - b));
    }
  });
});

test('last is the latest value, not that which came last', () => {
  expect(last(samplesOf([series([30, 10, 20], [3, 1, 2])]))).toBe(3);
  expect(last(samplesOf([series([10, 20], [1, NaN])]))).toBe(1);
  expect(last(samplesOf([]))).toBeNull();
});
