// SPDX-License-Identifier: Apache-2.0
import { Episode } from '../model/episodes';
import { around, episodeWords, howMany, longest } from './episodeWords';

const START = Date.UTC(2026, 10, 21, 5, 53, 10, 150);

function episode(from: number, length: number, tiers = ['a']): Episode {
  return { from, to: from + length, windows: length / 50, tiers };
}

describe('howMany', () => {
  it('counts windows and episodes', () => {
    expect(howMany(42, 7)).toBe('42 windows in 7 episodes');
    expect(howMany(1, 1)).toBe('1 window in 1 episode');
    expect(howMany(1234, 1)).toBe('1,234 windows in 1 episode');
  });
});

describe('episodeWords', () => {
  const names = new Map([
    ['a', 'tomcat'],
    ['b', 'httpd'],
  ]);

  it('tells when, how long and who', () => {
    expect(episodeWords(episode(START, 400), names, 'utc')).toBe('05:53:10.150, 0.4 s, tomcat');
    expect(episodeWords(episode(START, 50, ['b', 'a']), names, 'utc')).toBe('05:53:10.150, 0.05 s, httpd + tomcat');
    expect(episodeWords(episode(START, 14_260), names, 'utc')).toContain(', 14.3 s,');
  });

  it('does not name the only tier', () => {
    expect(episodeWords(episode(START, 400), new Map([['a', 'tomcat']]), 'utc')).toBe('05:53:10.150, 0.4 s');
  });

  it('tells the time in the time zone of the dashboard', () => {
    expect(episodeWords(episode(START, 400), names, 'Asia/Tokyo')).toContain('14:53:10.150');
  });
});

describe('longest', () => {
  const all = [episode(0, 50), episode(1000, 300), episode(2000, 100), episode(3000, 300)];

  it('are those that fit, in the order of time', () => {
    expect(longest(all, 25, () => 10).map(({ from }) => from)).toEqual([1000, 3000]);
    expect(longest(all, 100, () => 10)).toEqual(all);
  });

  it('are at least one', () => {
    expect(longest(all, 5, () => 10).map(({ from }) => from)).toEqual([1000]);
  });

  it('leave the episodes as they are', () => {
    const before = [...all];
    longest(all, 15, () => 10);
    expect(all).toEqual(before);
  });
});

describe('around', () => {
  it('leaves room on either side, more for a long episode', () => {
    expect(around(episode(START, 400))).toEqual({ from: START - 500, to: START + 900 });
    expect(around(episode(START, 4000))).toEqual({ from: START - 2000, to: START + 6000 });
  });
});
