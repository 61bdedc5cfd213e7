// SPDX-License-Identifier: Apache-2.0

/** The state of a server in one window. The numbers are indices into {@link STATES}. */
export enum State {
  Idle = 0,
  Normal = 1,
  Saturated = 2,
  Frozen = 3,
}

/** The states by name, in the order of {@link State}; the names are those of the recorded series' label `state`. */
export const STATES = ['idle', 'normal', 'saturated', 'frozen'] as const;

/** A frozen server completes less than this share of TPmax while its queue is beyond N*; as in rules/states.yaml. */
export const FROZEN_BELOW = 0.2;

/**
 * The state of one window (RAB, section on points of interest; the same definition as rules/states.yaml).
 *
 * @param queue mean queue length in the window, requests
 * @param throughput completions per second
 * @param nStar saturation point, requests; NaN where none was recorded: the tier is then idle or normal
 * @param tpMax best throughput, requests per second; NaN where none was recorded
 */
export function stateOf(queue: number, throughput: number, nStar: number, tpMax: number): State {
  if (queue > nStar) {
    return throughput < FROZEN_BELOW * tpMax ? State.Frozen : State.Saturated;
  }
  return queue === 0 && throughput === 0 ? State.Idle : State.Normal;
}
