// SPDX-License-Identifier: Apache-2.0
import { State } from '../model/state';
import { stateShares } from '../model/stateShares';
import { Picture, Tier } from '../model/tier';
import { plural } from './episodeWords';
import { formatRate, formatShare } from './format';
import { nStarWords } from './nStarWords';

/** The main sequence in sentences, for users of a screen reader. */
export function describeSequence({ tiers, step }: Picture): string {
  const sentences = tiers.map((tier) => `${describeTier(tier, step)}.`);
  return ['Main sequence: throughput against queue length.', ...sentences].join(' ');
}

function describeTier(tier: Tier, step: number): string {
  const windows = tier.time.length;
  if (windows === 0) {
    return `${tier.name}: no windows`;
  }
  const frozen = stateShares(tier, step)[State.Frozen];
  const why = nStarWords({ ...tier, nStar: null });
  return [
    `${tier.name}: ${plural(windows, 'window')}`,
    tier.nStar === null ? `N* not known${why && `: ${why}`}` : `N* ${nStarWords(tier)}`,
    tier.tpMax === null ? 'TPmax not known' : `TPmax ${formatRate(tier.tpMax)}`,
    ...(frozen >= 0 ? [`frozen ${formatShare(frozen)}`] : []),
  ].join(', ');
}
