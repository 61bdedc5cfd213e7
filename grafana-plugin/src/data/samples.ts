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
  let length = 0;
  for (const one of series) {
    length += Math.min(one.time.length, one.value.length);
  }
  const time = new Float64Array(length);
  const value = new Float64Array(length);
  let n = 0;
  let ascending = true;
  for (const one of series) {
    const end = Math.min(one.time.length, one.value.length);
    for (let i = 0; i < end; i++) {
      const t = one.time[i];
      const v = one.value[i];
      // In a typed array null would become 0.
      if (t === null || v === null || !(t > -Infinity) || !(v >= -Infinity)) {
        continue;
      }
      ascending &&= n === 0 || t > time[n - 1];
      time[n] = t;
      value[n] = v;
      n++;
    }
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

/** The latest value; null if there is none. */
export function last({ value }: Samples): number | null {
  return value.length > 0 ? value[value.length - 1] : null;
}
