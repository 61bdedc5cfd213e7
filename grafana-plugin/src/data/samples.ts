// SPDX-License-Identifier: Apache-2.0
import { Series } from './series';

/** A clean time series: strictly ascending times, every value a number. Both arrays have one length. */
export interface Samples {
  /** ms since the epoch. */
  time: Float64Array;
  value: Float64Array;
}

/**
 * Joins series of the same thing (one exporter scraped by two jobs is two series) into one. Samples without a time or
 * a value are dropped; of several at the same time the first stays.
 */
export function samplesOf(series: readonly Series[]): Samples {
  const [first, ...others] = series.map(cleaned);
  return others.reduce(merged, first ?? { time: new Float64Array(), value: new Float64Array() });
}

/** The latest value; null if there is none. */
export function last({ value }: Samples): number | null {
  return value.length > 0 ? value[value.length - 1] : null;
}

function cleaned(series: Series): Samples {
  const length = Math.min(series.time.length, series.value.length);
  const time = new Float64Array(length);
  const value = new Float64Array(length);
  let n = 0;
  let ascending = true;
  for (let i = 0; i < length; i++) {
    const t = series.time[i];
    const v = series.value[i];
    // In a typed array null would become 0.
    if (t === null || v === null || Number.isNaN(t) || Number.isNaN(v)) {
      continue;
    }
    ascending &&= n === 0 || t > time[n - 1];
    time[n] = t;
    value[n] = v;
    n++;
  }
  const samples = { time: time.subarray(0, n), value: value.subarray(0, n) };
  return ascending ? samples : sorted(samples);
}

function sorted({ time, value }: Samples): Samples {
  const order = Uint32Array.from(time, (_, i) => i).sort((a, b) => time[a] - time[b]);
  const distinct = order.filter((at, i) => i === 0 || time[at] !== time[order[i - 1]]);
  return {
    time: Float64Array.from(distinct, (at) => time[at]),
    value: Float64Array.from(distinct, (at) => value[at]),
  };
}

function merged(a: Samples, b: Samples): Samples {
  const time = new Float64Array(a.time.length + b.time.length);
  const value = new Float64Array(time.length);
  let n = 0;
  for (let i = 0, j = 0; i < a.time.length || j < b.time.length; n++) {
    const fromA = !(a.time[i] > b.time[j]) && i < a.time.length;
    time[n] = fromA ? a.time[i] : b.time[j];
    value[n] = fromA ? a.value[i] : b.value[j];
    j += !fromA || a.time[i] === b.time[j] ? 1 : 0;
    i += fromA ? 1 : 0;
  }
  return { time: time.subarray(0, n), value: value.subarray(0, n) };
}
