// SPDX-License-Identifier: Apache-2.0
import { tierOf } from '../fixtures/tiers';
import { sequenceRows } from './sequenceRows';

const COLOURS = { tier: '#4aa3ff', frozen: '#ff4d63' };
const LIMITS = { nStar: 8, tpMax: 500, tier: 'tomcat' };

const asText = (rows: ReturnType<typeof sequenceRows>) => rows.map(({ label, value }) => `${label}: ${value}`);

describe('sequenceRows', () => {
  it('tell tier, state, queue length and throughput', () => {
    expect(asText(sequenceRows(tierOf([[7.25, 480]], LIMITS), 0, COLOURS))).toEqual([
      'Tier: tomcat',
      'State: normal',
      'Queue length: 7.25',
      'Throughput: 480/s',
    ]);
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
