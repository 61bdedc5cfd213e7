// SPDX-License-Identifier: Apache-2.0
import { windowEnd } from '../fixtures/clock';
import { tierOf } from '../fixtures/tiers';
import { windowAt } from './moment';

const tier = tierOf([[1, 1], [1, 1], null, [1, 1]]);
const sampling = { tiers: [tier], step: 50 };

describe('windowAt', () => {
  it('is the window that the time is in, its end included', () => {
    expect(windowAt(tier, windowEnd(1) - 25, sampling)).toBe(1);
    expect(windowAt(tier, windowEnd(1), sampling)).toBe(1);
    expect(windowAt(tier, windowEnd(0) + 1, sampling)).toBe(1);
  });

  it('is none before, after and between the windows', () => {
    expect(windowAt(tier, windowEnd(0) - 50, sampling)).toBe(-1);
    expect(windowAt(tier, windowEnd(1) + 20, sampling)).toBe(-1);
    expect(windowAt(tier, windowEnd(3) + 1, sampling)).toBe(-1);
    expect(windowAt(tierOf([]), windowEnd(0), sampling)).toBe(-1);
  });

  it('is the sample that stands for the time where not every window was sent', () => {
    expect(windowAt(tier, windowEnd(1) + 20, { ...sampling, step: 100 })).toBe(2);
  });
});
