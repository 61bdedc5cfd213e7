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
    const { queue, throughput } = extent([tier], true);
    expect(queue).toBe(800);
    expect(throughput).toBe(250);
  });

  it('reaches to the lines and the curve where they go beyond the windows', () => {
    const curve = [{ queue: 40, throughput: 900, windows: 12 }];
    expect(extent([tierOf([[1, 10]], { nStar: 7, tpMax: 500 })], true)).toEqual({ queue: 8, throughput: 600 });
    expect(extent([tierOf([[1, 10]], { curve })], true)).toEqual({ queue: 50, throughput: 1000 });
  });

  it('takes no notice of a curve that is not drawn, nor of bins that are left out of it', () => {
    const curve = [
      { queue: 8, throughput: 90, windows: 300 },
      { queue: 400, throughput: 3, windows: 2 },
    ];
    const tier = tierOf([[1, 10]], { curve });
    expect(extent([tier], true)).toEqual({ queue: 10, throughput: 100 });
    expect(extent([tier], false)).toEqual({ queue: 1.2, throughput: 12 });
  });

  it('holds still while the farthest point moves a little', () => {
    const at = (queue: number) => extent([tierOf([[queue, 100]])], true);
    expect(at(61)).toEqual(at(77));
  });

  it('has a size without windows and with idle ones', () => {
    expect(extent([], true)).toEqual({ queue: 1, throughput: 1 });
    expect(extent([tierOf([[0, 0]])], true)).toEqual({ queue: 1, throughput: 1 });
  });

  it('takes no notice of what is not a number', () => {
    expect(extent([tierOf([[NaN, NaN]], { nStar: NaN, tpMax: NaN })], true)).toEqual({ queue: 1, throughput: 1 });
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
