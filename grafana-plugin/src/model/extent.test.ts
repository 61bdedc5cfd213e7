// SPDX-License-Identifier: Apache-2.0
import { random } from '../fixtures/random';
import { tierOf } from '../fixtures/tiers';
import { extent, roundUp } from './extent';

describe('extent', () => {
  it('shows every window, however far out', () => {
    const tier = tierOf([
      [3, 200],
      [4, 210],
      [750, 3],
    ]);
    const { queue, throughput } = extent([tier]);
    expect(queue).toBe(800);
    expect(throughput).toBe(250);
  });

  it('reaches to the lines and the curve where they go beyond the windows', () => {
    const curve = [{ queue: 40, throughput: 900, windows: 12 }];
    expect(extent([tierOf([[1, 10]], { nStar: 7, tpMax: 500 })])).toEqual({ queue: 8, throughput: 600 });
    expect(extent([tierOf([[1, 10]], { curve })])).toEqual({ queue: 50, throughput: 1000 });
  });

  it('holds still while the farthest point moves a little', () => {
    const at = (queue: number) => extent([tierOf([[queue, 100]])]);
    expect(at(61)).toEqual(at(77));
  });

  it('has a size without windows and with idle ones', () => {
    expect(extent([])).toEqual({ queue: 1, throughput: 1 });
    expect(extent([tierOf([[0, 0]])])).toEqual({ queue: 1, throughput: 1 });
  });

  it('takes no notice of what is not a number', () => {
    expect(extent([tierOf([[NaN, NaN]], { nStar: NaN, tpMax: NaN })])).toEqual({ queue: 1, throughput: 1 });
  });
});

describe('roundUp', () => {
  it('gives a round number that is not less, and less than half more', () => {
    const { next } = random(7);
    for (let i = 0; i < 1000; i++) {
      const value = 10 ** (next() * 10 - 4);
      const rounded = roundUp(value);
      expect(rounded).toBeGreaterThanOrEqual(value);
      expect(rounded).toBeLessThan(value * 1.5);
    }
  });
});
