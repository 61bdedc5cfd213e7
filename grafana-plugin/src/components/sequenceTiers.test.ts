// SPDX-License-Identifier: Apache-2.0
import { tierOf } from '../fixtures/tiers';
import { Tier } from '../model/tier';
import { sequenceTiers } from './sequenceTiers';

const tier = tierOf(
  [
    [30, 0],
    [1, 100],
  ],
  { tier: 'tomcat', nStar: 7.44, tpMax: 508.1 }
);

describe('sequenceTiers', () => {
  it('label the lines with their values, and whose they are', () => {
    const [{ nStarLabel, tpMaxLabel, frozenLabel }] = sequenceTiers([{ tier, colour: '#4aa3ff' }], 50, true);
    expect([nStarLabel, tpMaxLabel, frozenLabel]).toEqual([
      'tomcat N* 7.44',
      'tomcat TPmax 508/s',
      'tomcat frozen 50\u00a0%',
    ]);
  });

  it('say why there is no N*, beside the queue that it would be of', () => {
    const label = (set: Partial<Tier>) =>
      sequenceTiers([{ tier: { ...tier, nStar: null, ...set }, colour: '#4aa3ff' }], 50, true)[0].nStarLabel;
    expect(label({ nStarStatus: 'learning' })).toBe('tomcat no N*: learning');
    expect(label({ nStarStatus: 'never_near_limit' })).toBe('tomcat no N*: never near its limit');
    expect(label({ nStarStatus: 'always_at_limit' })).toBe('tomcat no N*: always at its limit');
    expect(label({ nStarStatus: null })).toBe('');
    expect(label({ nStarStatus: 'learning', queueKind: 'total' })).toBe('');
  });

  it('leave the name out where there is one tier', () => {
    expect(sequenceTiers([{ tier, colour: '#4aa3ff' }], 50, false)[0].nStarLabel).toBe('N* 7.44');
  });
});
