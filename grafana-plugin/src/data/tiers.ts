// SPDX-License-Identifier: Apache-2.0
import { keyOf } from '../model/names';
import { stateOf, STATES } from '../model/state';
import { CurvePoint, StateShares, Tier, TierLabels } from '../model/tier';
import { joinWindows, valuesAt, valuesHeldAt } from './join';
import { Kind } from './kind';
import { last, Samples, samplesOf } from './samples';
import { Series } from './series';
import { windowWidths } from './step';

/** All series of one tier on one instance. */
export interface TierSeries {
  labels: TierLabels;
  of(kind: Kind): Series[];
}

/** Sorts the series by tier; those without the label `tier` are left out. */
export function seriesByTier(series: readonly Series[]): TierSeries[] {
  const tiers = new Map<string, { labels: TierLabels; kinds: Map<Kind, Series[]> }>();
  for (const one of series) {
    const { app = '', tier, instance = '' } = one.labels;
    if (!tier) {
      continue;
    }
    const labels = { app, tier, instance };
    const key = keyOf(labels);
    let kinds = tiers.get(key)?.kinds;
    if (!kinds) {
      kinds = new Map<Kind, Series[]>();
      tiers.set(key, { labels, kinds });
    }
    const same = kinds.get(one.kind);
    if (same) {
      same.push(one);
    } else {
      kinds.set(one.kind, [one]);
    }
  }
  return [...tiers.values()].map(({ labels, kinds }) => ({ labels, of: (kind) => kinds.get(kind) ?? [] }));
}

/**
 * One tier from its series. Its name is only its label so far, its place not known.
 *
 * @param width tells the width of an exporter's windows, see windowWidths
 */
export function buildTier({ labels, of }: TierSeries, width: ReturnType<typeof windowWidths>): Tier {
  const windows = joinWindows(samplesOf(of('queue')), samplesOf(of('throughput')));
  const nStar = samplesOf(of('saturation_point'));
  const tpMax = samplesOf(of('max_throughput'));
  return {
    ...labels,
    key: keyOf(labels),
    name: labels.tier,
    place: 0,
    width: width(labels.instance, windows.time),
    ...windows,
    residence: column(windows.time, of('residence')),
    gc: column(windows.time, of('gc')),
    state: statesOf(windows, nStar, tpMax),
    nStar: last(nStar),
    tpMax: last(tpMax),
    curve: curveOf(of('curve_queue'), of('curve_throughput'), of('curve_windows')),
    shares: sharesOf(of('state_share')),
  };
}

function column(time: Float64Array, series: Series[]): Float64Array | null {
  const samples = samplesOf(series);
  return samples.time.length > 0 ? valuesAt(time, samples) : null;
}

function statesOf(windows: Pick<Tier, 'time' | 'queue' | 'throughput'>, nStar: Samples, tpMax: Samples): Uint8Array {
  const { time, queue, throughput } = windows;
  const n = valuesHeldAt(time, nStar);
  const tp = valuesHeldAt(time, tpMax);
  const state = new Uint8Array(time.length);
  for (let i = 0; i < time.length; i++) {
    state[i] = stateOf(queue[i], throughput[i], n[i], tp[i]);
  }
  return state;
}

function curveOf(queue: Series[], throughput: Series[], windows: Series[]): CurvePoint[] {
  const throughputs = lastByBin(throughput);
  const counts = lastByBin(windows);
  const points: CurvePoint[] = [];
  for (const [bin, value] of lastByBin(queue)) {
    const at = throughputs.get(bin);
    if (at !== undefined) {
      points.push({ queue: value, throughput: at, windows: counts.get(bin) ?? NaN });
    }
  }
  return points.sort((a, b) => a.queue - b.queue);
}

function lastByBin(series: Series[]): Map<string, number> {
  const bins = new Map<string, number>();
  for (const one of series) {
    const value = last(samplesOf([one]));
    if (value !== null && one.labels.bin) {
      bins.set(one.labels.bin, value);
    }
  }
  return bins;
}

/**
 * A share recorded at some time is that of the 10 s that ended 2 s before (rules/states.yaml): its middle is 7 s old.
 * Moved by as much, shares stand where the windows stand of which they tell.
 */
const SHARE_AGE = 7000;

function sharesOf(series: Series[]): StateShares | null {
  const recorded = samplesOf(series).time;
  if (recorded.length === 0) {
    return null;
  }
  const [idle, normal, saturated, frozen] = STATES.map((state) =>
    valuesAt(recorded, samplesOf(series.filter((one) => one.labels.state === state)))
  );
  return { time: recorded.map((t) => t - SHARE_AGE), share: [idle, normal, saturated, frozen] };
}
