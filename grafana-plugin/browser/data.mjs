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
 * Whether the data has what a test looks at. The recording was chosen because it has everything, so there nothing may be
 * missing; nobody can promise what a live system does, so there the test is skipped, and says for want of what. To be called
 * after what can be checked without: from then on nothing counts.
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
 * The tiers of an application as a request passes them, each with its recorded N* and TPmax as the panel has them: the
 * last at a multiple of 15 s, the least step of those queries.
 */
export async function tiersOf(app) {
  const at = Math.floor(RANGE.to / 15000) * 15000;
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
    names.map(async (name) => ({
      app,
      name,
      nStar: await value(`nstar:tier_saturation_point:queue_length{app="${app}",tier="${name}"}`, at),
      tpMax: await value(`nstar:tier_max_throughput:requests_per_second{app="${app}",tier="${name}"}`, at),
    }))
  );
}

/** N* and TPmax as they were recorded, each by time in ms. */
function recordedLimits({ app, name }, from, to, step) {
  return Promise.all(
    ['nstar:tier_saturation_point:queue_length', 'nstar:tier_max_throughput:requests_per_second'].map((metric) =>
      raw(`${metric}{app="${app}",tier="${name}"}`, from, to, step)
    )
  );
}

/** N* and TPmax as they were known over a range, at the multiples of 15 s that the panel's queries ask for. */
async function limitsOf({ app, name }, { from, to }) {
  const [first, last] = [from, to].map((time) => Math.floor(time / 15000) * 15000);
  const [nStars, tpMaxs] = await recordedLimits({ app, name }, first, last, 15000);
  return (time) => ({ nStar: held(nStars, time), tpMax: held(tpMaxs, time) });
}

/** The last value at or before a time, before the first value the first one. */
function held(values, time) {
  let found = [...values.values()][0] ?? NaN;
  for (const [at, value] of values) {
    found = at <= time ? value : found;
  }
  return found;
}

/** Every window of a tier in a range: its end, queue length, throughput and state by the definition in docs/rules.md. */
export async function windowsOf(tier, { from, to } = RANGE) {
  const series = (metric) => `last_over_time(${metric}{app="${tier.app}",tier="${tier.name}"}[1ms])`;
  const limits = await limitsOf(tier, { from, to });
  const windows = [];
  // In pieces: Prometheus answers with at most 11,000 points.
  for (let start = from; start <= to; start += 10000 * WIDTH) {
    const end = Math.min(to, start + 9999 * WIDTH);
    const throughputs = await raw(series('nstar_window_throughput'), start, end, WIDTH);
    for (const [time, queue] of await raw(series('nstar_window_queue_length'), start, end, WIDTH)) {
      const throughput = throughputs.get(time);
      windows.push({ time, queue, throughput, state: state(queue, throughput, limits(time)) });
    }
  }
  return windows;
}

function state(queue, throughput, { nStar, tpMax }) {
  if (queue > nStar) {
    return throughput < tpMax / 5 ? 'frozen' : 'saturated';
  }
  return queue === 0 && throughput === 0 ? 'idle' : 'normal';
}

/** The recorded main sequence of a tier at the end of the range: bins of ten windows or more, ascending in queue length. */
export async function curveOf({ app, name }) {
  const labels = `{app="${app}",tier="${name}"}`;
  const bins = await instant(`nstar:tier_load_queue_length:mean15m${labels}`, RANGE.to);
  const [throughputs, windows] = await Promise.all(
    ['nstar:tier_load_throughput:requests_per_second15m', 'nstar:tier_load_windows:increase15m'].map(
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
  return value(`count_over_time(nstar_window_queue_length{app="${app}",tier="${name}"}[${length() + 1}ms])`, RANGE.to);
}

/**
 * How much of a tier's windows change to or from each state with N* and TPmax, as these moved in a range: by the least and
 * the most of both. Null where N* was not known all the time.
 */
export async function leeway(tier, { from, to }) {
  const first = Math.floor(from / 15000) * 15000;
  const [nStars, tpMaxs] = await recordedLimits(tier, first, to, 1000);
  if (nStars.size < (to - first) / 1000) {
    return null;
  }
  const windows = await windowsOf(tier, { from, to });
  const corners = ends(nStars).flatMap((nStar) => ends(tpMaxs).map((tpMax) => ({ nStar, tpMax })));
  return (name) => {
    const shares = corners.map(
      (limits) =>
        windows.filter(({ queue, throughput }) => state(queue, throughput, limits) === name).length / windows.length
    );
    return Math.max(...shares) - Math.min(...shares);
  };
}

const ends = (values) => [Math.min(...values.values()), Math.max(...values.values())];

/** The recorded share of a state over a range, 0 to 1; a value covers the 10 s that ended 2 s before. */
export async function recordedShare({ app, name }, stateName, { from, to }) {
  const selector = `nstar:tier_state_share:ratio10s{app="${app}",tier="${name}",state="${stateName}"}`;
  return (await value(`avg_over_time(${selector}[${to - from - 10000}ms])`, to + 2000)) ?? 0;
}
