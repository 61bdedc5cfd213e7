// SPDX-License-Identifier: Apache-2.0

/** A horizontal strip, CSS pixels from the top of all lanes. */
export interface Strip {
  top: number;
  height: number;
}

/** Where the parts of one tier's lane are; a part that has no room or is not wanted is null. */
export interface Lane extends Strip {
  queue: Strip | null;
  band: Strip;
  gc: Strip | null;
}

/** What a lane should show in addition to the band of states. */
export interface LaneWish {
  queue: boolean;
  gc: boolean;
}

export interface LaneLayout {
  lanes: Lane[];
  /** Height of all lanes; if it is more than the available height, they must be scrolled. */
  height: number;
}

const GAP = 10;
const TIGHT_GAP = 4;
/** Below this height of a lane the gaps shrink too. */
const TIGHT_BELOW = 44;
const INNER_GAP = 2;
const BAND = { share: 0.32, min: 12, max: 48 };
/** Lower strips could not be named. */
const GC = { share: 0.16, min: 8, max: 24 };
const GC_FROM = 32;
const QUEUE_MIN = 18;

const clamp = (value: number, { min, max }: { min: number; max: number }) => Math.min(Math.max(value, min), max);

/**
 * Shares the height among the lanes of all tiers.
 *
 * Each lane gets the same height. If there is too little room, then in this order: gaps shrink, the queue
 * length and the garbage collection are left out, and at last lanes keep their least height and are scrolled.
 */
export function layoutLanes(height: number, wishes: LaneWish[]): LaneLayout {
  const count = wishes.length;
  if (count === 0) {
    return { lanes: [], height: 0 };
  }
  const roomy = Math.floor((height - GAP * (count - 1)) / count);
  const gap = roomy < TIGHT_BELOW ? TIGHT_GAP : GAP;
  const each = Math.max(BAND.min, Math.floor((height - gap * (count - 1)) / count));
  const lanes = wishes.map((wish, index) => layoutLane(index * (each + gap), each, wish));
  return { lanes, height: each * count + gap * (count - 1) };
}

function layoutLane(top: number, height: number, wish: LaneWish): Lane {
  const gc = wish.gc && height >= GC_FROM ? clamp(Math.round(height * GC.share), GC) : 0;
  const aboveGc = height - (gc ? gc + INNER_GAP : 0);
  const band = clamp(Math.round(height * BAND.share), BAND);
  const queue = aboveGc - band - INNER_GAP;
  const withQueue = wish.queue && queue >= QUEUE_MIN;
  const bandTop = withQueue ? top + queue + INNER_GAP : top;
  return {
    top,
    height,
    queue: withQueue ? { top, height: queue } : null,
    band: { top: bandTop, height: withQueue ? band : aboveGc },
    gc: gc ? { top: top + height - gc, height: gc } : null,
  };
}
