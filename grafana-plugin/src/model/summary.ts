// SPDX-License-Identifier: Apache-2.0
import { STATES } from './state';
import { Tier } from './tier';

/** What the windows of a tier come to. */
export interface Summary {
  windows: number;
  /** Share of the windows in each state, by State; all 0 without windows. */
  share: [number, number, number, number];
  /** Mean queue length, requests; NaN without windows. */
  queueMean: number;
  /** Mean of completions per second; NaN without windows. */
  throughputMean: number;
}

export function summary(tier: Tier): Summary {
  const windows = tier.time.length;
  const count: Summary['share'] = [0, 0, 0, 0];
  let queue = 0;
  let throughput = 0;
  for (let i = 0; i < windows; i++) {
    count[tier.state[i]]++;
    queue += tier.queue[i];
    throughput += tier.throughput[i];
  }
  for (let state = 0; state < STATES.length; state++) {
    count[state] = windows > 0 ? count[state] / windows : 0;
  }
  return { windows, share: count, queueMean: queue / windows, throughputMean: throughput / windows };
}
