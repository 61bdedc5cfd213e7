// SPDX-License-Identifier: Apache-2.0
import { SaturationStatus, Tier } from '../model/tier';
import { formatNumber } from './format';

/** Why a tier has no N*. */
const WHY: Partial<Record<SaturationStatus, string>> = {
  learning: 'learning',
  never_near_limit: 'never near its limit',
  always_at_limit: 'always at its limit',
};

type Known = Pick<Tier, 'nStar' | 'nStarInterval' | 'nStarStatus'>;

/** N* with its interval, "7.4 (6.8–8.1)", or why there is none; empty if the reason is unknown. */
export function nStarWords({ nStar, nStarInterval, nStarStatus }: Known): string {
  if (nStar === null) {
    return (nStarStatus && WHY[nStarStatus]) ?? '';
  }
  const interval = nStarInterval ? ` (${nStarInterval.map(formatNumber).join('–')})` : '';
  return `${formatNumber(nStar)}${interval}`;
}
