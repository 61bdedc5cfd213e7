// SPDX-License-Identifier: Apache-2.0
import { JUDGED, STATE_WORDS } from '../model/state';
import { stateShares } from '../model/stateShares';
import { Picture, Tier } from '../model/tier';
import { formatShare } from './format';

/** The time lines in a sentence, for users of a screen reader. */
export function describeStates({ tiers, step }: Picture): string {
  return ['Saturation state over time.', ...tiers.map((tier) => `${describeTier(tier, step)}.`)].join(' ');
}

function describeTier(tier: Tier, step: number): string {
  const share = stateShares(tier, step);
  const shares = JUDGED.filter((state) => share[state] > 0).map(
    (state) => `${STATE_WORDS[state]} ${formatShare(share[state])}`
  );
  return `${tier.name}: ${shares.join(', ') || 'no windows'}`;
}
