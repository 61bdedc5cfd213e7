// SPDX-License-Identifier: Apache-2.0
import { T0 } from '../fixtures/clock';
import { tierOf } from '../fixtures/tiers';
import { Kind } from './kind';
import { Series } from './series';
import { stepOf, windowWidths } from './step';

function of(kind: Kind, interval: number, value: number[] = [], instance?: string): Series {
  return { kind, labels: instance ? { instance } : {}, time: value.map((_, i) => T0 + i), value, interval };
}

function ends(...gaps: number[]) {
  let time = T0;
  return Float64Array.from(gaps, (gap) => (time += gap));
}

const every = (...gaps: number[]) => tierOf([], { time: ends(...gaps) });

describe('windowWidths', () => {
  const reported = [of('window_width', NaN, [0.02], 'a'), of('window_width', NaN, [1, 0.1], 'b')];

  it('are what each exporter reports, the last of it', () => {
    const width = windowWidths(reported);
    expect([width('a', ends()), width('b', ends())]).toEqual([20, 100]);
  });

  it('are what is reported for all', () => {
    expect(windowWidths([of('window_width', NaN, [0.2])])('a', ends(200, 200))).toBe(200);
  });

  it('are never more than the distance of two windows', () => {
    expect(windowWidths([of('window_width', NaN, [1])])('a', ends(50, 50, 50))).toBe(50);
  });

  it.each([
    ['usual', 'nothing tells', NaN, ends(), 50],
    ['usual', 'the windows are as far apart as the step', 500, ends(500, 500), 50],
    ['the distance', 'the windows are farther apart than the step', 50, ends(100, 100), 100],
    ['the distance', 'the step is unknown', NaN, ends(200, 200), 200],
    ['the distance', 'the windows are closer than usual', 10, ends(10, 10), 10],
  ])('are %s where no exporter reports and %s', (_, __, step, time, width) => {
    expect(windowWidths([of('queue', step), of('window_width', NaN)])('a', time)).toBe(width);
  });
});

describe('stepOf', () => {
  it.each([
    ['the step of the query for queue lengths', 200, [every(200, 200)], 200],
    ['the smallest distance, when the step is unknown', NaN, [every(50, 150, 100), every(200, 75)], 75],
    ['the smallest distance, when windows do not end on the step', 20, [every(100, 100)], 100],
    ['the smallest distance, when windows are closer than the step', 500, [every(50, 50, 100)], 50],
    ['the width, when nothing tells', NaN, [every(50)], 50],
    ['that of the narrowest windows', 50, [every(50, 50), { ...every(1000, 1000), width: 1000 }], 50],
  ])('is %s', (_, interval, tiers, step) => {
    expect(stepOf([of('saturation_point', 15_000), of('queue', interval)], tiers)).toBe(step);
  });
});
