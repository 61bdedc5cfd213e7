// SPDX-License-Identifier: Apache-2.0
import { T0 } from '../fixtures/clock';
import { random } from '../fixtures/random';
import { sharesToColumns } from './columns';
import { STATES } from './state';
import { StateShares } from './tier';

const STEP = 10_000;

/** Shares recorded at the end of the given steps; null if there are none. */
function recorded(...rows: Array<number[] | null>): StateShares {
  const there = rows.map((row, i) => ({ row, end: T0 + (i + 1) * STEP })).filter(({ row }) => row !== null);
  const column = (state: number) => Float64Array.from(there, ({ row }) => row![state] ?? 0);
  return { time: Float64Array.from(there, ({ end }) => end), share: STATES.map((_, state) => column(state)) };
}

/** The shares of idle, normal, saturated and frozen; of the others there are none here. */
function at(share: Float64Array[], column: number): number[] {
  expect(share.slice(4).map((of) => of[column])).toEqual([0, 0, 0]);
  return share.slice(0, 4).map((of) => of[column]);
}

describe('sharesToColumns', () => {
  it('gives each share the step before its time', () => {
    const shares = recorded([0.25, 0.25, 0.25, 0.25], [0, 0.5, 0.5, 0]);
    const result = sharesToColumns(shares, T0, T0 + 2 * STEP, 4);
    expect([0, 1, 2, 3].map((c) => at(result, c))).toEqual([
      [0.25, 0.25, 0.25, 0.25],
      [0.25, 0.25, 0.25, 0.25],
      [0, 0.5, 0.5, 0],
      [0, 0.5, 0.5, 0],
    ]);
  });

  it('takes the mean in a wide column', () => {
    const shares = recorded([1, 0, 0, 0], [0, 0, 0, 1], [0, 1, 0, 0], [0, 0, 0, 1]);
    expect(at(sharesToColumns(shares, T0, T0 + 4 * STEP, 1), 0)).toEqual([0.25, 0.25, 0, 0.5]);
  });

  it('takes absent states for 0', () => {
    expect(at(sharesToColumns(recorded([0.25, 0.75, NaN, NaN]), T0, T0 + STEP, 1), 0)).toEqual([0.25, 0.75, 0, 0]);
  });

  it('leaves a hole where nothing was recorded', () => {
    const result = sharesToColumns(recorded([0, 1, 0, 0], [0, 1, 0, 0], null, [0, 1, 0, 0]), T0, T0 + 4 * STEP, 4);
    expect([...result[1]]).toEqual([1, 1, 0, 1]);
  });

  it('lets a single share stand for 10 s', () => {
    expect([...sharesToColumns(recorded(null, [0, 0, 1, 0]), T0, T0 + 3 * STEP, 3)[2]]).toEqual([0, 1, 0]);
  });

  it('adds up to 1 and never loses a frozen share, at any zoom', () => {
    const { integer, next } = random(29);
    for (let round = 0; round < 50; round++) {
      const rows = Array.from({ length: integer(2, 40) }, (): [number, number, number, number] => {
        const frozen = next() < 0.3 ? next() / 50 : 0;
        return [0, 1 - frozen, 0, frozen];
      });
      const shares = recorded(...rows);
      const count = integer(1, 200);
      const result = sharesToColumns(shares, T0, T0 + rows.length * STEP, count);
      for (let c = 0; c < count; c++) {
        expect(at(result, c).reduce((sum, share) => sum + share)).toBeCloseTo(1, 12);
      }
      rows.forEach(([, , , frozen], i) => {
        const middle = Math.floor(((i + 0.5) / rows.length) * count);
        if (frozen > 0) {
          expect(result[3][middle]).toBeGreaterThan(0);
        }
      });
    }
  });
});
