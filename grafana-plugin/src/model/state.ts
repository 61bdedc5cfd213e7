// SPDX-License-Identifier: Apache-2.0

/**
 * The state of a server in one window, as the exporter judged it: the values of `nstar_window_state`. Nothing here
 * decides about states.
 */
export enum State {
  Idle = 0,
  Normal = 1,
  Saturated = 2,
  Frozen = 3,
  /** A long queue that waits for another tier, or for a place in a pool. */
  Waiting = 4,
  /** A long queue for which the exporter knows no reason; it never looks healthy. */
  Unknown = 5,
  /** Only in the panel: the exporter has not judged the window yet, as in the last two seconds. */
  Unjudged = 6,
}

/** The states by name, in the order of {@link State}; the names are those of the recorded series' label `state`. */
export const STATES = ['idle', 'normal', 'saturated', 'frozen', 'waiting', 'unknown'] as const;

/** What a window of each {@link State} is called. */
export const STATE_WORDS: readonly string[] = [...STATES, 'not judged yet'];

/** The judged states, the gravest first. */
export const JUDGED: readonly State[] = [
  State.Frozen,
  State.Saturated,
  State.Waiting,
  State.Unknown,
  State.Normal,
  State.Idle,
];

/** All states, the gravest first. */
export const GRAVEST_FIRST: readonly State[] = [...JUDGED, State.Unjudged];

/** A value of the series as a state: NaN is no value, and a value that a newer exporter may have is not known here. */
export function stateFrom(value: number): State {
  if (Number.isNaN(value)) {
    return State.Unjudged;
  }
  return value in STATES ? value : State.Unknown;
}
