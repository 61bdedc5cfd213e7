// SPDX-License-Identifier: Apache-2.0
import { random } from '../fixtures/random';
import { keyOf, shortNames } from './names';
import { TierLabels } from './tier';

function labels(text: string): TierLabels {
  const [app, tier, instance] = text.split(' ');
  return { app, tier, instance };
}

describe('shortNames', () => {
  it.each([
    ['the tier, where that is enough', ['shop web a', 'shop db a'], ['web', 'db']],
    ['the instance, for a tier on several servers', ['shop web a', 'shop web b'], ['web@a', 'web@b']],
    ['the application, for tiers of one name on one host', ['shop db a', 'blog db a'], ['shop/db', 'blog/db']],
    [
      'all labels, where two do not do',
      ['shop db a', 'shop db b', 'blog db a', 'blog db b'],
      ['shop/db@a', 'shop/db@b', 'blog/db@a', 'blog/db@b'],
    ],
    [
      'no more than each tier needs',
      ['shop web a', 'shop db a', 'shop db b', 'blog db b'],
      ['web', 'db@a', 'shop/db@b', 'blog/db'],
    ],
    ['nothing for nothing', [], []],
  ])('%s', (_, tiers, names) => {
    expect(shortNames(tiers.map(labels))).toEqual(names);
  });

  it('names every tier differently', () => {
    const { integer, pick } = random(3);
    for (let round = 0; round < 100; round++) {
      const tiers = new Map<string, TierLabels>();
      for (let i = integer(1, 12); i > 0; i--) {
        const one = { app: pick(['x', 'y', '']), tier: pick(['web', 'db', 'cache']), instance: pick(['a', 'b', '']) };
        tiers.set(keyOf(one), one);
      }
      const names = shortNames([...tiers.values()]);
      expect(new Set(names).size).toBe(tiers.size);
    }
  });
});

test('keyOf differs where labels differ, whatever is in them', () => {
  const a = { app: 'a/b', tier: 'c', instance: 'd' };
  const b = { app: 'a', tier: 'b/c', instance: 'd' };
  expect(keyOf(a)).not.toBe(keyOf(b));
  expect(keyOf(a)).toBe(keyOf({ ...a }));
});
