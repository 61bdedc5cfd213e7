// SPDX-License-Identifier: Apache-2.0
import { INCREMENTS, labelWidth, tickPattern, tickSpace } from './timeAxis';

test.each([
  [1, 'HH:mm:ss.SSS'],
  [500, 'HH:mm:ss.SSS'],
  [1000, 'HH:mm:ss'],
  [30_000, 'HH:mm:ss'],
  [60_000, 'HH:mm'],
  [12 * 3_600_000, 'HH:mm'],
  [86_400_000, 'MM-DD'],
])('ticks %d ms apart are written as %s', (increment, pattern) => {
  expect(tickPattern(increment)).toBe(pattern);
});

test('labels never touch, from a tenth of a second to a week', () => {
  for (let range = 100; range < 7 * 86_400_000; range *= 1.3) {
    for (const width of [150, 400, 1000, 2500]) {
      const space = tickSpace(range, width);
      // whatever round increment is taken, it is this one or a greater one
      const pattern = tickPattern((range / width) * space);
      expect(labelWidth(pattern)).toBeLessThan(space);
    }
  }
});

test('a short label takes little room', () => {
  expect(tickSpace(3_600_000, 1000)).toBeLessThan(tickSpace(10_000, 1000));
  // ten seconds on a usual panel get a tick a second
  expect((tickSpace(10_000, 1000) / 1000) * 10_000).toBeLessThan(1000);
});

test('increments rise, and those of less than a day divide it', () => {
  const day = 86_400_000;
  INCREMENTS.forEach((increment, i) => {
    expect(increment).toBeGreaterThan(INCREMENTS[i - 1] ?? 0);
    expect(Math.max(day, increment) % Math.min(day, increment)).toBe(0);
  });
});
