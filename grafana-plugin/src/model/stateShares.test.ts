// SPDX-License-Identifier: Apache-2.0
import { T0 } from '../fixtures/clock';
import { Point, tierOf } from '../fixtures/tiers';
import { stateShares } from './stateShares';

const POINTS: Point[] = [[0, 0], [2, 100], null, [12, 300], [50, 0], [20, 10], [0, 0], [6, 150], [30, 400]];
const LIMITS = { nStar: 8, tpMax: 400 };

/** Two spans of time: half frozen, and all normal. */
const RECORDED = {
  time: Float64Array.of(T0 + 10_000, T0 + 20_000),
  share: [Float64Array.of(0, NaN), Float64Array.of(0.25, 1), Float64Array.of(0.25, NaN), Float64Array.of(0.5, NaN)] as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ],
};

describe('stateShares', () => {
  it('counts the windows', () => {
    expect(stateShares(tierOf(POINTS, LIMITS), 50)).toEqual([2 / 8, 2 / 8, 2 / 8, 2 / 8]);
  });

  it('knows nothing without windows', () => {
    expect(stateShares(tierOf([], LIMITS), 50)).toEqual([NaN, NaN, NaN, NaN]);
  });

  it('knows nothing of what lies beyond an N* that is not known', () => {
    expect(stateShares(tierOf(POINTS), 50)).toEqual([2 / 8, 6 / 8, NaN, NaN]);
  });

  it('takes the recorded shares where windows were left out, or where there are none', () => {
    const recorded = [0, 0.625, 0.125, 0.25];
    expect(stateShares(tierOf(POINTS, { ...LIMITS, shares: RECORDED }), 500)).toEqual(recorded);
    expect(stateShares(tierOf([], { ...LIMITS, shares: RECORDED }), 500)).toEqual(recorded);
  });

  it('counts where all windows were sent, or nothing was recorded', () => {
    const even = [2 / 8, 2 / 8, 2 / 8, 2 / 8];
    expect(stateShares(tierOf(POINTS, { ...LIMITS, shares: RECORDED }), 50)).toEqual(even);
    const none = { time: new Float64Array(), share: RECORDED.share.map(() => new Float64Array()) } as typeof RECORDED;
    expect(stateShares(tierOf(POINTS, { ...LIMITS, shares: none }), 500)).toEqual(even);
  });
});
