// SPDX-License-Identifier: Apache-2.0
import { tierOf } from '../fixtures/tiers';
import { describeSequence } from './describeSequence';

describe('describeSequence', () => {
  it('says what is known of each tier', () => {
    const app = tierOf(
      [
        [1, 100],
        [20, 490],
        [30, 0],
        [4, 300],
      ],
      { tier: 'app', nStar: 7.36, nStarInterval: [6.9, 8], tpMax: 509.2 }
    );
    const web = tierOf([[1, 100]], { tier: 'web', nStarStatus: 'never_near_limit' });
    expect(describeSequence({ tiers: [web, app], step: 50 })).toBe(
      'Main sequence: throughput against queue length. ' +
        'web: 1 window, N* not known: never near its limit, TPmax not known, frozen 0\u00a0%. ' +
        'app: 4 windows, N* 7.36 (6.9–8), TPmax 509/s, frozen 25\u00a0%.'
    );
  });

  it('says so where a tier has no windows', () => {
    expect(describeSequence({ tiers: [tierOf([], { tier: 'db' })], step: 50 })).toContain('db: no windows.');
  });
});
