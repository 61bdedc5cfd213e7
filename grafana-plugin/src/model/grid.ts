// SPDX-License-Identifier: Apache-2.0

/** Side of a cell, pixels. */
const CELL = 16;

/**
 * Finds the point nearest to a place on the plot. Points are sorted into square cells once; a search looks at the cells
 * around the place only.
 */
export class Grid {
  private readonly columns: number;
  private readonly rows: number;
  /** Where the points of a cell begin in `members`; one more entry ends the last cell. */
  private readonly start: Uint32Array;
  private readonly members: Uint32Array;

  /**
   * @param x and
   * @param y places of the points, pixels; a point outside of width and height is never found
   */
  constructor(
    private readonly x: Int16Array,
    private readonly y: Int16Array,
    width: number,
    height: number
  ) {
    this.columns = Math.floor(width / CELL) + 1;
    this.rows = Math.floor(height / CELL) + 1;
    this.start = new Uint32Array(this.columns * this.rows + 1);
    const cell = new Int32Array(x.length);
    for (let i = 0; i < x.length; i++) {
      cell[i] = this.cellOf(x[i], y[i]);
      if (cell[i] >= 0) {
        this.start[cell[i] + 1]++;
      }
    }
    for (let c = 1; c < this.start.length; c++) {
      this.start[c] += this.start[c - 1];
    }
    this.members = new Uint32Array(this.start[this.start.length - 1]);
    const next = this.start.slice();
    for (let i = 0; i < x.length; i++) {
      if (cell[i] >= 0) {
        this.members[next[cell[i]]++] = i;
      }
    }
  }

  /**
   * The nearest point at most `reach` pixels away, -1 if there is none. If points are at the same distance, the one
   * with the highest rank wins, and of these the last one.
   *
   * @param rank of each point; without it all are equal
   */
  nearest(x: number, y: number, reach: number, rank?: (point: number) => number): number {
    let best = -1;
    let bestSquare = reach * reach;
    const left = Math.max(0, Math.floor((x - reach) / CELL));
    const right = Math.min(this.columns - 1, Math.floor((x + reach) / CELL));
    const top = Math.max(0, Math.floor((y - reach) / CELL));
    const bottom = Math.min(this.rows - 1, Math.floor((y + reach) / CELL));
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) {
        const c = row * this.columns + column;
        for (let m = this.start[c]; m < this.start[c + 1]; m++) {
          const point = this.members[m];
          const square = (this.x[point] - x) ** 2 + (this.y[point] - y) ** 2;
          if (square < bestSquare || (square === bestSquare && this.wins(point, best, rank))) {
            best = point;
            bestSquare = square;
          }
        }
      }
    }
    return best;
  }

  private wins(point: number, best: number, rank?: (point: number) => number): boolean {
    if (best < 0 || !rank || rank(point) === rank(best)) {
      return point > best;
    }
    return rank(point) > rank(best);
  }

  private cellOf(x: number, y: number): number {
    const column = Math.floor(x / CELL);
    const row = Math.floor(y / CELL);
    return column >= 0 && column < this.columns && row >= 0 && row < this.rows ? row * this.columns + column : -1;
  }
}
