// SPDX-License-Identifier: Apache-2.0
import { random } from '../fixtures/random';
import { Edge, places, requestOrder } from './order';

function tier(text: string) {
  const [name, instance = 'a', app = 'shop'] = text.split('@');
  return { app, tier: name, instance };
}

function edge(text: string): Edge {
  const [from, to, app = 'shop'] = text.split('>');
  return { app, from, to };
}

function ordered(tiers: string[], edges: string[]): string[] {
  return requestOrder(tiers.map(tier), edges.map(edge)).map((i) => tiers[i]);
}

describe('requestOrder', () => {
  it.each([
    ['callers first', ['db', 'app', 'web'], ['web>app', 'app>db'], ['web', 'app', 'db']],
    ['by name without edges, numbers as numbers', ['n10', 'n9', 'm'], [], ['m', 'n9', 'n10']],
    ['after every caller', ['db', 'b', 'a', 'web'], ['web>a', 'web>b', 'a>db', 'b>a'], ['web', 'b', 'a', 'db']],
    ['without edges at the end', ['a', 'db', 'web'], ['web>db'], ['web', 'db', 'a']],
    ['a tier that calls itself', ['db', 'web'], ['web>web', 'web>db'], ['web', 'db']],
    ['a circle from its first name', ['c', 'b', 'a'], ['a>b', 'b>c', 'c>a'], ['a', 'b', 'c']],
    ['a circle from where it is entered', ['b', 'c', 'web'], ['web>c', 'c>b', 'b>c'], ['web', 'c', 'b']],
    ['edges to what is not shown do not count', ['db', 'web'], ['web>x', 'x>db', 'db>x'], ['db', 'web']],
    [
      'instances of a tier together',
      ['db@b', 'web@b', 'db@a', 'web@a'],
      ['web>db'],
      ['web@a', 'web@b', 'db@a', 'db@b'],
    ],
    [
      'applications one after another, edges only within',
      ['web@a@shop', 'db@a@shop', 'db@a@blog'],
      ['web>db>shop', 'db>web>blog'],
      ['db@a@blog', 'web@a@shop', 'db@a@shop'],
    ],
  ])('%s', (_, tiers, edges, expected) => {
    expect(ordered(tiers, edges)).toEqual(expected);
  });

  it('puts callers first in any graph without circles, whatever the order of the answers', () => {
    const { integer, next, shuffle } = random(11);
    for (let round = 0; round < 100; round++) {
      const names = shuffle(['a', 'b', 'c', 'd', 'e', 'f', 'g']).slice(0, integer(2, 7));
      const edges = names.flatMap((from, i) =>
        names.slice(i + 1).flatMap((to) => (next() < 0.4 ? [`${from}>${to}`] : []))
      );
      const result = ordered(shuffle(names), shuffle(edges));
      for (const text of edges) {
        const { from, to } = edge(text);
        expect(result.indexOf(from)).toBeLessThan(result.indexOf(to));
      }
      expect(ordered(shuffle(names), shuffle(edges))).toEqual(result);
    }
  });

  it('loses no tier in any graph', () => {
    const { integer, pick, shuffle } = random(12);
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (let round = 0; round < 100; round++) {
      const edges = Array.from({ length: integer(0, 12) }, () => `${pick(names)}>${pick(names)}`);
      expect(ordered(shuffle(names), edges).sort()).toEqual(names);
    }
  });
});

describe('places', () => {
  const shop = (tier: string, instance = 'a') => ({ app: 'shop', tier, instance });
  const edges = ['web>app', 'app>db'].map(edge);

  it('are the same for a tier alone as for the tier among others', () => {
    const all = places(
      ['web', 'app', 'db'].map((tier) => shop(tier)),
      edges
    );
    expect(all).toEqual([0, 1, 2]);
    expect(['web', 'app', 'db'].flatMap((tier) => places([shop(tier)], edges))).toEqual(all);
  });

  it('of the first servers are the same however many servers there are, those of the others come after', () => {
    const servers = [shop('app', 'b'), shop('db'), shop('app', 'a')];
    expect(places(servers, edges)).toEqual([4, 2, 1]);
    expect(places([shop('db')], edges)).toEqual([2]);
    expect(places([shop('app', 'a'), shop('app', 'b')], edges)).toEqual([1, 4]);
  });

  it('follow the list where there are no edges', () => {
    expect(places([shop('app'), shop('web')], [])).toEqual([0, 1]);
  });
});
