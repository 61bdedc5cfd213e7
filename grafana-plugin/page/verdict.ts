// SPDX-License-Identifier: Apache-2.0
import { Cause, Findings, TierNow } from './findings';
import { formatShare } from '../src/components/format';

/** How much the reader should care. */
export type Weight = 'bad' | 'worth-a-look' | 'good' | 'unknown';

export interface Verdict {
  weight: Weight;
  text: string;
}

/** What is the matter, in a sentence or two. */
export function verdict({ tiers, turns, causes }: Findings): Verdict {
  const frozen = tiers.filter(({ condition }) => condition === 'frozen');
  const saturated = tiers.filter(({ condition }) => condition === 'saturated');
  if (turns.length > 0) {
    const [{ from, to, correlation }] = turns;
    const cause = causes.find(({ tier }) => tier === from || tier === to);
    return {
      weight: 'bad',
      text: `${from} and ${to} take turns as the bottleneck (correlation ${correlation.toFixed(2)}).${because(cause)}`,
    };
  }
  if (frozen.length > 0) {
    const names = new Set(frozen.map(({ tier }) => tier));
    const parts = [...frozen.map(say), ...saturated.map(say)];
    return { weight: 'bad', text: `${list(parts)}.${because(causes.find(({ tier }) => names.has(tier)))}` };
  }
  if (saturated.length > 0) {
    return { weight: 'worth-a-look', text: `${list(saturated.map(say))}.` };
  }
  if (tiers.length === 0) {
    return { weight: 'unknown', text: 'No states were recorded here: choose a time range with traffic.' };
  }
  return tiers.every(({ condition }) => condition === 'unseen')
    ? { weight: 'unknown', text: 'No tier has been seen at its limit, so none can be called saturated.' }
    : { weight: 'good', text: 'No tier is saturated or frozen often enough to matter.' };
}

function say({ tier, condition, frozen, saturated }: TierNow): string {
  return `${tier} is ${condition} in ${formatShare((condition === 'frozen' ? frozen : saturated) ?? NaN)} of its windows`;
}

function because(cause?: Cause): string {
  return cause
    ? ` Likely cause: ${cause.cause.replaceAll('_', ' ')} in ${cause.tier} (correlation ${cause.correlation.toFixed(2)}).`
    : '';
}

const list = (parts: string[]) => new Intl.ListFormat('en').format(parts);
