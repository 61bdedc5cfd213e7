// SPDX-License-Identifier: Apache-2.0
import { laneColumns } from '../draw/laneColumns';
import { GRAVEST_FIRST, State, STATE_WORDS } from '../model/state';
import { Picture, QueueKind, Tier } from '../model/tier';
import { meanOf, within } from '../model/within';
import { formatNumber, formatRate, formatShare } from './format';

/** What a tier did in a moment or a pixel's span of time, in words; empty where it is unknown. */
export interface HoverRow {
  key: string;
  name: string;
  /** The state that lasted longest; null without windows. */
  state: State | null;
  states: string;
  queueKind: QueueKind;
  queue: string;
  throughput: string;
  gc: string;
}

/** The least span of time that is looked at, ms: the pointer is within one window then. */
const MOMENT = 1e-3;

/**
 * What each tier did at the pointer.
 *
 * @param step distance of neighbouring windows in the answer, ms
 * @param perPixel how much time a pixel shows; where that is several windows, they are told together, as they are drawn
 */
export function hoverRows(tiers: readonly Tier[], step: number, time: number, perPixel: number): HoverRow[] {
  return tiers.map((tier) => {
    const span = perPixel > tier.width ? perPixel : MOMENT;
    return hoverRow(tier, step, time - span / 2, time + span / 2);
  });
}

/** The time that stands above the rows: the end of the (narrowest) window under the pointer, its time in Prometheus. */
export function toldTime({ tiers }: Picture, time: number, perPixel: number): number {
  const width = Math.min(...tiers.map((tier) => tier.width));
  return perPixel > width ? time : Math.ceil(time / width) * width;
}

function hoverRow(tier: Tier, step: number, from: number, to: number): HoverRow {
  const { key, name, queueKind } = tier;
  const { share, queueMean, queueMax } = laneColumns(tier, step, from, to, 1);
  const shares = share.map((of) => of[0]);
  const most = Math.max(...shares);
  if (!(most > 0)) {
    return { key, name, state: null, states: 'no window', queueKind, queue: '', throughput: '', gc: '' };
  }
  const stretch = within(tier, from, to, Math.max(tier.width, step));
  const seen = stretch.end > stretch.first;
  const gc = tier.gc ? meanOf(tier.gc, stretch) : NaN;
  return {
    key,
    name,
    state: shares.indexOf(most),
    states: stateWords(shares),
    queueKind,
    queue: seen ? range(queueMean[0], queueMax[0]) : '',
    throughput: seen ? formatRate(meanOf(tier.throughput, stretch)) : '',
    gc: gc >= 0 ? formatShare(gc) : '',
  };
}

/** Mean and peak, or only the mean if both look the same. */
function range(mean: number, peak: number): string {
  const [lower, upper] = [formatNumber(mean), formatNumber(peak)];
  return lower === upper ? lower : `${lower}, peak ${upper}`;
}

/** One state by its name, several with their shares, the gravest first. */
function stateWords(shares: number[]): string {
  const present = GRAVEST_FIRST.map((state) => ({ share: shares[state], name: STATE_WORDS[state] })).filter(
    ({ share }) => share > 0
  );
  if (present.length === 1) {
    return present[0].name;
  }
  return present.map(({ share, name }) => `${name} ${formatShare(share)}`).join(', ');
}
