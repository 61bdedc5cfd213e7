// SPDX-License-Identifier: Apache-2.0
import { SceneTier } from '../draw/sequenceScene';
import { State } from '../model/state';
import { stateShares } from '../model/stateShares';
import { Tier } from '../model/tier';
import { formatNumber, formatRate, formatShare } from './format';
import { nStarWords } from './nStarWords';

/**
 * The tiers as they are drawn, with the words on their lines.
 *
 * @param step distance of neighbouring windows in the answer, ms
 * @param named whether the words say whose they are; needless where there is one tier
 */
export function sequenceTiers(
  shown: ReadonlyArray<{ tier: Tier; colour: string }>,
  step: number,
  named: boolean
): SceneTier[] {
  return shown.map(({ tier, colour }) => {
    const of = named ? `${tier.name} ` : '';
    return {
      tier,
      colour,
      nStarLabel: nStarLabel(tier, of),
      tpMaxLabel: `${of}TPmax ${formatRate(tier.tpMax ?? NaN)}`,
      frozenLabel: `${of}frozen ${formatShare(stateShares(tier, step)[State.Frozen])}`,
    };
  });
}

/** The text on the line at N*; if there is none, the reason. Nothing for a queue to which N* does not apply. */
function nStarLabel(tier: Tier, of: string): string {
  if (tier.queueKind !== 'own') {
    return '';
  }
  const why = nStarWords({ ...tier, nStar: null });
  return tier.nStar === null ? why && `${of}no N*: ${why}` : `${of}N* ${formatNumber(tier.nStar)}`;
}
