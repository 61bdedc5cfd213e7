// SPDX-License-Identifier: Apache-2.0
// What Prometheus itself says about the range under test, asked and counted here without the panel's code.
import assert from 'node:assert/strict';
import { PROMETHEUS } from './serve.mjs';

const WIDTH = 50;

/** FROM and TO, seconds since the epoch; else the last two minutes whose windows have all been scraped. */
function range() {
  const to = process.env.TO ? Number(process.env.TO) * 1000 : Date.now() - 5000;
  const from = process.env.FROM ? Number(process.env.FROM) * 1000 : to - 120000;
  return { from: Math.ceil(from / WIDTH) * WIDTH, to: Math.floor(to / WIDTH) * WIDTH };
}

export const RANGE = range();

/**
 * Whether the data has what a test looks at. The recording was chosen because it has everything, so there nothing may
 * be missing; nobody can promise what a live system does, so there the test is skipped, and says for want of what. To
 * be called after what can be checked without: from then on nothing counts.
 *
 * @param {import('node:test').TestContext} t
 */
export function has(t, found, what) {
  assert.ok(found || !process.env.RECORDED, `the recording has ${what}`);
  if (!found) {
    t.skip(`the data does not have ${what}`);
  }
  return Boolean(found);
}

/** The series that Prometheus answers with. */
export async function ask(path, form) {
  const response = await fetch(`${PROMETHEUS}/api/v1/${path}`, {
    method: 'POST',
    body: new URLSearchParams(form),
  }).catch(() => {
    throw new Error(`Prometheus at ${PROMETHEUS} does not answer: start the demo (make demo), or set PROMETHEUS`);
  });
  const { status, data, error } = await response.json();
  if (status !== 'success') {
    throw new Error(`Prometheus refuses ${JSON.stringify(form)}: ${error}`);
  }
  return data.result;
}

/** @returns {Promise<Array<{metric: Record<string, string>, value: number}>>} at a time in ms */
export async function instant(query, time) {
  const result = await ask('query', { query, time: time / 1000 });
  return result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }));
}

/** The only value of a query, or null where it has none. */
export async function value(query, time) {
  const [first = { value: null }, ...others] = await instant(query, time);
  if (others.length > 0) {
    throw new Error(`${query} has ${others.length + 1} answers, not one`);
  }
  return first.value;
}

async function raw(query, from, to, step) {
  const [series] = await ask('query_range', { query, start: from / 1000, end: to / 1000, step: step / 1000 });
  return new Map(series?.values.map(([time, text]) => [Math.round(time * 1000), Number(text)]));
}

/** The page begins with the application that has completed most. */
export async function firstApp() {
  const completions = `max_over_time(nstar_tier_completions_total[${length()}ms]) or nstar_tier_completions_total`;
  const apps = await instant(`sum by (app) (${completions})`, RANGE.to);
  return apps.sort((a, b) => b.value - a.value)[0]?.metric.app;
}

function length() {
  return RANGE.to - RANGE.from;
}

/**
 * The tiers of an application as a request passes them, each with N* and TPmax, and why it has none, at the end of the
 * range.
 */
export async function tiersOf(app) {
  const seen = await instant(
    `group by (tier) (count_over_time(nstar_window_queue_length{app="${app}"}[${length()}ms]))`,
    RANGE.to
  );
  const calls = await instant(`group by (from, to) (nstar_edge_calls_total{app="${app}"})`, RANGE.to);
  const behind = (tier) =>
    1 +
    Math.max(
      0,
      ...calls.filter(({ metric }) => metric.from === tier && metric.to !== tier).map(({ metric }) => behind(metric.to))
    );
  const names = seen.map(({ metric }) => metric.tier).sort((a, b) => behind(b) - behind(a) || (a < b ? -1 : 1));
  return Promise.all(
    names.map(async (name) => {
      const labels = `{app="${app}",tier="${name}"}`;
      const [status] = await instant(`nstar_tier_saturation_status${labels} > 0`, RANGE.to);
      return {
        app,
        name,
        nStar: await value(`nstar_tier_saturation_point_queue_length${labels}`, RANGE.to),
        tpMax: await value(`nstar_tier_max_throughput_requests_per_second${labels}`, RANGE.to),
        status: status?.metric.status ?? null,
      };
    })
  );
}

/** The states by the values of nstar_window_state, as docs/metrics.md has them. */
const STATES = ['idle', 'normal', 'saturated', 'frozen', 'waiting', 'unknown'];

/** Every window of a tier in a range: its end, own and total queue length, throughput and state. */
export async function windowsOf(tier, { from, to } = RANGE) {
  const windows = [];
  // In pieces: Prometheus answers with at most 11,000 points.
  for (let start = from; start <= to; start += 10000 * WIDTH) {
    const end = Math.min(to, start + 9999 * WIDTH);
    const [queues, totals, throughputs, states] = await Promise.all(
      ['own_queue_length', 'queue_length', 'throughput', 'state'].map((name) =>
        raw(`last_over_time(nstar_window_${name}{app="${tier.app}",tier="${tier.name}"}[1ms])`, start, end, WIDTH)
      )
    );
    for (const [time, queue] of queues) {
      const state = states.has(time) ? STATES[states.get(time)] : 'not judged yet';
      windows.push({ time, queue, total: totals.get(time), throughput: throughputs.get(time), state });
    }
  }
  return windows;
}

export const frozen = (windows) => windows.filter(({ state }) => state === 'frozen');

/** The tier with most frozen windows, the first one where there are none, and its windows. */
export async function mostFrozen(app) {
  const all = await Promise.all((await tiersOf(app)).map(async (tier) => ({ tier, windows: await windowsOf(tier) })));
  return all.reduce((most, one) => (frozen(one.windows).length > frozen(most.windows).length ? one : most));
}

/** Without the windows that have no state: shares are of the others. */
export const judged = (windows) => windows.filter(({ state }) => state !== 'not judged yet');

/**
 * The recorded main sequence of a tier's own queue at the end of the range: bins of ten windows or more, ascending in
 * queue length.
 */
export async function curveOf({ app, name }) {
  const labels = `{app="${app}",tier="${name}"}`;
  const bins = await instant(`nstar:tier_own_load_queue_length:mean15m${labels}`, RANGE.to);
  const [throughputs, windows] = await Promise.all(
    ['nstar:tier_own_load_throughput:requests_per_second15m', 'nstar:tier_own_load_windows:increase15m'].map(
      async (metric) => new Map((await instant(metric + labels, RANGE.to)).map((one) => [one.metric.bin, one.value]))
    )
  );
  return bins
    .filter(({ metric }) => windows.get(metric.bin) >= 10)
    .map(({ metric, value: queue }) => ({ queue, throughput: throughputs.get(metric.bin) }))
    .sort((a, b) => a.queue - b.queue);
}

/** How many windows Prometheus holds, counted by itself. */
export function countWindows({ app, name }) {
  // A millisecond more: one version of Prometheus counts the beginning of a range in, another does not.
  return value(
    `count_over_time(nstar_window_own_queue_length{app="${app}",tier="${name}"}[${length() + 1}ms])`,
    RANGE.to
  );
}

/** The recorded share of a state in the last 20 s of the range, 0 to 1. */
export async function recordedShare({ app, name }, state) {
  const selector = `nstar:tier_state_share:ratio10s{app="${app}",tier="${name}",state="${state}"}`;
  return (await value(`avg_over_time(${selector}[20s])`, RANGE.to)) ?? 0;
}
