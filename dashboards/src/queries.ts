// SPDX-License-Identifier: Apache-2.0
//
// Every query of the dashboard. Five rules keep them honest:
// - Nothing is judged here: states, N*, verdict, causes and milliseconds are those that the exporters and the rules
//   have.
// - What happened "now" is the mean of the last minute, as in the alerts, so that dashboard, alerts and nstartool
//   agree.
// - The application is one name (=), tiers and instances are a regular expression (=~).
// - A series of windows (nstar_window_*) is never read at an instant: at a step of seconds that would show one window
//   in many. Either each window once (last_over_time over 1 ms at steps of 50 ms) or all windows of a step (max, avg).
// - Rates of counters use $__rate_interval, recorded series (one sample a second) $__interval with a minimum step.

const TIER = 'app="$app",tier=~"$tier",instance=~"$instance"';
/**
 * Of what lies between tiers, or is of an application as a whole: whoever chose a tier must not miss the one to blame.
 */
const APP = 'app="$app"';
const EXPORTER = 'instance=~"$instance"';
const BY_TIER = 'by (instance, app, tier)';

const share = (state: string) => `nstar:tier_state_share:ratio10s{state="${state}",${TIER}}`;
const eachWindow = (metric: string) => `last_over_time(${metric}{${TIER}}[1ms])`;
const perSecond = (metric: string, range: string) => `sum ${BY_TIER} (rate(${metric}{${TIER}}[${range}]))`;

/** Fixed, not $__rate_interval: "now" must not grow with the time range shown. */
const NOW = '1m';

/** Of a counter that is scraped only once a minute, a minute holds a single sample: then it takes two minutes. */
const nowPerSecond = (metric: string) => `${perSecond(metric, NOW)}\nor ${perSecond(metric, '2m')}`;

/** The verdict on the application: one series, of which all but the share of a bottleneck is in the labels. */
const verdictOf = (only = '') => `max by (app, verdict, tier, cause) (nstar:app_verdict{${APP}${only}})`;
const BOTTLENECK = verdictOf(',verdict=~".+_bottleneck"');
const RESPONSE = `on (app) group_left () sum by (app) (nstar:app_response_time:seconds{${APP}})`;
export const verdict = {
  // The cause once more, for the column that says what to do.
  verdict: `label_join(${verdictOf()}, "advice", "", "cause")`,
  response: `0 * ${verdictOf()}\n+ ${RESPONSE}`,
  cost: `${BOTTLENECK}\n* ${RESPONSE}`,
  share: BOTTLENECK,
};

/** Where a request spends its time. */
export const place = {
  waited: `max by (app, tier) (nstar:app_response_time:seconds{${APP}})`,
};

/** What a request's time is charged to; adds up to the mean response time. The part without excess is called work. */
export const blame = {
  time: `max by (app, tier, cause) (
  label_replace(nstar:app_base_time:seconds{${APP}}, "cause", "work", "", "")
  or nstar:app_excess_time:seconds{${APP}} > 0
)`,
  tail: `max by (app, tier, cause) (nstar:app_tail_share:ratio{${APP}}) > 0`,
};

const shareNow = (state: string) => `max ${BY_TIER} (avg_over_time(${share(state)}[${NOW}]))`;

/** Each tier now. */
export const now = {
  frozen: shareNow('frozen'),
  saturated: shareNow('saturated'),
  waiting: shareNow('waiting'),
  unknown: shareNow('unknown'),
  ownQueue: nowPerSecond('nstar_tier_own_queue_seconds_total'),
  queue: nowPerSecond('nstar_tier_queue_seconds_total'),
  saturationPoint: `max ${BY_TIER} (nstar_tier_saturation_point_queue_length{${TIER}})`,
  // Known or not, and why not: in the label.
  status: `max by (instance, app, tier, status) (nstar_tier_saturation_status{${TIER}}) > 0`,
  throughput: nowPerSecond('nstar_tier_completions_total'),
  maxThroughput: `max ${BY_TIER} (nstar_tier_max_throughput_requests_per_second{${TIER}})`,
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

const STARTS = `nstar_tier_start_time_seconds{${APP}}`;
const startedBy = (range: string) => `max by (tier, app) (last_over_time(${STARTS}${range}))`;
/** The first step in which a server of a tier is another one than before, be it that there was none for minutes. */
export const restarts = `${startedBy('[$__interval]')}\n> on (app, tier) ${startedBy('[5m] offset $__interval')}`;

/** What the Main sequence panel asks for; it knows each by its refId. */
export const panel = {
  own_queue: eachWindow('nstar_window_own_queue_length'),
  queue: eachWindow('nstar_window_queue_length'),
  throughput: eachWindow('nstar_window_throughput'),
  residence: eachWindow('nstar_window_residence_seconds'),
  gc: eachWindow('nstar_window_gc_ratio'),
  state: eachWindow('nstar_window_state'),
  saturation_point: `nstar_tier_saturation_point_queue_length{${TIER}}`,
  saturation_point_low: `nstar_tier_saturation_point_queue_length_low{${TIER}}`,
  saturation_point_high: `nstar_tier_saturation_point_queue_length_high{${TIER}}`,
  saturation_status: `nstar_tier_saturation_status{${TIER}} > 0`,
  max_throughput: `nstar_tier_max_throughput_requests_per_second{${TIER}}`,
  own_curve_queue: `nstar:tier_own_load_queue_length:mean15m{${TIER}}`,
  own_curve_throughput: `nstar:tier_own_load_throughput:requests_per_second15m{${TIER}}`,
  own_curve_windows: `nstar:tier_own_load_windows:increase15m{${TIER}}`,
  curve_queue: `nstar:tier_load_queue_length:mean15m{${TIER}}`,
  curve_throughput: `nstar:tier_load_throughput:requests_per_second15m{${TIER}}`,
  curve_windows: `nstar:tier_load_windows:increase15m{${TIER}}`,
  state_share: `avg_over_time(nstar:tier_state_share:ratio10s{${TIER}}[$__interval])`,
  window_width: `max by (instance) (nstar:window_width:seconds{${EXPORTER}})`,
  edges: `group by (app, from, to) (nstar_edge_calls_total{${APP}})`,
};

/** Places, causes and turns over time. */
export const course = {
  waited: `avg_over_time(nstar:app_response_time:seconds{${APP}}[$__interval])`,
  charged: `label_replace(avg_over_time(nstar:app_base_time:seconds{${APP}}[$__interval]), "cause", "work", "", "")
or avg_over_time(nstar:app_excess_time:seconds{${APP}}[$__interval]) > 0`,
  correlation: `avg_over_time(nstar:edge_correlation:pearson12s{${APP}}[$__interval])`,
  turns: `avg_over_time(nstar:edge_turns:increase1m{${APP}}[$__interval])`,
  bothBeyond: `avg_over_time(nstar:edge_saturated_share:ratio10s{${APP}}[$__interval])`,
  cause: `avg_over_time(nstar:cause_correlation:pearson12s{${TIER}}[$__interval])`,
  gc: `max_over_time(nstar_window_gc_ratio{${TIER}}[$__interval])`,
  // Only of the tiers that collect garbage.
  gcQueue: `max_over_time(nstar_window_own_queue_length{${TIER}}[$__interval])
and on (instance, app, tier) max_over_time(nstar_window_gc_ratio{${TIER}}[$__interval])`,
  residence: `${perSecond('nstar_tier_residence_seconds_total', '$__rate_interval')}
/ ${perSecond('nstar_tier_completions_total', '$__rate_interval')}`,
  residenceWorst: `max_over_time(nstar_window_residence_seconds{${TIER}}[$__interval])`,
};

/** Long ranges: counters and recorded shares only, which are exact at any step. */
export const history = {
  // The mean over servers and seconds. Every second has "idle"; a state that has not been seen may have no series.
  states: `sum by (state) (sum_over_time(nstar:tier_state_share:ratio10s{${TIER}}[$__interval]))
/ on () group_left () sum(count_over_time(${share('idle')}[$__interval]))`,
  throughput: perSecond('nstar_tier_completions_total', '$__rate_interval'),
  maxThroughput: `max_over_time(nstar:tier_max_throughput:requests_per_second{${TIER}}[$__interval])`,
  ownQueue: perSecond('nstar_tier_own_queue_seconds_total', '$__rate_interval'),
  queue: perSecond('nstar_tier_queue_seconds_total', '$__rate_interval'),
  saturationPoint: `max_over_time(nstar:tier_saturation_point:queue_length{${TIER}}[$__interval])`,
  aborts: perSecond('nstar_tier_aborts_total', '$__rate_interval'),
  outstanding: `sum by (app, from, to) (rate(nstar_edge_wait_seconds_total{${APP}}[$__rate_interval]))`,
  // Over all servers of a tier.
  processors: `max_over_time(nstar:tier_neighbour:ratio1m{${APP},tier=~"$tier"}[$__interval])`,
  disks: `max_over_time(nstar:tier_disk_neighbour:ratio1m{${APP},tier=~"$tier"}[$__interval])`,
};

/** Whom tiers wait for, all servers of a tier together. */
export const waiting = {
  share: `avg_over_time(nstar:tier_waiting_share:ratio5m{app="$app",tier=~"$tier"}[$__interval])`,
};

/** Where tiers run. What node_exporter says is of a host as a whole, under its own address. */
export const cores = {
  used: `avg_over_time(nstar:tier_processors_used:mean5m{${TIER}}[$__interval])`,
  spread: `max_over_time(nstar:tier_domain_spread:ratio5m{${TIER}}[$__interval])`,
  migrations: `avg_over_time(nstar:tier_migrations:rate1m{${TIER}}[$__interval])`,
  missesPerRequest: `avg_over_time(nstar:tier_cache_misses:per_request5m{app="$app",tier=~"$tier"}[$__interval])`,
  misses: `topk(10, avg_over_time(nstar:core_cache_misses:rate1m{${EXPORTER}}[$__interval]))`,
  tierDisk: `max_over_time(nstar:tier_disk_concentration:ratio5m{${TIER}}[$__interval])`,
  hostDisk: 'max_over_time(nstar:host_iowait_concentration:ratio5m[$__interval])',
  turns: `min_over_time(nstar:tier_processor_disk:pearson12s{${TIER}}[$__interval])`,
  colocated: `avg_over_time(nstar:app_colocated:pearson1m{${APP}}[$__interval])`,
};

const DROPPED = `nstar_dropped_total{${EXPORTER}}`;

/** Seconds, as far back as the windows that are counted. */
const WIDTH = `last_over_time(nstar:window_width:seconds{${EXPORTER}}[$__interval] offset 10s)`;

/** The exporters themselves. */
export const exporter = {
  up: `min by (instance) (up{job=~"nstar|nstar_windows",${EXPORTER}})`,
  version: `max by (instance, version, revision) (nstar_build_info{${EXPORTER}})`,
  age: `time() - max by (instance) (timestamp(nstar_window_queue_length{${TIER}}))`,
  settled: `sum by (instance) (rate(nstar_windows_settled_total{${EXPORTER}}[$__rate_interval]))`,
  // Nothing at all is 0: of an exporter that cannot be scraped, and of one whose counters tell of requests.
  arrived: `clamp_max(
  max by (instance) (count_over_time(nstar_window_queue_length{${TIER}}[$__interval] offset 10s))
  * on (instance) ${WIDTH} / ($__interval_ms / 1000), 1
)
or on (instance) 0 * max by (instance) (
  (up{job="nstar_windows",${EXPORTER}} offset 10s == 0) or nstar_tier_completions_total{${TIER}} offset 10s > 0
)`,
  scrape:
    'max by (instance, job) (' +
    `max_over_time(scrape_duration_seconds{job=~"nstar|nstar_windows",${EXPORTER}}[$__rate_interval]))`,
  drift: `max ${BY_TIER} (avg_over_time(nstar_drift_requests{${TIER}}[$__rate_interval]))`,
  // Since the step before, so that each drop is in one bar; increase() would miss those between two steps. A counter
  // that has just appeared, or started again, counts from zero; one that was away for some scrapes goes on. Those at
  // zero are left to the end: nearly all are, and matching the series of a hundred exporters three times takes twice as
  // long.
  dropped: `sum by (instance, reason) (
  (${DROPPED} > 0) - (last_over_time(${DROPPED}[1h] offset $__interval) <= (${DROPPED} > 0) or 0 * (${DROPPED} > 0))
  or 0 * ${DROPPED}
)`,
  cost: `sum by (instance) (rate(nstar_bpf_run_seconds_total{${EXPORTER}}[$__rate_interval]))`,
  costPerRun: `sum by (instance) (rate(nstar_bpf_run_seconds_total{${EXPORTER}}[$__rate_interval]))
/ sum by (instance) (rate(nstar_bpf_runs_total{${EXPORTER}}[$__rate_interval]))`,
};

/** One series per application, whose only label of use is the state; the newest where a restart left two. */
const CAPACITY_STATE = `max by (app, state) (nstar:app_capacity_state{${APP}})`;
const level = (name: string) => `max by (app) (nstar:app_capacity:requests_per_second{level="${name}",${APP}})`;
/** A value of the application beside its state, so that a table has one row. */
const besideState = (expr: string) => `0 * ${CAPACITY_STATE}\n+ on (app) group_left () ${expr}`;
// After a restart of Prometheus there are two for some minutes.
const LIMITING = `topk by (app) (1, max by (app, tier) (nstar:app_limiting_tier:ratio{${APP}}))`;
const SOURCE = `topk by (app) (
  1, max by (app, source) (nstar:app_capacity:requests_per_second{level="peak",${APP}})
)`;
const BY_INDICATOR = 'by (app, tier, type, metric)';
/** Whoever chose a tier must not miss the one that limits, so that positions are those of all. */
const POSITION = `nstar:indicator_position:ratio{${APP}}`;
const INDICATOR = 'app="$app",tier=~"$tier"';

/** How near the application is to the most that it can serve. */
export const capacityNow = {
  state: CAPACITY_STATE,
  throughput: besideState(`max by (app) (nstar:app_throughput:requests_per_second{${APP}})`),
  headroom: besideState(`max by (app) (nstar:app_headroom:requests_per_second{${APP}})`),
  peak: besideState(level('peak')),
  th95: besideState(level('th95')),
  limit: besideState(level('limit')),
  // Where the peak comes from, and which tier limits: in the label.
  source: `0 * ${CAPACITY_STATE}\n+ on (app) group_left (source) ${SOURCE}`,
  limiting: `0 * ${CAPACITY_STATE}\n+ on (app) group_left (tier) ${LIMITING}`,
};

export const capacityCourse = {
  throughput: `avg_over_time(nstar:app_throughput:requests_per_second{${APP}}[$__interval])`,
  peak: `max by (app) (avg_over_time(nstar:app_capacity:requests_per_second{level="peak",${APP}}[$__interval]))`,
  th95: `max by (app) (avg_over_time(nstar:app_capacity:requests_per_second{level="th95",${APP}}[$__interval]))`,
  limit: `max by (app) (avg_over_time(nstar:app_capacity:requests_per_second{level="limit",${APP}}[$__interval]))`,
  headroom: `avg_over_time(nstar:app_headroom:requests_per_second{${APP}}[$__interval])`,
  // There is one state at a time, so that these add up to 1.
  states: `sum by (state) (count_over_time(nstar:app_capacity_state{${APP}}[$__interval]))
/ on () group_left () sum(count_over_time(nstar:app_capacity_state{${APP}}[$__interval]))`,
  types: `avg_over_time(nstar:app_capacity_position:ratio{${APP}}[$__interval])`,
  tiers: `avg_over_time(nstar:tier_capacity_position:ratio{${APP}}[$__interval])`,
  ratios: `max ${BY_INDICATOR} (avg_over_time(nstar:indicator:ratio{${INDICATOR}}[$__interval]))`,
  gray: `nstar:app_gray_share:ratio1d{${APP}}`,
};

/**
 * The indicators that the state is made of: what a study recommends, else those whose limit means the same everywhere.
 */
export const recommended = {
  position: `max ${BY_INDICATOR} (${POSITION})`,
  ratio: `max ${BY_INDICATOR} (nstar:indicator:ratio{${INDICATOR}}) and max ${BY_INDICATOR} (${POSITION})`,
  value: `max ${BY_INDICATOR} (nstar:indicator:value{${INDICATOR}}) and max ${BY_INDICATOR} (${POSITION})`,
};

/** All indicators, of Nstar and of the standard exporters. */
export const indicators = {
  ratio: `max ${BY_INDICATOR} (nstar:indicator:ratio{${INDICATOR}})`,
  value: `max ${BY_INDICATOR} (nstar:indicator:value{${INDICATOR}})`,
};

/** The variables' choices. */
export const values = {
  // Also where the range is shorter than the interval of the scrapes.
  app:
    'query_result(sort_desc(sum by (app) (' +
    'max_over_time(nstar_tier_completions_total[$__range]) or nstar_tier_completions_total)))',
  tier: 'label_values(nstar_tier_completions_total{app="$app"}, tier)',
  instance: 'label_values(nstar_tier_completions_total{app="$app",tier=~"$tier"}, instance)',
};
