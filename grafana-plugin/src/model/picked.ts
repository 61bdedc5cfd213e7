// SPDX-License-Identifier: Apache-2.0
import { Chosen, Episode, episodes } from './episodes';
import { Picture, Tier } from './tier';

/** Longest pause within an episode, ms; more if the samples are farther apart. */
const GAP = 250;

/**
 * Windows that the user picked. They are kept by their time, so that they are found again when the data is refreshed.
 */
export interface Picked {
  /** How many. */
  windows: number;
  episodes: Episode[];
  /** Ends of the picked windows by the key of their tier, ms since the epoch, ascending. */
  ends: ReadonlyMap<string, Float64Array>;
}

/**
 * Keeps a choice of windows.
 *
 * @param flags by tier and window, 1 for those chosen
 * @returns null if none is
 */
export function pick(tiers: readonly Tier[], flags: readonly Uint8Array[], { step }: Picture): Picked | null {
  const chosen: Chosen[] = [];
  const ends = new Map<string, Float64Array>();
  tiers.forEach((tier, t) => {
    const before = chosen.length;
    flags[t].forEach((flag, index) => flag && chosen.push({ tier: t, index }));
    if (chosen.length > before) {
      ends.set(
        tier.key,
        tier.time.filter((_, index) => flags[t][index] === 1)
      );
    }
  });
  if (chosen.length === 0) {
    return null;
  }
  return { windows: chosen.length, ends, episodes: episodes(tiers, chosen, Math.max(GAP, step)) };
}

/** Marks the windows of a state, by tier and window. */
export function ofState(tiers: readonly Tier[], state: number): Uint8Array[] {
  return tiers.map((tier) => tier.state.map((other) => (other === state ? 1 : 0)));
}

/** Finds picked windows again: flags by tier and window; null if none of them is there any more. */
export function findAgain({ ends }: Picked, tiers: readonly Tier[]): Uint8Array[] | null {
  let found = false;
  const flags = tiers.map((tier) => {
    const times = ends.get(tier.key) ?? new Float64Array(0);
    const own = new Uint8Array(tier.time.length);
    let next = 0;
    for (let i = 0; i < own.length && next < times.length; i++) {
      while (times[next] < tier.time[i]) {
        next++;
      }
      if (times[next] === tier.time[i]) {
        own[i] = 1;
        found = true;
      }
    }
    return own;
  });
  return found ? flags : null;
}
