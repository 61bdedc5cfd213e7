// SPDX-License-Identifier: Apache-2.0
import { T0 } from '../fixtures/clock';
import { tierOf } from '../fixtures/tiers';
import { Kind } from './kind';
import { Series } from './series';
import { stepOf, windowWidth } from './step';

function of(kind: Kind, interval: number, value: number[] = []): Series {
  return { kind, labels: {}, time: value.map((_, i) => T0 + i), value, interval };
}

function every(...gaps: number[]) {
  let time = T0;
  return tierOf([], { time: Float64Array.from(gaps, (gap) => (time += gap)) });
}

describe('windowWidth', () => {
  it.each([
    ['50 ms when nobody tells', [], 50],
    ['50 ms when the answer is empty', [of('window_width', 15_000)], 50],
    ['in whole ms', [of('window_width', NaN, [0.1])], 100],
    ['the greatest of all exporters', [of('window_width', NaN, [0.02]), of('window_width', NaN, [0.2])], 200],
  ])('%s', (_, series, width) => {
    expect(windowWidth(series)).toBe(width);
  });
});

describe('stepOf', () => {
  it.each([
    ['the step of the query for queue lengths', 200, [every(200, 200)], 200],
    ['the smallest distance, when the step is unknown', NaN, [every(50, 150, 100), every(200, 75)], 75],
    ['the smallest distance, when windows do not end on the step', 20, [every(100, 100)], 100],
    ['the smallest distance, when windows are closer than the step', 500, [every(50, 50, 100)], 50],
    ['the width, when nothing tells', NaN, [every(50)], 50],
  ])('%s', (_, interval, tiers, step) => {
    expect(stepOf([of('saturation_point', 15_000), of('queue', interval)], tiers, 50)).toBe(step);
  });
});
