// SPDX-License-Identifier: Apache-2.0

/** Labels that tell one tier from another. */
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
  /** How many windows the bin holds; NaN where that was not queried. */
  windows: number;
}

/** A recorded share of windows in each state, over time; all arrays have the same length. */
export interface StateShares {
  /** End of the step that the share stands for, ms since the epoch, ascending; set back so that it stands at its windows. */
  time: Float64Array;
  /** Shares from 0 to 1, indexed by State; NaN where a state has no value at that time. */
  share: [Float64Array, Float64Array, Float64Array, Float64Array];
}

/** One tier on one instance: its windows, oldest first, and what the rules recorded of it. Arrays have one length. */
export interface Tier extends TierLabels {
  /** Unique among the tiers shown; stable between refreshes. */
  key: string;
  /** The shortest name that tells it from the other tiers shown. */
  name: string;
  /**
   * Its place among all tiers that requests pass, shown or not; further servers of a tier come after all tiers. Colours go
   * by it, so that a tier has the same one in the panels of all tiers and in those of one.
   */
  place: number;
  /** Width of its windows, ms. */
  width: number;
  /** End of each window, ms since the epoch, strictly ascending. */
  time: Float64Array;
  /** Mean queue length, requests. */
  queue: Float64Array;
  /** Completions per second. */
  throughput: Float64Array;
  /** Mean residence time in seconds, NaN where nothing completed; null if not queried. */
  residence: Float64Array | null;
  /** Share of the window spent in garbage collection, NaN where unknown; null if not queried or no JVM. */
  gc: Float64Array | null;
  /** State of each window. */
  state: Uint8Array;
  /** The last recorded saturation point N*, requests; null if the tier has not been seen saturated. */
  nStar: number | null;
  /** The last recorded best throughput TPmax, requests per second. */
  tpMax: number | null;
  /** The recorded main sequence, ascending in queue length; may be empty. */
  curve: CurvePoint[];
  /** Recorded shares by state; null if not queried. */
  shares: StateShares | null;
}

/** Everything that one picture is drawn from. */
export interface Picture {
  /** In the order in which a request passes them where that is known, else by name. */
  tiers: Tier[];
  /** Distance of neighbouring samples in the answer, ms; of a tier with narrower windows only 1 in step / width was sent. */
  step: number;
}
