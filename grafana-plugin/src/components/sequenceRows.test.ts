// SPDX-License-Identifier: Apache-2.0
import { tierOf } from '../fixtures/tiers';
import { State } from '../model/state';
import { sequenceRows } from './sequenceRows';

const COLOURS = { tier: '#4aa3ff', frozen: '#ff4d63' };
const LIMITS = { nStar: 8, tpMax: 500, tier: 'tomcat' };

const asText = (rows: ReturnType<typeof sequenceRows>) => rows.map(({ label, value }) => `${label}: ${value}`);

describe('sequenceRows', () => {
  it('tell tier, state, queue length and throughput', () => {
    expect(asText(sequenceRows(tierOf([[7.25, 480]], LIMITS), 0, COLOURS))).toEqual([
      'Tier: tomcat',
      'State: normal',
      'Own queue length: 7.25',
      'Throughput: 480/s',
    ]);
  });

  it('tell both queues where both are known, the drawn one first', () => {
    const own = tierOf([[7.25, 480]], { ...LIMITS, otherQueue: Float64Array.of(47.5) });
    expect(asText(sequenceRows(own, 0, COLOURS)).slice(2, 4)).toEqual(['Own queue length: 7.25', 'Queue length: 47.5']);
    const total = tierOf([[47.5, 480]], { queueKind: 'total', otherQueue: Float64Array.of(NaN) });
    expect(asText(sequenceRows(total, 0, COLOURS)).slice(2, 4)).toEqual(['Queue length: 47.5', 'Throughput: 480/s']);
  });

  it('say so where a window is not judged yet', () => {
    const tier = tierOf([[7.25, 480]], { state: Uint8Array.of(State.Unjudged) });
    expect(asText(sequenceRows(tier, 0, COLOURS))[1]).toBe('State: not judged yet');
  });

  it('tell residence time in milliseconds and garbage collection where they are known', () => {
    const tier = tierOf([[12, 480]], { ...LIMITS, residence: Float64Array.of(0.0245), gc: Float64Array.of(0.35) });
    expect(asText(sequenceRows(tier, 0, COLOURS)).slice(4)).toEqual([
      'Residence time: 24.5 ms',
      'Garbage collection: 35\u00a0%',
    ]);
  });

  it('show a dash for the residence time of a window without completions, and no unknown share', () => {
    const tier = tierOf([[30, 0]], { ...LIMITS, residence: Float64Array.of(NaN), gc: Float64Array.of(NaN) });
    expect(asText(sequenceRows(tier, 0, COLOURS)).slice(4)).toEqual(['Residence time: –']);
  });

  it('mark a frozen window in the colour of frozen, and no other', () => {
    const tier = tierOf(
      [
        [30, 0],
        [30, 480],
      ],
      LIMITS
    );
    expect(sequenceRows(tier, 0, COLOURS).map(({ colour }) => colour)).toEqual([
      COLOURS.tier,
      COLOURS.frozen,
      undefined,
      undefined,
    ]);
    expect(sequenceRows(tier, 1, COLOURS)[1]).toEqual({ label: 'State', value: 'saturated' });
  });
});
