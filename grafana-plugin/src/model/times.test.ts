// SPDX-License-Identifier: Apache-2.0
import { random } from '../fixtures/random';
import { firstAfter, smallestGap } from './times';

test('firstAfter is the position of the first time after a limit', () => {
  const { integer } = random(7);
  for (let round = 0; round < 200; round++) {
    const times = Float64Array.from(new Set(Array.from({ length: integer(0, 12) }, () => integer(0, 20)))).sort();
    const limit = integer(-2, 22);
    const naive = times.findIndex((time) => time > limit);
    expect(firstAfter(times, limit)).toBe(naive < 0 ? times.length : naive);
  }
});

test('smallestGap is the least distance of neighbours', () => {
  expect(smallestGap(Float64Array.of(0, 100, 150, 400))).toBe(50);
});

test.each([[[]], [[5]]])('smallestGap of %j is 0: no neighbours', (times) => {
  expect(smallestGap(Float64Array.from(times))).toBe(0);
});
