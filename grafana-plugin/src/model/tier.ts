// SPDX-License-Identifier: Apache-2.0

/** Labels that distinguish one tier from another. */
export interface TierLabels {
  app: string;
  tier: string;
  instance: string;
}

/** One bin of the recorded main sequence. */
export interface CurvePoint {
  /** Mean queue length of the bin's windows, requests. */
  queue: number;
  /** Completions per second in the bin's windows. */
  throughput: number;
  /** How many windows the bin holds; NaN if that was not queried. */
  windows: number;
}

/**
 * The queue that a picture is drawn from: `own`, the requests that wait for no tier behind this one and by which it is
 * judged, or `total`, all requests in the tier.
 */
export type QueueKind = 'own' | 'total';

/** Why N* is known or not, as the exporter says. */
export type SaturationStatus = 'known' | 'learning' | 'never_near_limit' | 'always_at_limit';

/** A recorded share of windows in each state, over time; all arrays have the same length. */
export interface StateShares {
  /**
   * End of the step that the share stands for, ms since the epoch, ascending; set back so that it stands at its
   * windows.
   */
  time: Float64Array;
  /** Shares from 0 to 1, indexed by State; NaN if a state has no value at that time. */
  share: Float64Array[];
}

/** One tier on one instance: its windows, oldest first, and what the rules recorded for it. Arrays have one length. */
export interface Tier extends TierLabels {
  /** Unique among the tiers shown; stable between refreshes. */
  key: string;
  /** The shortest name that distinguishes it from the other tiers shown. */
  name: string;
  /**
   * Its place among all tiers that requests pass, shown or not; further servers of a tier come after all tiers. Colours
   * depend on it, so that a tier has the same colour in the panels of all tiers and in those of one.
   */
  place: number;
  /** Width of its windows, ms. */
  width: number;
  /** End of each window, ms since the epoch, strictly ascending. */
  time: Float64Array;
  /** The queue of `queue` and `curve`: the chosen one if there is an answer for it. */
  queueKind: QueueKind;
  /** Mean queue length, requests. */
  queue: Float64Array;
  /** Mean length of the queue that was not chosen, NaN where unknown; null if not queried. */
  otherQueue: Float64Array | null;
  /** Completions per second. */
  throughput: Float64Array;
  /** Mean residence time in seconds, NaN if nothing completed; null if not queried. */
  residence: Float64Array | null;
  /** Share of the window spent in garbage collection, NaN where unknown; null if not queried or no JVM. */
  gc: Float64Array | null;
  /** State of each window. */
  state: Uint8Array;
  /** The saturation point N* of the own queue, requests; null while it is not known. */
  nStar: number | null;
  /** Ends of the interval that N* lies in with 90 % confidence, requests; null if not queried. */
  nStarInterval: [low: number, high: number] | null;
  /** Why there is no N*; null if not queried. */
  nStarStatus: SaturationStatus | null;
  /** The best throughput TPmax, requests per second; null while it is not known. */
  tpMax: number | null;
  /** The recorded main sequence, ascending in queue length; may be empty. */
  curve: CurvePoint[];
  /** Recorded shares by state; null if not queried. */
  shares: StateShares | null;
}

/** N* if it belongs on an axis of queue lengths: N* is a length of the own queue. */
export function nStarOnAxis({ queueKind, nStar }: Pick<Tier, 'queueKind' | 'nStar'>): number | null {
  return queueKind === 'own' ? nStar : null;
}

/** All data of one picture. */
export interface Picture {
  /** In the order in which a request passes them if that is known, otherwise by name. */
  tiers: Tier[];
  /**
   * Distance of neighbouring samples in the answer, ms; of a tier with narrower windows only 1 in step / width was
   * sent.
   */
  step: number;
}
