// SPDX-License-Identifier: Apache-2.0
import { spanBoxes } from './spans';

const boxes = (...spans: Array<[number, number]>) =>
  spanBoxes(
    spans.map(([from, to]) => ({ from, to })),
    1000,
    2000,
    100
  );

describe('spanBoxes', () => {
  it('places spans by time', () => {
    expect(boxes([1100, 1200], [1500, 1900])).toEqual([
      { left: 10, width: 10 },
      { left: 50, width: 40 },
    ]);
  });

  it('cuts at the range and leaves out what is beyond', () => {
    expect(boxes([0, 500], [900, 1100], [1950, 3000], [2500, 2600])).toEqual([
      { left: 0, width: 10 },
      { left: 95, width: 5 },
    ]);
  });

  it('widens brief ones about their middle, within the plot', () => {
    const [first, middle, last] = boxes([1000, 1001], [1500, 1510], [1999, 2000]);
    expect(first).toEqual({ left: 0, width: 3 });
    expect(middle.width).toBeCloseTo(3);
    expect(middle.left + middle.width / 2).toBeCloseTo(50.5);
    expect(last.left + last.width).toBeCloseTo(100);
    expect(last.width).toBeCloseTo(3);
  });

  it('joins those that touch, in any order', () => {
    expect(boxes([1200, 1300], [1100, 1210], [1150, 1160])).toEqual([{ left: 10, width: 20 }]);
  });
});
