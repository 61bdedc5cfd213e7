// SPDX-License-Identifier: Apache-2.0
import { windowEnd } from '../fixtures/clock';
import { tierOf, turns } from '../fixtures/tiers';
import { findAgain, ofState, pick } from './picked';
import { State } from './state';
import { Picture, Tier } from './tier';

const picture = (tiers: Tier[], step = 50): Picture => ({ tiers, step });

describe('pick', () => {
  it('counts the windows and groups them into episodes', () => {
    const { tiers } = turns(120);
    const frozen = pick(tiers, ofState(tiers, State.Frozen), picture(tiers))!;
    expect(frozen.windows).toBe(12);
    expect(frozen.episodes).toHaveLength(3);
    expect(frozen.episodes[0]).toEqual({
      from: windowEnd(15),
      to: windowEnd(19),
      windows: 4,
      tiers: [tiers[1].key],
    });
  });

  it('is nothing where no window was chosen', () => {
    const tier = tierOf([[1, 1]]);
    expect(pick([tier], [Uint8Array.of(0)], picture([tier]))).toBeNull();
  });

  it('takes sparse samples together', () => {
    const tier = tierOf([[1, 1], null, null, null, null, null, null, null, null, null, [1, 1]]);
    const all = [Uint8Array.of(1, 1)];
    expect(pick([tier], all, picture([tier]))!.episodes).toHaveLength(2);
    expect(pick([tier], all, picture([tier], 500))!.episodes).toHaveLength(1);
  });
});

describe('findAgain', () => {
  const before = tierOf([
    [1, 1],
    [2, 2],
    [3, 3],
  ]);
  const picked = pick([before], [Uint8Array.of(0, 1, 1)], picture([before]))!;

  it('finds windows by their time when others have come and gone', () => {
    const after = tierOf([null, [9, 9], [9, 9], [9, 9], [9, 9]]);
    expect(findAgain(picked, [after])!.map((flags) => [...flags])).toEqual([[1, 1, 0, 0]]);
  });

  it('finds those of another order of tiers', () => {
    const other = tierOf([[1, 1]], { tier: 'db' });
    expect(findAgain(picked, [other, before])!.map((flags) => [...flags])).toEqual([[0], [0, 1, 1]]);
  });

  it('is nothing when none of them is left', () => {
    expect(findAgain(picked, [tierOf([null, null, null, [1, 1]])])).toBeNull();
    expect(findAgain(picked, [])).toBeNull();
  });
});
