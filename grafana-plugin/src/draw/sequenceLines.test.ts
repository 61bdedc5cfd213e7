// SPDX-License-Identifier: Apache-2.0
import { FakePath, recorder } from '../fixtures/context';
import { COLOURS, sequenceOf } from '../fixtures/sequence';
import { tierOf } from '../fixtures/tiers';
import { Frame } from './points';
import { drawCurves, drawLimits } from './sequenceLines';

const FRAME: Frame = { width: 400, height: 200, extent: { queue: 80, throughput: 1000 }, log: false };

beforeAll(() => {
  global.Path2D = FakePath as unknown as typeof Path2D;
});

describe('drawCurves', () => {
  it('goes through the bins, in the colour of the tier on a margin of the background', () => {
    const curve = [
      { queue: 0, throughput: 0, windows: 50 },
      { queue: 40, throughput: 500, windows: 50 },
      { queue: 60, throughput: 900, windows: 3 },
    ];
    const { context, of } = recorder();
    drawCurves(context, sequenceOf([tierOf([], { curve })]).tiers, FRAME, '#181b1f', 1);
    const strokes = of('stroke');
    expect(strokes.map(({ style }) => style.strokeStyle)).toEqual(['#181b1f', COLOURS[0]]);
    expect(strokes[0].style.lineWidth).toBeGreaterThan(strokes[1].style.lineWidth as number);
    expect((strokes[1].args[0] as FakePath).points).toEqual([
      [0, 200],
      [200, 100],
    ]);
  });
});

describe('drawLimits', () => {
  const draw = (limits: Array<{ nStar: number | null; tpMax: number | null }>) => {
    const { context, of } = recorder();
    drawLimits(context, sequenceOf(limits.map((set) => tierOf([], set))).tiers, FRAME, '#181b1f', 1);
    return of('stroke').filter(({ style }) => style.strokeStyle !== '#181b1f');
  };

  it('draws N* from bottom to top and TPmax from left to right', () => {
    const [{ args }] = draw([{ nStar: 8, tpMax: 500 }]);
    expect((args[0] as FakePath).points).toEqual([
      [40.5, 200],
      [40.5, 0],
      [0, 100.5],
      [400, 100.5],
    ]);
  });

  it('draws only what is known', () => {
    const [{ args }] = draw([{ nStar: null, tpMax: 500 }]);
    expect((args[0] as FakePath).points).toHaveLength(2);
    expect((draw([{ nStar: null, tpMax: null }])[0].args[0] as FakePath).points).toHaveLength(0);
  });

  it('lets the dashes of lines that coincide fill the gaps of each other', () => {
    const limits = { nStar: 8, tpMax: 500 };
    const [first, second] = draw([limits, limits]).map(({ style }) => style.lineDashOffset as number);
    expect(Math.abs(first - second)).toBe(5);
  });
});
