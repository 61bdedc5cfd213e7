// SPDX-License-Identifier: Apache-2.0
import { markSpace } from './markSpace';

/** Generously, in the axes' font. */
const LETTER = 6.2;
/** Distances of marks, of which uPlot takes the least that has room. */
const INCREMENTS = [-5, -4, -3, -2, -1, 0, 1].flatMap((power) => [1, 2, 2.5, 5].map((factor) => factor * 10 ** power));

test.each([200, 500, 1000, 2500])('marks of short queues do not touch on %d pixels', (length) => {
  for (const max of [0.004, 0.02, 0.03, 0.12, 0.5, 1, 4, 12]) {
    const space = markSpace(max, length);
    const increment = INCREMENTS.find((one) => (one / max) * length >= space)!;
    const marks = Array.from({ length: Math.floor(max / increment) + 1 }, (_, i) => i * increment);
    const widest = Math.max(...marks.map((mark) => String(Number(mark.toPrecision(3))).length));
    expect((increment / max) * length).toBeGreaterThan(widest * LETTER);
  }
});

test('marks of usual queues are as close as ever', () => {
  expect(markSpace(50, 800)).toBe(markSpace(2000, 800));
});
