// SPDX-License-Identifier: Apache-2.0
//
// Every query of the dashboard. Four rules keep them honest:
// - What happened "now" is the mean of the last minute, as in the alerts, so that a red cell and a page agree.
// - The application is one name (=), tiers and instances are a regular expression (=~).
// - A series of windows (nstar_window_*) is never read at an instant: at a step of seconds that would show one window in
//   many. Either each window once (last_over_time over 1 ms at steps of 50 ms) or all windows of a step (max, avg).
// - Rates of counters use $__rate_interval, recorded series (one sample a second) $__interval with a minimum step.

import { LIMIT } from './limits.js';

const TIER = 'app="$app",tier=~"$tier",instance=~"$instance"';
const EDGE = 'app="$app"';
const EXPORTER = 'instance=~"$instance"';
const BY_TIER = 'by (instance, app, tier)';

const share = (state: string) => `nstar:tier_state_share:ratio10s{state="${state}",${TIER}}`;
const eachWindow = (metric: string) => `last_over_time(${metric}{${TIER}}[1ms])`;
const perSecond = (metric: string, range: string) => `sum ${BY_TIER} (rate(${metric}{${TIER}}[${range}]))`;

/** Fixed, not $__rate_interval: "now" must not grow with the time range shown. */
const NOW = '1m';

/** Of a counter that is scraped only once a minute, a minute holds a single sample: then it takes two minutes. */
const nowPerSecond = (metric: string) => `${perSecond(metric, NOW)}\nor ${perSecond(metric, '2m')}`;

/** At a glance. */
export const now = {
  // 2 frozen, 1 saturated, 0 neither, -1 no N* (then saturated and frozen do not exist).
  state: `max ${BY_TIER} (
  2 * (avg_over_time(${share('frozen')}[${NOW}]) > bool ${LIMIT.frozenShare})
  or (avg_over_time(${share('saturated')}[${NOW}]) > bool ${LIMIT.saturatedShare})
  or 0 * avg_over_time(${share('idle')}[${NOW}]) - 1
)`,
  saturated: `max ${BY_TIER} (avg_over_time(${share('saturated')}[${NOW}]))`,
  frozen: `max ${BY_TIER} (avg_over_time(${share('frozen')}[${NOW}]))`,
  throughput: nowPerSecond('nstar_tier_completions_total'),
  maxThroughput: `max ${BY_TIER} (nstar:tier_max_throughput:requests_per_second{${TIER}})`,
  queue: nowPerSecond('nstar_tier_queue_seconds_total'),
  saturationPoint: `max ${BY_TIER} (nstar:tier_saturation_point:queue_length{${TIER}})`,
};

/**
 * Every alert of Nstar, whatever is chosen: "None" must mean none, and tiers that nobody has configured belong to an
 * application of their own.
 */
const NSTAR = 'alertname=~"Nstar.*"';
const ALERT = `ALERTS{${NSTAR},alertstate="firing"}`;
const BY_ALERT = 'by (alertname, app, tier, from, to, reason, instance)';
export const alerts = {
  since: `label_join(
  max ${BY_ALERT} (${ALERT} * ignoring (alertstate) (time() - ALERTS_FOR_STATE{${NSTAR}})),
  "where", " ", "tier", "from", "to", "reason"
)`,
  // The first step that an alert fires in, if only for a part of it: a mark, not a region that would cover the graph.
  starts: `max ${BY_ALERT} (
  last_over_time(${ALERT}[$__interval]) unless last_over_time(${ALERT}[$__interval] offset $__interval)
)`,
};

const correlationNow = `avg_over_time(nstar:edge_correlation:pearson12s{${EDGE}}[${NOW}])`;
const bothBeyondNow = `avg_over_time(nstar:edge_saturated_share:ratio10s{${EDGE}}[${NOW}])`;
export const turns = {
  verdict: `(${correlationNow} < bool ${LIMIT.turnsCorrelation})
* on (app, from, to) (${bothBeyondNow} > bool ${LIMIT.turnsShare})`,
  correlation: correlationNow,
  bothBeyond: bothBeyondNow,
};

const causeNow = `avg_over_time(nstar:cause_correlation:pearson12s{${TIER}}[${NOW}])`;
export const causes = {
  verdict: `(${causeNow} > bool ${LIMIT.causeCorrelation})
* on (instance, app, tier) group_left () (
  max ${BY_TIER} (avg_over_time(${share('frozen')}[${NOW}])) > bool ${LIMIT.causeFrozenShare}
)`,
  correlation: causeNow,
  // The label makes it a column of the same row; garbage collection is the cause that has a share.
  gcTime: `label_replace(
  max ${BY_TIER} (avg_over_time(nstar_window_gc_ratio{${TIER}}[${NOW}])), "cause", "garbage_collection", "", ""
)`,
};

/** What the Main sequence panel asks for; it knows each by its refId. */
export const panel = {
  queue: eachWindow('nstar_window_queue_length'),
  throughput: eachWindow('nstar_window_throughput'),
  residence: eachWindow('nstar_window_residence_seconds'),
  gc: eachWindow('nstar_window_gc_ratio'),
  saturation_point: `nstar:tier_saturation_point:queue_length{${TIER}}`,
  max_throughput: `nstar:tier_max_throughput:requests_per_second{${TIER}}`,
  curve_queue: `nstar:tier_load_queue_length:mean15m{${TIER}}`,
  curve_throughput: `nstar:tier_load_throughput:requests_per_second15m{${TIER}}`,
  curve_windows: `nstar:tier_load_windows:increase15m{${TIER}}`,
  state_share: `avg_over_time(nstar:tier_state_share:ratio10s{${TIER}}[$__interval])`,
  window_width: `max by (instance) (nstar:window_width:seconds{${EXPORTER}})`,
  edges: `group by (app, from, to) (nstar_edge_calls_total{${EDGE}})`,
};

/** Turns and causes over time. */
export const course = {
  correlation: `avg_over_time(nstar:edge_correlation:pearson12s{${EDGE}}[$__interval])`,
  bothBeyond: `avg_over_time(nstar:edge_saturated_share:ratio10s{${EDGE}}[$__interval])`,
  cause: `avg_over_time(nstar:cause_correlation:pearson12s{${TIER}}[$__interval])`,
  gc: `max_over_time(nstar_window_gc_ratio{${TIER}}[$__interval])`,
  // Only of the tiers that collect garbage.
  gcQueue: `max_over_time(nstar_window_queue_length{${TIER}}[$__interval])
and on (instance, app, tier) max_over_time(nstar_window_gc_ratio{${TIER}}[$__interval])`,
  residence: `${perSecond('nstar_tier_residence_seconds_total', '$__rate_interval')}
/ ${perSecond('nstar_tier_completions_total', '$__rate_interval')}`,
  residenceWorst: `max_over_time(nstar_window_residence_seconds{${TIER}}[$__interval])`,
};

/** Long ranges: counters and recorded shares only, which are exact at any step. */
export const history = {
  // The mean over servers and seconds. Every second has "idle"; "saturated" and "frozen" only those with N*, so that their
  // own means would add up to more than 1 with the rest.
  states: `sum by (state) (sum_over_time(nstar:tier_state_share:ratio10s{${TIER}}[$__interval]))
/ on () group_left () sum(count_over_time(${share('idle')}[$__interval]))`,
  throughput: perSecond('nstar_tier_completions_total', '$__rate_interval'),
  maxThroughput: `max_over_time(nstar:tier_max_throughput:requests_per_second{${TIER}}[$__interval])`,
  queue: perSecond('nstar_tier_queue_seconds_total', '$__rate_interval'),
  saturationPoint: `max_over_time(nstar:tier_saturation_point:queue_length{${TIER}}[$__interval])`,
  aborts: perSecond('nstar_tier_aborts_total', '$__rate_interval'),
  outstanding: `sum by (app, from, to) (rate(nstar_edge_wait_seconds_total{${EDGE}}[$__rate_interval]))`,
};

const DROPPED = `nstar_dropped_total{${EXPORTER}}`;

/** The exporters themselves. */
export const exporter = {
  up: `min by (instance) (up{job=~"nstar|nstar_windows",${EXPORTER}})`,
  version: `max by (instance, version, revision) (nstar_build_info{${EXPORTER}})`,
  age: `time() - max by (instance) (timestamp(nstar_window_queue_length{${TIER}}))`,
  settled: `sum by (instance) (rate(nstar_windows_settled_total{${EXPORTER}}[$__rate_interval]))`,
  // Nothing at all is 0: of an exporter that cannot be scraped, and of one whose counters tell of requests.
  arrived: `clamp_max(
  max by (instance) (count_over_time(nstar_window_queue_length{${TIER}}[$__interval] offset 10s))
  * on (instance) last_over_time(nstar:window_width:seconds{${EXPORTER}}[$__interval] offset 10s) / ($__interval_ms / 1000), 1
)
or on (instance) 0 * max by (instance) (
  (up{job="nstar_windows",${EXPORTER}} offset 10s == 0) or nstar_tier_completions_total{${TIER}} offset 10s > 0
)`,
  scrape: `max by (instance, job) (max_over_time(scrape_duration_seconds{job=~"nstar|nstar_windows",${EXPORTER}}[$__rate_interval]))`,
  drift: `max ${BY_TIER} (avg_over_time(nstar_drift_requests{${TIER}}[$__rate_interval]))`,
  // Since the step before, so that each drop is in one bar; increase() would miss those between two steps. A counter that
  // has just appeared, or started again, counts from zero; one that was away for some scrapes goes on.
  dropped: `sum by (instance, reason) (
  ${DROPPED} - (last_over_time(${DROPPED}[1h] offset $__interval) <= ${DROPPED} or 0 * ${DROPPED})
)`,
  cost: `sum by (instance) (rate(nstar_bpf_run_seconds_total{${EXPORTER}}[$__rate_interval]))`,
  costPerRun: `sum by (instance) (rate(nstar_bpf_run_seconds_total{${EXPORTER}}[$__rate_interval]))
/ sum by (instance) (rate(nstar_bpf_runs_total{${EXPORTER}}[$__rate_interval]))`,
};

/** The variables' choices. */
export const values = {
  // Also where the range is shorter than the interval of the scrapes.
  app: 'query_result(sort_desc(sum by (app) (max_over_time(nstar_tier_completions_total[$__range]) or nstar_tier_completions_total)))',
  tier: 'label_values(nstar_tier_completions_total{app="$app"}, tier)',
  instance: 'label_values(nstar_tier_completions_total{app="$app",tier=~"$tier"}, instance)',
};
