// SPDX-License-Identifier: Apache-2.0
import { T0, WIDTH, windowEnd } from '../fixtures/clock';
import { random } from '../fixtures/random';
import { Point, tierOf } from '../fixtures/tiers';
import { Chosen, Episode, episodes } from './episodes';
import { Tier } from './tier';

const points = (count: number): Point[] => Array.from({ length: count }, () => [1, 20]);
const web = tierOf(points(100), { tier: 'web' });
const db = tierOf(points(100), { tier: 'db' });

function choose(tier: number, ...indices: number[]): Chosen[] {
  return indices.map((index) => ({ tier, index }));
}

describe('episodes', () => {
  it('joins neighbouring windows, and counts each', () => {
    expect(episodes([web], choose(0, 3, 4, 5))).toEqual([
      { from: T0 + 3 * WIDTH, to: T0 + 6 * WIDTH, windows: 3, tiers: [web.key] },
    ]);
  });

  it('joins over a pause as long as the gap, and not over a longer one', () => {
    // From the end of window 0 to the start of window 6 it is 5 windows, 250 ms; to that of window 7 it is 300 ms.
    expect(episodes([web], choose(0, 0, 6), 250)).toHaveLength(1);
    expect(episodes([web], choose(0, 0, 7), 250)).toHaveLength(2);
  });

  it('tells which tiers an episode is of, in the order of the tiers', () => {
    const found = episodes([web, db], [...choose(1, 3), ...choose(0, 4, 50)]);
    expect(found.map(({ tiers, windows }) => ({ tiers, windows }))).toEqual([
      { tiers: [web.key, db.key], windows: 2 },
      { tiers: [web.key], windows: 1 },
    ]);
  });

  it('counts a window once, however often it was chosen', () => {
    expect(episodes([web], choose(0, 8, 8, 8))).toMatchObject([{ windows: 1 }]);
  });

  it('takes the width of the windows', () => {
    const narrow = { ...web, width: 20 };
    expect(episodes([narrow], choose(0, 9))).toMatchObject([{ from: windowEnd(9) - 20, to: windowEnd(9) }]);
  });

  it('finds none where nothing was chosen', () => {
    expect(episodes([web, db], [])).toEqual([]);
  });

  it('agrees with a plain grouping of any choice, in any order', () => {
    const { integer, next, shuffle } = random(5);
    for (let round = 0; round < 200; round++) {
      const tiers = ['a', 'b', 'c'].slice(0, integer(1, 3)).map((name) =>
        tierOf(
          Array.from({ length: 60 }, (): Point => (next() < 0.2 ? null : [1, 1])),
          { tier: name }
        )
      );
      const rate = next() / 2;
      const chosen = tiers.flatMap((tier, t) => choose(t, ...tier.time.keys()).filter(() => next() < rate));
      const gap = integer(0, 6) * WIDTH;
      expect(episodes(tiers, shuffle(chosen), gap)).toEqual(plain(tiers, chosen, gap));
    }
  });
});

function plain(tiers: Tier[], chosen: Chosen[], gap: number): Episode[] {
  const windows = chosen.map(({ tier, index }) => ({ end: tiers[tier].time[index], key: tiers[tier].key }));
  windows.sort((a, b) => a.end - b.end);
  const groups: Array<typeof windows> = [];
  windows.forEach((window, i) => {
    if (i === 0 || window.end - WIDTH - windows[i - 1].end > gap) {
      groups.push([]);
    }
    groups[groups.length - 1].push(window);
  });
  return groups.map((group) => ({
    from: group[0].end - WIDTH,
    to: group[group.length - 1].end,
    windows: group.length,
    tiers: tiers.map(({ key }) => key).filter((key) => group.some((window) => window.key === key)),
  }));
}
