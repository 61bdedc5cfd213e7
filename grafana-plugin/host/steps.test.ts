// SPDX-License-Identifier: Apache-2.0
import { align, panelInterval, queryStep, rateInterval } from './steps';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

describe('queryStep', () => {
  it.each([
    // span, points, shortest, step
    [2 * MINUTE, 11000, 50, 50, 'every window as long as they fit'],
    [9 * MINUTE, 11000, 50, 50, 'still'],
    [15 * MINUTE, 11000, 50, 100, 'then one in two'],
    [60 * MINUTE, 11000, 50, 200, 'rounded to a round step'],
    [6 * 60 * MINUTE, 1000, 15000, 20000, 'of the panel, not of Prometheus'],
    [5 * MINUTE, 1000, 15000, 15000, 'not below the shortest'],
    [5 * MINUTE, 1e6, 1, 20, 'not below what Prometheus takes, whatever the panel wants'],
  ])('%d ms in %d points, at least %d ms: %d ms, %s', (span, points, shortest, step) => {
    expect(queryStep(span, points, shortest)).toBe(step);
  });

  it('counts the upper end of a class in, as the server does', () => {
    expect(queryStep(75 * 1000, 1000, 50)).toBe(50);
    expect(queryStep(75.1 * 1000, 1000, 50)).toBe(100);
  });

  it('keeps below the limit of 11,000 points at any range only with 6,285 points or fewer', () => {
    const most = (points: number) => {
      let worst = 0;
      for (let span = 5 * MINUTE; span < 24 * 60 * MINUTE; span *= 1.001) {
        worst = Math.max(worst, span / queryStep(span, points, 50));
      }
      return worst;
    };
    expect(most(6285)).toBeLessThan(11000);
    expect(most(11000)).toBeGreaterThan(11000);
  });
});

describe('panelInterval', () => {
  it('is the range by the points, rounded, but no shorter than asked', () => {
    expect(panelInterval(60 * MINUTE, 1000, 1000)).toBe(5000);
    expect(panelInterval(MINUTE, 1000, 15000)).toBe(15000);
  });
});

describe('align', () => {
  it('goes down to a multiple of the step', () => {
    expect(align(1795240310123, 50)).toBe(1795240310100);
    expect(align(1795240310100, 50)).toBe(1795240310100);
  });

  it('counts steps of a day from local midnight', () => {
    const day = 24 * 60 * MINUTE;
    const hour = 60 * MINUTE;
    expect(align(10 * day + 23.5 * hour, day, hour)).toBe(11 * day - hour);
  });
});

describe('rateInterval', () => {
  it('holds at least four scrapes', () => {
    expect(rateInterval(1000, 15000)).toBe(60000);
    expect(rateInterval(120000, 15000)).toBe(135000);
  });
});
