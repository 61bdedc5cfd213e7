// SPDX-License-Identifier: Apache-2.0
// How Grafana and its Prometheus data source choose the step of a range query. All times are in ms.
import { rangeUtil } from '@grafana/data';

/** Prometheus refuses more points per series; Grafana makes steps coarser to stay near it. */
const MOST_POINTS = 11000;

/** Where neither query nor panel asks for a shortest step, Grafana takes the data source's scrape interval. */
export const SCRAPE_INTERVAL = 15000;

/** Grafana's round steps. Its server counts the upper end of each class in, @grafana/data does not. */
function round(step: number): number {
  return rangeUtil.roundInterval(step * (1 - 1e-9));
}

/** The interval of a panel: what `$__interval` is before a query has its say. */
export function panelInterval(span: number, maxDataPoints: number, shortest: number): number {
  return Math.max(rangeUtil.roundInterval(span / maxDataPoints), shortest);
}

/**
 * The step of one query. Rounding goes to the nearest round step, also downwards: with `maxDataPoints` near 11,000 the
 * step can come out so fine that Prometheus refuses it. So it does in Grafana.
 */
export function queryStep(span: number, maxDataPoints: number, shortest: number): number {
  const wanted = span / maxDataPoints;
  return Math.max(wanted < shortest ? shortest : round(wanted), round(span / MOST_POINTS));
}

/** Start and end of a range query fall on multiples of its step, so that each refresh asks for the same points. */
export function align(time: number, step: number, utcOffset = 0): number {
  return Math.floor((time + utcOffset) / step) * step - utcOffset;
}

/** The span for rate(): at least four scrapes, so that it always holds two samples. */
export function rateInterval(interval: number, scrapeInterval: number): number {
  return Math.max(interval + scrapeInterval, 4 * scrapeInterval);
}
