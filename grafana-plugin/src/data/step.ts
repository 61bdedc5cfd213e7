// SPDX-License-Identifier: Apache-2.0
import { Tier } from '../model/tier';
import { smallestGap } from '../model/times';
import { last, samplesOf } from './samples';
import { Series } from './series';

/** The exporter's width of a window unless set otherwise, ms. */
export const USUAL_WIDTH = 50;

/**
 * Finds the width of an exporter's windows, ms: what it reports (a series without the label stands for all exporters),
 * but never more than the distance of two windows. An exporter that reports nothing has windows of the usual width,
 * unless they are farther apart than the step of the query explains.
 *
 * @returns a function of the exporter and the ends of its windows
 */
export function windowWidths(series: readonly Series[]): (instance: string, time: Float64Array) => number {
  const asked = askedStep(series);
  const reported = new Map<string, number>();
  for (const one of series) {
    const seconds = one.kind === 'window_width' ? last(samplesOf([one])) : null;
    if (seconds !== null && seconds > 0) {
      reported.set(one.labels.instance ?? '', Math.round(seconds * 1000));
    }
  }
  return (instance, time) => {
    const gap = smallestGap(time) || Infinity;
    const told = reported.get(instance) ?? reported.get('');
    if (told === undefined && gap < Infinity && !(gap <= asked)) {
      return gap;
    }
    return Math.min(told ?? USUAL_WIDTH, gap);
  };
}

/**
 * Distance of neighbouring windows in the answer, ms. That is the step of the query, if windows end on it. If the step
 * is no multiple of the width, it meets a window only now and then. Then the distance is found from the windows. The
 * same is done if the step is unknown, or if windows are closer than the step: the raw samples of an instant query
 * `metric[5m]` come with a step that has no meaning.
 */
export function stepOf(series: readonly Series[], tiers: readonly Tier[]): number {
  const asked = askedStep(series);
  const gaps = tiers.map((tier) => smallestGap(tier.time)).filter((gap) => gap > 0);
  const width = tiers.length > 0 ? Math.min(...tiers.map((tier) => tier.width)) : USUAL_WIDTH;
  if (asked % width === 0) {
    return Math.min(asked, ...gaps);
  }
  return gaps.length > 0 ? Math.min(...gaps) : width;
}

/** Step of the query for queue lengths, ms; NaN if unknown. */
function askedStep(series: readonly Series[]): number {
  return series.find((one) => (one.kind === 'own_queue' || one.kind === 'queue') && one.interval > 0)?.interval ?? NaN;
}
