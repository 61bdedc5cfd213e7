// SPDX-License-Identifier: Apache-2.0
import { random } from '../fixtures/random';
import { Grid } from './grid';

const WIDTH = 300;
const HEIGHT = 170;

/** The answer that the grid must give: found by looking at all points, one after another. */
function bruteForce(xs: Int16Array, ys: Int16Array, x: number, y: number, reach: number, rank = (_: number) => 0) {
  let best = -1;
  let bestSquare = reach * reach;
  xs.forEach((_, i) => {
    const square = (xs[i] - x) ** 2 + (ys[i] - y) ** 2;
    const nearer = square < bestSquare || (square === bestSquare && (best < 0 || rank(i) >= rank(best)));
    if (nearer) {
      best = i;
      bestSquare = square;
    }
  });
  return best;
}

function points(count: number, seed: number): [Int16Array, Int16Array] {
  const { integer } = random(seed);
  return [
    Int16Array.from({ length: count }, () => integer(0, WIDTH)),
    Int16Array.from({ length: count }, () => integer(0, HEIGHT)),
  ];
}

describe('Grid', () => {
  it('finds what looking at every point finds', () => {
    const { integer, next } = random(5);
    for (let round = 0; round < 60; round++) {
      const [xs, ys] = points(integer(0, 400), round);
      const grid = new Grid(xs, ys, WIDTH, HEIGHT);
      for (let i = 0; i < 50; i++) {
        const x = next() * (WIDTH + 40) - 20;
        const y = next() * (HEIGHT + 40) - 20;
        const reach = next() * 60;
        expect(grid.nearest(x, y, reach)).toBe(bruteForce(xs, ys, x, y, reach));
      }
    }
  });

  it('prefers the higher rank where points share a pixel', () => {
    const { integer } = random(6);
    for (let round = 0; round < 60; round++) {
      // a handful of places, so that most are shared
      const xs = Int16Array.from({ length: 80 }, () => integer(0, 3) * 20);
      const ys = Int16Array.from({ length: 80 }, () => integer(0, 3) * 20);
      const ranks = Array.from(xs, () => integer(0, 3));
      const rank = (point: number) => ranks[point];
      const grid = new Grid(xs, ys, WIDTH, HEIGHT);
      const x = integer(0, 60);
      const y = integer(0, 60);
      expect(grid.nearest(x, y, 30, rank)).toBe(bruteForce(xs, ys, x, y, 30, rank));
    }
  });

  it('finds points on the far edges', () => {
    const grid = new Grid(Int16Array.of(WIDTH), Int16Array.of(HEIGHT), WIDTH, HEIGHT);
    expect(grid.nearest(WIDTH - 3, HEIGHT - 4, 5)).toBe(0);
    expect(grid.nearest(WIDTH - 3, HEIGHT - 4, 4.9)).toBe(-1);
  });

  it('never finds a point that is not on the plot', () => {
    const grid = new Grid(Int16Array.of(-32768, 500), Int16Array.of(-32768, 10), WIDTH, HEIGHT);
    expect(grid.nearest(0, 0, 100_000)).toBe(-1);
  });

  it('finds nothing where there is nothing', () => {
    expect(new Grid(new Int16Array(0), new Int16Array(0), WIDTH, HEIGHT).nearest(10, 10, 1000)).toBe(-1);
  });
});
