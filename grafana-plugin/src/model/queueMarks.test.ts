// SPDX-License-Identifier: Apache-2.0
import { random } from '../fixtures/random';
import { queueMarks } from './queueMarks';

describe('queueMarks', () => {
  it('are 1, 2 and 5 times powers of ten, and 0', () => {
    expect(queueMarks(100, 600, 25)).toEqual([0, 1, 2, 5, 10, 20, 50, 100]);
  });

  it('become fewer on a short axis', () => {
    expect(queueMarks(100, 200, 25)).toEqual([0, 1, 5, 10, 50, 100]);
    expect(queueMarks(1000, 120, 25)).toEqual([0, 10, 100, 1000]);
  });

  it('go below 1 where the queue hardly ever is longer', () => {
    expect(queueMarks(0.5, 300, 25)).toEqual([0, 0.1, 0.2, 0.5]);
  });

  it('begin at 0, stay on the axis and keep their distance, whatever the axis', () => {
    const { next } = random(11);
    for (let i = 0; i < 500; i++) {
      const max = 10 ** (next() * 7 - 2);
      const length = 60 + next() * 1500;
      const marks = queueMarks(max, length, 25);
      expect(marks[0]).toBe(0);
      expect(marks.length).toBeGreaterThanOrEqual(2);
      marks.forEach((mark, at) => {
        expect(mark).toBeLessThanOrEqual(max);
        if (at > 0) {
          const pixels = ((Math.asinh(mark) - Math.asinh(marks[at - 1])) / Math.asinh(max)) * length;
          expect(pixels).toBeGreaterThanOrEqual(24.999);
        }
      });
    }
  });
});
