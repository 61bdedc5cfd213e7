// SPDX-License-Identifier: Apache-2.0
// Records what the page shows of a running Prometheus, for the tests: node browser/record.mjs FROM TO > FILE, seconds
// since the epoch, PROMETHEUS=URL, and SELECT='app=~"bboard|"' where not every series shall be in it (the last | takes
// those without the label). First the range, then a line per series: its labels, and its samples in runs of equal
// distance.
import { ask } from './data.mjs';

/** What the page, the two views and the tests ask for, by how long before the range they look back, in seconds. */
const ASKED = [
  { back: 0, names: 'nstar_window_(own_queue_length|queue_length|throughput|residence_seconds|gc_ratio|state)' },
  { back: 120, names: 'nstar_(tier_completions|tier_(own_)?queue_seconds|edge_calls)_total' },
  {
    back: 30,
    names: 'nstar_tier_(saturation_(point_queue_length(_low|_high)?|status)|max_throughput_requests_per_second)',
  },
  {
    back: 60,
    names:
      'nstar:(tier_(saturation_point|max_throughput|state_share)|edge_(correlation|saturated_share)|cause_correlation' +
      '|app_(response_time|base_time|excess_time|tail_share)):.*',
  },
  // A recording does not know when a series ended, so that a verdict from before the range would seem to hold still.
  { back: 0, names: 'nstar:app_verdict' },
  { back: 0, names: 'nstar:window_width:seconds' },
  // The curve is drawn as it was at the end.
  { last: 60, names: 'nstar:tier_(own_)?load_(windows:increase|queue_length:mean|throughput:requests_per_second)15m' },
];

/** Seconds: what the rules record is known some time after what it is of. */
const AFTER = 5;

/** @param {Array<[number, string]>} samples times in seconds and values, all of them finite */
function runsOf(samples) {
  const runs = [];
  for (const [seconds, text] of samples) {
    const [time, value] = [Math.round(seconds * 1000), Number(text)];
    const run = runs.at(-1);
    if (run && run.values.length === 1) {
      run.step = time - run.start;
    }
    if (run && time === run.start + run.step * run.values.length) {
      run.values.push(value);
    } else {
      runs.push({ start: time, step: 0, values: [value] });
    }
  }
  return runs;
}

async function record(from, to) {
  console.log(JSON.stringify({ from, to }));
  for (const { back, last, names } of ASKED) {
    const length = AFTER + (last ?? to - from + back);
    const query = `{__name__=~"${names}",${process.env.SELECT ?? ''}}[${length}s]`;
    for (const { metric, values } of await ask('query', { query, time: to + AFTER })) {
      console.log(JSON.stringify({ metric, runs: runsOf(last ? values.slice(-1) : values) }));
    }
  }
}

await record(...process.argv.slice(2).map(Number));
