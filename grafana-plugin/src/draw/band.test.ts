// SPDX-License-Identifier: Apache-2.0
import { GRAVEST_FIRST, State, STATE_WORDS } from '../model/state';
import { BandColours, frozenRuns, paintBand, stackColumn, StateColumns, wholeColumn } from './band';
import { Raster } from './raster';

const strip = { top: 10, height: 40 };

function column(idle: number, normal: number, saturated: number, frozen: number): StateColumns {
  return [[idle], [normal], [saturated], [frozen], [0], [0], [0]];
}

describe('stackColumn', () => {
  it('is empty without windows', () => {
    expect(stackColumn(column(0, 0, 0, 0), 0, strip, 4)).toEqual([]);
    expect(stackColumn(column(NaN, NaN, NaN, NaN), 0, strip, 4)).toEqual([]);
  });

  it('fills the height with a single state', () => {
    for (const state of GRAVEST_FIRST) {
      const shares = STATE_WORDS.map((_, other) => [other === state ? 1 : 0]);
      expect(stackColumn(shares, 0, strip, 4)).toEqual([{ state, top: 10, bottom: 50 }]);
    }
  });

  it('stacks frozen, saturated, normal and idle from the bottom, each by its share', () => {
    expect(stackColumn(column(0.25, 0.25, 0.25, 0.25), 0, strip, 4)).toEqual([
      { state: State.Frozen, top: 40, bottom: 50 },
      { state: State.Saturated, top: 30, bottom: 40 },
      { state: State.Normal, top: 20, bottom: 30 },
      { state: State.Idle, top: 10, bottom: 20 },
    ]);
  });

  it('stacks waiting and unknown above what is graver, and what is not judged on top', () => {
    const shares = [0, 0.2, 0.2, 0, 0.2, 0.2, 0.2].map((share) => [share]);
    expect(stackColumn(shares, 0, strip, 4).map(({ state }) => state)).toEqual([
      State.Saturated,
      State.Waiting,
      State.Unknown,
      State.Normal,
      State.Unjudged,
    ]);
  });

  it('keeps a brief freeze visible and the rest in proportion', () => {
    const pieces = stackColumn(column(0, 0.4995, 0.4995, 0.001), 0, strip, 4);
    expect(pieces).toEqual([
      { state: State.Frozen, top: 46, bottom: 50 },
      { state: State.Saturated, top: 28, bottom: 46 },
      { state: State.Normal, top: 10, bottom: 28 },
    ]);
  });

  it('never exceeds the strip, whatever the shares', () => {
    for (let i = 0; i <= 20; i++) {
      const frozen = i / 20;
      const pieces = stackColumn(column((1 - frozen) / 3, (1 - frozen) / 3, (1 - frozen) / 3, frozen), 0, strip, 4);
      expect(pieces[0].bottom).toBe(50);
      expect(pieces[pieces.length - 1].top).toBe(10);
      const heights = pieces.map(({ top, bottom }) => bottom - top);
      expect(Math.min(...heights)).toBeGreaterThan(0);
      expect(heights.reduce((a, b) => a + b)).toBe(40);
    }
  });

  it('takes counts as well as shares', () => {
    expect(stackColumn(column(0, 3, 0, 1), 0, strip, 4)).toEqual([
      { state: State.Frozen, top: 40, bottom: 50 },
      { state: State.Normal, top: 10, bottom: 40 },
    ]);
  });
});

describe('wholeColumn', () => {
  it('takes the state that lasts longest', () => {
    expect(wholeColumn(column(0.1, 0.6, 0, 0.3), 0, strip)).toEqual([{ state: State.Normal, top: 10, bottom: 50 }]);
  });

  it('takes the gravest of equal ones', () => {
    expect(wholeColumn(column(0, 0.5, 0, 0.5), 0, strip)[0].state).toBe(State.Frozen);
  });

  it('is empty without windows', () => {
    expect(wholeColumn(column(0, 0, 0, 0), 0, strip)).toEqual([]);
    expect(wholeColumn(column(NaN, NaN, NaN, NaN), 0, strip)).toEqual([]);
  });
});

test('frozenRuns counts neighbours', () => {
  expect([...frozenRuns([0.1, 1, 0, 0.2, NaN, 1, 1, 1], 8)]).toEqual([2, 2, 0, 1, 0, 3, 3, 3]);
});

describe('paintBand', () => {
  const none = [0, 0, 0, 0, 0, 0];
  const columns: StateColumns = [
    none,
    [1, 0, 0, 0, 0, 0],
    [0, 0, 0, 1, 0, 0.5],
    [0, 1, 1, 0, 0, 0.5],
    none,
    [0, 0, 0, 0, 1, 0],
    none,
  ];
  const COLOURS: BandColours = {
    state: [1, 2, 3, 4, 5, 6, 7],
    stripes: { [State.Frozen]: { colour: 9, lean: 1 }, [State.Unknown]: { colour: 8, lean: -1 } },
  };
  const paint = (period: number, crisp: boolean) => {
    const raster = new Raster(6, 6);
    paintBand(raster, { top: 0, height: 6 }, columns, COLOURS, { least: 1, period, crisp });
    return (x: number) => Array.from({ length: 6 }, (_, y) => raster.pixels[y * 6 + x]);
  };

  it('fills columns with their states', () => {
    const at = paint(3, false);
    expect(at(0)).toEqual([2, 2, 2, 2, 2, 2]);
    expect(at(1)).toEqual([4, 4, 4, 4, 4, 4]);
    expect(at(3)).toEqual([3, 3, 3, 3, 3, 3]);
    expect(at(5)).toEqual([3, 3, 3, 4, 4, 4]);
  });

  it('hatches what is frozen for long enough', () => {
    const at = paint(2, false);
    expect(at(1)).toEqual([4, 9, 4, 9, 4, 9]);
    expect(at(2)).toEqual([9, 4, 9, 4, 9, 4]);
    expect(at(5)).toEqual([3, 3, 3, 4, 4, 4]);
  });

  it('hatches what is unknown the other way, however short it is', () => {
    expect(paint(3, false)(4)).toEqual([6, 8, 6, 6, 8, 6]);
  });

  it('has no mixed columns where windows are wide', () => {
    expect(paint(3, true)(5)).toEqual([4, 4, 4, 4, 4, 4]);
  });
});
