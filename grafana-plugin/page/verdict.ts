// SPDX-License-Identifier: Apache-2.0
import { Cause, Failed, Findings, TierNow } from './findings';
import { formatShare } from '../src/components/format';

/** How much the reader should care. */
export type Weight = 'bad' | 'worth-a-look' | 'good' | 'unknown';

export interface Verdict {
  weight: Weight;
  text: string;
}

/** What is the matter, in a sentence or two, and what is not known because a query failed. */
export function verdict(findings: Findings): Verdict {
  const { weight, text } = known(findings);
  const gaps = gapsOf(findings);
  return {
    weight: weight === 'good' && gaps.length > 0 ? 'unknown' : weight,
    text: [text, ...gaps].join(' '),
  };
}

/** Says only what the queries that were answered suffice for. */
function known({ tiers, turns, causes, failed }: Findings): Verdict {
  const frozen = tiers.filter(({ condition }) => condition === 'frozen');
  const saturated = tiers.filter(({ condition }) => condition === 'saturated');
  if (turns.length > 0) {
    const [{ from, to, correlation }] = turns;
    const cause = causes.find(({ tier }) => tier === from || tier === to);
    return {
      weight: 'bad',
      text: `${from} and ${to} take turns as the bottleneck${rounded(correlation)}.${because(cause)}`,
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
  if (failed.tiers.has('state')) {
    return NO_VERDICT;
  }
  if (tiers.length === 0) {
    return { weight: 'unknown', text: 'No states were recorded here: choose a time range with traffic.' };
  }
  if (tiers.every(({ condition }) => condition === 'unseen')) {
    return { weight: 'unknown', text: 'No tier has been seen at its limit, so none can be called saturated.' };
  }
  // Tiers that take turns matter at shares at which one alone would not.
  return failed.turns.has('verdict')
    ? NO_VERDICT
    : { weight: 'good', text: 'No tier is saturated or frozen often enough to matter.' };
}

const NO_VERDICT: Verdict = { weight: 'unknown', text: 'No verdict can be given.' };

/** A sentence for each query that the verdict rests on and that has no answer. */
function gapsOf({ failed }: Findings): string[] {
  return [
    gap('Which tiers are frozen or saturated', 'state', failed.tiers),
    gap('Whether tiers take turns', 'verdict', failed.turns),
    gap('Likely causes', 'verdict', failed.causes),
  ].filter((sentence) => sentence !== undefined);
}

function gap(what: string, query: string, failed: Failed): string | undefined {
  const reason = failed.get(query)?.replace(/\.$/, '');
  return reason === undefined ? undefined : `${what} could not be judged (query ${query}: ${reason}).`;
}

function say({ tier, condition, frozen, saturated }: TierNow): string {
  const share = condition === 'frozen' ? frozen : saturated;
  return `${tier} is ${condition}${share === null ? '' : ` in ${formatShare(share)} of its windows`}`;
}

function because(cause?: Cause): string {
  return cause
    ? ` Likely cause: ${cause.cause.replaceAll('_', ' ')} in ${cause.tier}${rounded(cause.correlation)}.`
    : '';
}

function rounded(correlation: number | null): string {
  return correlation === null ? '' : ` (correlation ${correlation.toFixed(2)})`;
}

const list = (parts: string[]) => new Intl.ListFormat('en').format(parts);
