// SPDX-License-Identifier: Apache-2.0
import { SceneTier } from '../draw/sequenceScene';
import { State } from '../model/state';
import { summary } from '../model/summary';
import { Tier } from '../model/tier';
import { formatNumber, formatRate, formatShare } from './format';

/**
 * The tiers as they are drawn, with the words on their lines.
 *
 * @param named whether the words say whose they are; needless where there is one tier
 */
export function sequenceTiers(shown: ReadonlyArray<{ tier: Tier; colour: string }>, named: boolean): SceneTier[] {
  return shown.map(({ tier, colour }) => {
    const of = named ? `${tier.name} ` : '';
    return {
      tier,
      colour,
      nStarLabel: `${of}N* ${formatNumber(tier.nStar ?? NaN)}`,
      tpMaxLabel: `${of}TPmax ${formatRate(tier.tpMax ?? NaN)}`,
      frozenLabel: `${of}frozen ${formatShare(summary(tier).share[State.Frozen])}`,
    };
  });
}
