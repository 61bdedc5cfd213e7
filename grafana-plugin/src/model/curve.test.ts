// SPDX-License-Identifier: Apache-2.0
import { solidBins } from './curve';

describe('solidBins', () => {
  const bin = (windows: number) => ({ queue: 1, throughput: 1, windows });

  it('leaves out bins of fewer than 10 windows', () => {
    expect(solidBins([bin(9), bin(10), bin(400)])).toEqual([bin(10), bin(400)]);
  });

  it('keeps all where the number of windows was not asked for', () => {
    expect(solidBins([bin(NaN), bin(NaN)])).toHaveLength(2);
  });
});
