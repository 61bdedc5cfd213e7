// SPDX-License-Identifier: Apache-2.0
import { Tier } from './tier';

/** A stretch of time in which chosen windows follow each other closely. */
export interface Episode {
  /** Start of the first window, ms since the epoch. */
  from: number;
  /** End of the last window, ms since the epoch. */
  to: number;
  /** How many of the chosen windows lie in it. */
  windows: number;
  /** Keys of the tiers whose windows these are, in the order of the tiers. */
  tiers: string[];
}

/** A window: position of its tier in the list of tiers, position of the window in the tier. */
export interface Chosen {
  tier: number;
  index: number;
}

/**
 * Groups windows, which a brush over the main sequence picks from all over the time range, into episodes.
 *
 * @param gap the longest pause within an episode, from the end of a window to the start of the next, ms; where only
 *   1 in n windows was sent, it must be at least the distance of the samples, or each window is an episode
 */
export function episodes(tiers: readonly Tier[], chosen: readonly Chosen[], gap = 250): Episode[] {
  // Sorting plain numbers is ten times as fast as sorting objects by a function: one list of ends for each tier.
  const ends = tiers.map((tier, t) => sortedEnds(tier, t, chosen));
  const next = new Array<number>(tiers.length).fill(0);
  const found: Episode[] = [];
  let members = new Set<number>();
  for (;;) {
    const first = earliest(ends, next);
    if (first < 0) {
      break;
    }
    const end = ends[first][next[first]++];
    const { width } = tiers[first];
    const last = found.at(-1);
    if (last && end - width - last.to <= gap) {
      last.to = end;
      last.windows++;
      members.add(first);
    } else {
      closeEpisode(last, members, tiers);
      members = new Set([first]);
      found.push({ from: end - width, to: end, windows: 1, tiers: [] });
    }
  }
  closeEpisode(found.at(-1), members, tiers);
  return found;
}

function closeEpisode(episode: Episode | undefined, members: Set<number>, tiers: readonly Tier[]) {
  if (episode) {
    episode.tiers = tiers.filter((_, t) => members.has(t)).map((tier) => tier.key);
  }
}

/** Ends of the chosen windows of tier t, each once, ascending. */
function sortedEnds(tier: Tier, t: number, chosen: readonly Chosen[]): Float64Array {
  const picked = new Uint8Array(tier.time.length);
  for (const window of chosen) {
    if (window.tier === t) {
      picked[window.index] = 1;
    }
  }
  return tier.time.filter((_, i) => picked[i] === 1);
}

/** The list whose next end is the earliest; -1 when all are used up. */
function earliest(ends: Float64Array[], next: number[]): number {
  let best = -1;
  for (let t = 0; t < ends.length; t++) {
    if (next[t] < ends[t].length && (best < 0 || ends[t][next[t]] < ends[best][next[best]])) {
      best = t;
    }
  }
  return best;
}
