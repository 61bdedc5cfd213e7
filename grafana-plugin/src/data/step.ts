// SPDX-License-Identifier: Apache-2.0
import { Tier } from '../model/tier';
import { smallestGap } from '../model/times';
import { samplesOf } from './samples';
import { Series } from './series';

/** The exporter's width of a window unless set otherwise, ms. */
const USUAL_WIDTH = 50;

/** Width of a window, ms: the greatest that an exporter reports. */
export function windowWidth(series: readonly Series[]): number {
  let seconds = 0;
  for (const one of series) {
    if (one.kind === 'window_width') {
      seconds = samplesOf([one]).value.reduce((most, value) => Math.max(most, value), seconds);
    }
  }
  return Math.round(seconds * 1000) || USUAL_WIDTH;
}

/**
 * Distance of neighbouring windows in the answer, ms. That is the step of the query, if windows end on it. A step that
 * is no multiple of the width meets a window only now and then; the windows then tell, as they do when the step is
 * unknown, and when they are closer than it: the raw samples of an instant query `metric[5m]` come with a step that
 * means nothing.
 */
export function stepOf(series: readonly Series[], tiers: readonly Tier[], width: number): number {
  const asked = series.find((one) => one.kind === 'queue' && one.interval > 0)?.interval ?? NaN;
  const gaps = tiers.map((tier) => smallestGap(tier.time)).filter((gap) => gap > 0);
  if (asked % width === 0) {
    return Math.min(asked, ...gaps);
  }
  return gaps.length > 0 ? Math.min(...gaps) : width;
}
