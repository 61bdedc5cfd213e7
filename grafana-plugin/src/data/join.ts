// SPDX-License-Identifier: Apache-2.0
import { Samples } from './samples';

/** Windows: all arrays have one length. */
export interface Windows {
  time: Float64Array;
  queue: Float64Array;
  throughput: Float64Array;
}

/** The windows that have both a queue length and a throughput. */
export function joinWindows(queue: Samples, throughput: Samples): Windows {
  const most = Math.min(queue.time.length, throughput.time.length);
  const joined = { time: new Float64Array(most), queue: new Float64Array(most), throughput: new Float64Array(most) };
  let n = 0;
  for (let q = 0, t = 0; q < queue.time.length && t < throughput.time.length;) {
    const ahead = queue.time[q] - throughput.time[t];
    if (ahead === 0) {
      joined.time[n] = queue.time[q];
      joined.queue[n] = queue.value[q];
      joined.throughput[n] = throughput.value[t];
      n++;
    }
    q += ahead <= 0 ? 1 : 0;
    t += ahead >= 0 ? 1 : 0;
  }
  return {
    time: joined.time.subarray(0, n),
    queue: joined.queue.subarray(0, n),
    throughput: joined.throughput.subarray(0, n),
  };
}

/** The values at exactly these ascending times; NaN if there is none. */
export function valuesAt(time: Float64Array, samples: Samples): Float64Array {
  const values = new Float64Array(time.length).fill(NaN);
  for (let i = 0, s = 0; i < time.length; i++) {
    while (s < samples.time.length && samples.time[s] < time[i]) {
      s++;
    }
    if (samples.time[s] === time[i]) {
      values[i] = samples.value[s];
    }
  }
  return values;
}
