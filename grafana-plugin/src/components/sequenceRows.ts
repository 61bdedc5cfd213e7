// SPDX-License-Identifier: Apache-2.0
import { State, STATE_WORDS } from '../model/state';
import { QueueKind, Tier } from '../model/tier';
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
    { label: 'State', value: STATE_WORDS[state], ...(state === State.Frozen && { colour: colours.frozen }) },
    ...queueRows(tier, index),
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

/** Both queues, if both are known; the drawn one first. */
function queueRows({ queueKind, queue, otherQueue }: Tier, index: number): TooltipRow[] {
  const other = otherQueue?.[index] ?? NaN;
  const lengths = [
    { label: LABELS[queueKind], value: formatNumber(queue[index]) },
    { label: LABELS[queueKind === 'own' ? 'total' : 'own'], value: formatNumber(other) },
  ];
  return other >= 0 ? lengths : lengths.slice(0, 1);
}

const LABELS: Record<QueueKind, string> = { own: 'Own queue length', total: 'Queue length' };
