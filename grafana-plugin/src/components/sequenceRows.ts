// SPDX-License-Identifier: Apache-2.0
import { State, STATES } from '../model/state';
import { Tier } from '../model/tier';
import { formatNumber, formatRate, formatShare } from './format';
import { TooltipRow } from './Tooltip';

/**
 * A window in words.
 *
 * @param colours of the tier and of the state frozen
 */
export function sequenceRows(tier: Tier, index: number, colours: { tier: string; frozen: string }): TooltipRow[] {
  const state = tier.state[index];
  const rows: TooltipRow[] = [
    { label: 'Tier', value: tier.name, colour: colours.tier },
    { label: 'State', value: STATES[state], ...(state === State.Frozen && { colour: colours.frozen }) },
    { label: 'Queue length', value: formatNumber(tier.queue[index]) },
    { label: 'Throughput', value: formatRate(tier.throughput[index]) },
  ];
  if (tier.residence) {
    const seconds = tier.residence[index];
    // a window without completions has no residence time
    rows.push({ label: 'Residence time', value: seconds >= 0 ? `${formatNumber(seconds * 1000)} ms` : '–' });
  }
  const gc = tier.gc?.[index] ?? NaN;
  if (gc >= 0) {
    rows.push({ label: 'Garbage collection', value: formatShare(gc) });
  }
  return rows;
}
