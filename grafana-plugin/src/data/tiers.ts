// SPDX-License-Identifier: Apache-2.0
import { keyOf } from '../model/names';
import { stateFrom, STATES } from '../model/state';
import { CurvePoint, QueueKind, SaturationStatus, StateShares, Tier, TierLabels } from '../model/tier';
import { joinWindows, valuesAt } from './join';
import { Kind } from './kind';
import { last, samplesOf } from './samples';
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

/** Names of the queries for a queue and its main sequence. */
const QUEUES: Record<QueueKind, Record<'queue' | 'curve' | 'throughput' | 'windows', Kind>> = {
  own: {
    queue: 'own_queue',
    curve: 'own_curve_queue',
    throughput: 'own_curve_throughput',
    windows: 'own_curve_windows',
  },
  total: { queue: 'queue', curve: 'curve_queue', throughput: 'curve_throughput', windows: 'curve_windows' },
};

/**
 * One tier from its series. Its name is only its label so far, its place not known.
 *
 * @param width tells the width of an exporter's windows, see windowWidths
 * @param wanted the queue to draw; where there is no answer for it, the other one is drawn
 */
export function buildTier({ labels, of }: TierSeries, width: ReturnType<typeof windowWidths>, wanted: QueueKind): Tier {
  const queues = { own: samplesOf(of('own_queue')), total: samplesOf(of('queue')) };
  const other: QueueKind = wanted === 'own' ? 'total' : 'own';
  const queueKind = queues[wanted].time.length > 0 || queues[other].time.length === 0 ? wanted : other;
  const windows = joinWindows(queues[queueKind], samplesOf(of('throughput')));
  const names = QUEUES[queueKind];
  return {
    ...labels,
    key: keyOf(labels),
    name: labels.tier,
    place: 0,
    width: width(labels.instance, windows.time),
    ...windows,
    queueKind,
    otherQueue: column(windows.time, of(QUEUES[queueKind === 'own' ? 'total' : 'own'].queue)),
    residence: column(windows.time, of('residence')),
    gc: column(windows.time, of('gc')),
    state: Uint8Array.from(valuesAt(windows.time, samplesOf(of('state'))), stateFrom),
    nStar: last(samplesOf(of('saturation_point'))),
    nStarInterval: intervalOf(of('saturation_point_low'), of('saturation_point_high')),
    nStarStatus: statusOf(of('saturation_status')),
    tpMax: last(samplesOf(of('max_throughput'))),
    curve: curveOf(of(names.curve), of(names.throughput), of(names.windows)),
    shares: sharesOf(of('state_share')),
  };
}

function column(time: Float64Array, series: Series[]): Float64Array | null {
  const samples = samplesOf(series);
  return samples.time.length > 0 ? valuesAt(time, samples) : null;
}

function intervalOf(lows: Series[], highs: Series[]): [number, number] | null {
  const [low, high] = [lows, highs].map((series) => last(samplesOf(series)));
  return low === null || high === null ? null : [low, high];
}

/** A series per status, of which the latest holds: an answer may still have the one before. */
function statusOf(series: Series[]): SaturationStatus | null {
  const found = series
    .map((one) => ({ status: one.labels.status as SaturationStatus | undefined, samples: samplesOf([one]) }))
    .filter(({ samples: { value } }) => value.length > 0 && value[value.length - 1] > 0)
    .sort((a, b) => b.samples.time[b.samples.time.length - 1] - a.samples.time[a.samples.time.length - 1]);
  return found[0]?.status ?? null;
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
 * A share recorded at some time covers 10 s of counts (rules/tiers.yaml). The last counts were scraped up to 5 s
 * before, and belong to windows that ended 2 s before that: the middle of the share is about 10 s old. Moved by that
 * time, shares are drawn at the place of their windows.
 */
const SHARE_AGE = 10_000;

function sharesOf(series: Series[]): StateShares | null {
  const recorded = samplesOf(series).time;
  if (recorded.length === 0) {
    return null;
  }
  const share = STATES.map((state) =>
    valuesAt(recorded, samplesOf(series.filter((one) => one.labels.state === state)))
  );
  return { time: recorded.map((t) => t - SHARE_AGE), share };
}
