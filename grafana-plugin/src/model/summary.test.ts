// SPDX-License-Identifier: Apache-2.0
import { tierOf } from '../fixtures/tiers';
import { summary } from './summary';

test('shares and means over the windows', () => {
  const tier = tierOf([[0, 0], [2, 100], null, [12, 300], [50, 0], [20, 10], [0, 0], [6, 150], [30, 400]], {
    nStar: 8,
    tpMax: 400,
  });
  expect(summary(tier)).toEqual({
    windows: 8,
    share: [2 / 8, 2 / 8, 2 / 8, 2 / 8],
    queueMean: 120 / 8,
    throughputMean: 960 / 8,
  });
});

test('nothing can be said without windows', () => {
  expect(summary(tierOf([]))).toEqual({ windows: 0, share: [0, 0, 0, 0], queueMean: NaN, throughputMean: NaN });
});
