// SPDX-License-Identifier: Apache-2.0
import { T0 } from '../fixtures/clock';
import { Point, tierOf } from '../fixtures/tiers';
import { State } from '../model/state';
import { StateShares } from '../model/tier';
import { hoverRows, toldTime } from './hoverRows';

const POINTS: Point[] = [[2, 200], [40, 0], null, [12, 390], [0, 0]];
const TIER = tierOf(POINTS, { name: 'app', nStar: 8, tpMax: 400, gc: Float64Array.of(0, 1, 0.25, NaN) });
const ALL = { tiers: [TIER], step: 50 };

const rowAt = (ms: number, perPixel = 5, tier = TIER, step = 50) => {
  const [row] = hoverRows([tier], step, T0 + ms, perPixel);
  return { ...row, states: row.states.replaceAll('\u00a0', ' '), gc: row.gc.replace('\u00a0', ' ') };
};

describe('toldTime', () => {
  it('is the end of the window under the pointer, as Prometheus stamps it', () => {
    expect([T0 + 0.5, T0 + 12.3, T0 + 50].map((time) => toldTime(ALL, time, 5))).toEqual([T0 + 50, T0 + 50, T0 + 50]);
  });

  it('is the end of the narrower window, where exporters differ', () => {
    const wide = tierOf([[1, 20]], { width: 1000 });
    expect(toldTime({ tiers: [wide, TIER], step: 50 }, T0 + 12.3, 5)).toBe(T0 + 50);
  });

  it('is the pointer itself where a pixel shows several windows', () => {
    expect(toldTime(ALL, T0 + 12, 100)).toBe(T0 + 12);
  });
});

describe('hoverRows', () => {
  it('tells the window under the pointer', () => {
    expect(rowAt(75)).toEqual({
      key: TIER.key,
      name: 'app',
      state: State.Frozen,
      states: 'frozen',
      queueKind: 'own',
      queue: '40',
      throughput: '0/s',
      gc: '100 %',
    });
    expect(rowAt(25)).toMatchObject({ states: 'normal', queue: '2', throughput: '200/s', gc: '0 %' });
    expect(rowAt(175)).toMatchObject({ states: 'saturated', gc: '25 %' });
  });

  it('says nothing of garbage collection where it is unknown', () => {
    expect(rowAt(225)).toMatchObject({ states: 'idle', gc: '' });
    expect(rowAt(75, 5, { ...TIER, gc: null }).gc).toBe('');
  });

  it('says where a window is not judged yet', () => {
    const state = Uint8Array.from(TIER.time, () => State.Unjudged);
    expect(rowAt(75, 5, { ...TIER, state })).toMatchObject({ states: 'not judged yet', queue: '40' });
  });

  it('says where a window is missing', () => {
    expect(rowAt(125)).toMatchObject({ state: null, states: 'no window', queue: '', throughput: '', gc: '' });
    expect(rowAt(5000).state).toBeNull();
  });

  it('tells several windows in a pixel together, the gravest state first', () => {
    const row = rowAt(50, 100);
    expect(row.states).toBe('frozen 50 %, normal 50 %');
    expect(row.queue).toBe('21, peak 40');
    expect(row.throughput).toBe('100/s');
    expect(row.gc).toBe('50 %');
  });

  it('takes the recorded shares where windows were left out', () => {
    const shares: StateShares = {
      time: Float64Array.of(T0 + 10_000),
      share: [0, 0.7, 0.08, 0.02, 0.15, 0.05].map((share) => Float64Array.of(share)),
    };
    const row = rowAt(5000, 1000, { ...TIER, shares }, 500);
    expect(row.states).toBe('frozen 2 %, saturated 8 %, waiting 15 %, unknown 5 %, normal 70 %');
    expect(row.state).toBe(State.Normal);
    expect(row.queue).toBe('');
  });
});
