// SPDX-License-Identifier: Apache-2.0
import { dateTimeFormat } from '@grafana/data';
import { Episode } from '../model/episodes';
import { formatCount } from './format';

/** Least room on either side of an episode that is zoomed to, ms. */
const LEAST_ROOM = 500;

/** How much was picked: "42 windows in 7 episodes". */
export function howMany(windows: number, episodes: number): string {
  return `${plural(windows, 'window')} in ${plural(episodes, 'episode')}`;
}

export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * The longest episodes that fit side by side, in the order of time; the longest one always, even if it does not
 * fit.
 *
 * @param room for all of them
 * @param widthOf how much room one takes
 */
export function longest(episodes: readonly Episode[], room: number, widthOf: (episode: Episode) => number): Episode[] {
  const chosen: Episode[] = [];
  let left = room;
  for (const episode of [...episodes].sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from)) {
    left -= widthOf(episode);
    if (left < 0 && chosen.length > 0) {
      break;
    }
    chosen.push(episode);
  }
  return chosen.sort((a, b) => a.from - b.from);
}

/** "05:53:10.150, 0.4 s, tomcat"; without the tier if there is only one. */
export function episodeWords(episode: Episode, names: ReadonlyMap<string, string>, timeZone: string): string {
  const words = [dateTimeFormat(episode.from, { format: 'HH:mm:ss.SSS', timeZone }), lasting(episode)];
  if (names.size > 1) {
    words.push(episode.tiers.map((key) => names.get(key) ?? key).join(' + '));
  }
  return words.join(', ');
}

/** Short ones to the hundredth, so that one window and two windows look different. */
function lasting({ from, to }: Episode): string {
  const seconds = (to - from) / 1000;
  return `${Number(seconds.toFixed(seconds < 1 ? 2 : 1))} s`;
}

/** The time range that shows an episode and what came before and after it. */
export function around({ from, to }: Episode): { from: number; to: number } {
  const room = Math.max(LEAST_ROOM, (to - from) / 2);
  return { from: Math.floor(from - room), to: Math.ceil(to + room) };
}
