// SPDX-License-Identifier: Apache-2.0
import { State } from '../model/state';
import { summary } from '../model/summary';
import { Tier } from '../model/tier';
import { plural } from './episodeWords';
import { formatNumber, formatRate, formatShare } from './format';

/** The main sequence in sentences, for those who hear the panel. */
export function describeSequence(tiers: readonly Tier[]): string {
  return ['Main sequence: throughput against queue length.', ...tiers.map((tier) => `${describeTier(tier)}.`)].join(
    ' '
  );
}

function describeTier(tier: Tier): string {
  const { windows, share } = summary(tier);
  if (windows === 0) {
    return `${tier.name}: no windows`;
  }
  return [
    `${tier.name}: ${plural(windows, 'window')}`,
    tier.nStar === null ? 'N* not known' : `N* ${formatNumber(tier.nStar)}`,
    tier.tpMax === null ? 'TPmax not known' : `TPmax ${formatRate(tier.tpMax)}`,
    `frozen ${formatShare(share[State.Frozen])}`,
  ].join(', ');
}
