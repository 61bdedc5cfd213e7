// SPDX-License-Identifier: Apache-2.0
import { T0 } from '../fixtures/clock';
import { Point, tierOf } from '../fixtures/tiers';
import { State } from './state';
import { stateShares } from './stateShares';

const STATE_OF_WINDOWS = [
  State.Idle,
  State.Normal,
  State.Saturated,
  State.Frozen,
  State.Waiting,
  State.Waiting,
  State.Unknown,
  State.Frozen,
  State.Unjudged,
  State.Unjudged,
];
const POINTS = STATE_OF_WINDOWS.map((): Point => [1, 20]);
const WINDOWS = { state: Uint8Array.from(STATE_OF_WINDOWS) };

/** Two spans of time: half frozen, and all normal. */
const RECORDED = {
  time: Float64Array.of(T0 + 10_000, T0 + 20_000),
  // prettier-ignore
  share: [[0, NaN], [0.25, 1], [0.25, NaN], [0.5, NaN], [0, 0], [NaN, NaN]].map((pair) => Float64Array.from(pair)),
};

describe('stateShares', () => {
  it('counts the windows that were judged', () => {
    expect(stateShares(tierOf(POINTS, WINDOWS), 50)).toEqual([1 / 8, 1 / 8, 1 / 8, 2 / 8, 2 / 8, 1 / 8]);
  });

  it('knows nothing where nothing was judged', () => {
    const nothing = Array(6).fill(NaN);
    expect(stateShares(tierOf([]), 50)).toEqual(nothing);
    expect(stateShares(tierOf([[1, 20]], { state: Uint8Array.of(State.Unjudged) }), 50)).toEqual(nothing);
  });

  it('takes the recorded shares where windows were left out, or where there are none', () => {
    const recorded = [0, 0.625, 0.125, 0.25, 0, 0];
    expect(stateShares(tierOf(POINTS, { ...WINDOWS, shares: RECORDED }), 500)).toEqual(recorded);
    expect(stateShares(tierOf([], { shares: RECORDED }), 500)).toEqual(recorded);
  });

  it('counts where all windows were sent, or nothing was recorded', () => {
    const counted = [1 / 8, 1 / 8, 1 / 8, 2 / 8, 2 / 8, 1 / 8];
    expect(stateShares(tierOf(POINTS, { ...WINDOWS, shares: RECORDED }), 50)).toEqual(counted);
    const none = { time: new Float64Array(), share: RECORDED.share.map(() => new Float64Array()) };
    expect(stateShares(tierOf(POINTS, { ...WINDOWS, shares: none }), 500)).toEqual(counted);
  });
});
