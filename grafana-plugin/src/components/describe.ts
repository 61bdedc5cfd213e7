// SPDX-License-Identifier: Apache-2.0
import { State, STATES } from '../model/state';
import { summary } from '../model/summary';
import { Tier } from '../model/tier';
import { formatShare } from './format';

/** The time lines in a sentence, for those who hear the panel. */
export function describeStates(tiers: readonly Tier[]): string {
  return ['Saturation state over time.', ...tiers.map((tier) => `${describeTier(tier)}.`)].join(' ');
}

function describeTier(tier: Tier): string {
  const { windows, share } = summary(tier);
  if (windows === 0) {
    return `${tier.name}: no windows`;
  }
  const shares = [State.Frozen, State.Saturated, State.Normal, State.Idle]
    .filter((state) => share[state] > 0)
    .map((state) => `${STATES[state]} ${formatShare(share[state])}`);
  return `${tier.name}: ${shares.join(', ')}`;
}
