// SPDX-License-Identifier: Apache-2.0
import { INCREMENTS, labelWidth, tickLabels, tickPattern, tickSpace } from './timeAxis';

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

describe('tickLabels', () => {
  const HOUR = 3_600_000;
  const MIDNIGHT = Date.UTC(2026, 0, 5);
  /** Writes times of a zone this many hours ahead of UTC. */
  const ahead = (hours: number) => (ms: number, pattern: string) => {
    const [date, time] = new Date(ms + hours * HOUR).toISOString().slice(5, -1).split('T');
    return pattern === 'MM-DD' ? date : time.slice(0, pattern.length);
  };
  const labels = (first: number, increment: number, count: number, hours = 0) =>
    tickLabels(
      Array.from({ length: count }, (_, i) => first + i * increment),
      increment,
      ahead(hours)
    );

  it('has the date at each midnight of several days', () => {
    expect(labels(MIDNIGHT + 12 * HOUR, 12 * HOUR, 6)).toEqual(['12:00', '01-06', '12:00', '01-07', '12:00', '01-08']);
    expect(labels(MIDNIGHT, 12 * HOUR, 3)).toEqual(['01-05', '12:00', '01-06']);
  });

  it('has it where a night is crossed, however near', () => {
    expect(labels(MIDNIGHT - 2000, 1000, 4)).toEqual(['23:59:58', '23:59:59', '01-05', '00:00:01']);
  });

  it("goes by the dashboard's time zone", () => {
    expect(labels(MIDNIGHT + 9 * HOUR, 6 * HOUR, 3, 9)).toEqual(['18:00', '01-06', '06:00']);
  });

  it('has it at the first mark of a day whose midnight the clocks skipped', () => {
    const sprung = (ms: number, pattern: string) => ahead(ms < MIDNIGHT ? 0 : 1)(ms, pattern);
    expect(tickLabels([MIDNIGHT - 12 * HOUR, MIDNIGHT + HOUR], 12 * HOUR, sprung)).toEqual(['12:00', '01-05']);
  });

  it('has only times within a day, and only dates where marks are days apart', () => {
    expect(labels(MIDNIGHT + HOUR, HOUR, 3)).toEqual(['01:00', '02:00', '03:00']);
    expect(labels(MIDNIGHT, 24 * HOUR, 2)).toEqual(['01-05', '01-06']);
  });

  it('takes no more room than times do', () => {
    for (const increment of INCREMENTS) {
      expect(labelWidth('MM-DD')).toBeLessThanOrEqual(labelWidth(tickPattern(increment)));
    }
  });
});
