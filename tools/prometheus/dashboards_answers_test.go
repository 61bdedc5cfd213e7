// SPDX-License-Identifier: Apache-2.0

package exposition

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/promql/promqltest"
)

// answers are scripts in the language of Prometheus' own tests; QUERY stands for a query of the dashboard, as it is
// with the application shop, every tier and instance, and this step. Panels of a closed row are named after it.
var answers = []struct {
	name, query string
	step        time.Duration
	script      string
}{
	{
		name:  "alerts of every application and of each host",
		query: "Alerts firing/since",
		script: `
load 5s
  ALERTS{alertname="NstarTierFrozen",alertstate="firing",app="board",tier="db",instance="a"} 1x24
  ALERTS_FOR_STATE{alertname="NstarTierFrozen",app="board",tier="db",instance="a"} 60x24
  ALERTS{alertname="NstarExporterDown",alertstate="firing",instance="b",job="nstar"} 1x24
  ALERTS_FOR_STATE{alertname="NstarExporterDown",instance="b",job="nstar"} 30x24
  ALERTS{alertname="NstarExporterDown",alertstate="firing",instance="b",job="nstar_windows"} 1x24
  ALERTS_FOR_STATE{alertname="NstarExporterDown",instance="b",job="nstar_windows"} 40x24
  ALERTS{alertname="NstarExporterDown",alertstate="firing",instance="c",job="nstar"} 1x24
  ALERTS_FOR_STATE{alertname="NstarExporterDown",instance="c",job="nstar"} 50x24
  ALERTS{alertname="NstarTierSaturated",alertstate="pending",app="shop",tier="db",instance="a"} 1x24
  ALERTS_FOR_STATE{alertname="NstarTierSaturated",app="shop",tier="db",instance="a"} 60x24
  ALERTS{alertname="DiskFull",alertstate="firing",instance="a"} 1x24
  ALERTS_FOR_STATE{alertname="DiskFull",instance="a"} 60x24

eval instant at 2m sum by (alertname, app, tier, instance) (QUERY)
  {alertname="NstarTierFrozen",app="board",tier="db",instance="a"} 60
  {alertname="NstarExporterDown",instance="b"} 90
  {alertname="NstarExporterDown",instance="c"} 70
`,
	},
	{
		name:  "one mark for an alert that is shorter than the step",
		query: "Alerts",
		step:  5 * time.Minute,
		script: `
load 5s
  ALERTS{alertname="NstarTierFrozen",alertstate="firing",app="board",tier="db",instance="a"} _x72 1x18 stale

eval range from 0 to 30m step 5m QUERY
  {alertname="NstarTierFrozen",app="board",tier="db",instance="a"} _ _ 1 _ _ _ _
`,
	},
	{
		name:  "one mark for each host, where an alert goes on",
		query: "Alerts",
		step:  time.Minute,
		script: `
load 5s
  ALERTS{alertname="NstarExporterDown",alertstate="firing",instance="b",job="nstar"} _x13 1x60 stale
  ALERTS{alertname="NstarExporterDown",alertstate="firing",instance="c",job="nstar"} _x30 1x60 stale

eval range from 0 to 8m step 1m QUERY
  {alertname="NstarExporterDown",instance="b"} _ _ 1 _ _ _ _ _ _
  {alertname="NstarExporterDown",instance="c"} _ _ _ 1 _ _ _ _ _
`,
	},
	{
		name:  "no second mark where an evaluation of the rule was missed",
		query: "Alerts",
		step:  0, // its minimum
		script: `
load 5s
  ALERTS{alertname="NstarExporterDown",alertstate="firing",instance="b",job="nstar"} _ 1 1 1 _ 1 1 _ 1 1 1 stale

# Its step is 10 s: looked at every 5 s, a mark is there twice.
eval instant at 1m sum(sum_over_time((QUERY)[1m:5s])) / 2
  {} 1
`,
	},
	{
		name:  "what the bottleneck of the application costs",
		query: "Verdict/cost",
		script: `
load 5s
  nstar:app_verdict{app="shop",verdict="single_bottleneck",tier="db",cause="stopped"} 0.5x20
  nstar:app_verdict{app="board",verdict="single_bottleneck",tier="web",cause="demand"} 0.9x20
  nstar:app_response_time:seconds{app="shop",tier="db"} 0.3x20
  nstar:app_response_time:seconds{app="shop",tier="web"} 0.1x20
  nstar:app_response_time:seconds{app="board",tier="web"} 9x20

eval instant at 1m QUERY
  {app="shop",verdict="single_bottleneck",tier="db",cause="stopped"} 0.2
`,
	},
	{
		name:  "a verdict without a bottleneck costs nothing",
		query: "Verdict/cost",
		script: `
load 5s
  nstar:app_verdict{app="shop",verdict="learning"} 1x20
  nstar:app_response_time:seconds{app="shop",tier="db"} 0.3x20

eval instant at 1m QUERY
`,
	},
	{
		name:  "the mean response time beside any verdict",
		query: "Verdict/response",
		script: `
load 5s
  nstar:app_verdict{app="shop",verdict="healthy"} 1x20
  nstar:app_response_time:seconds{app="shop",tier="db"} 0.3x20
  nstar:app_response_time:seconds{app="shop",tier="web"} 0.1x20

eval instant at 1m QUERY
  {app="shop",verdict="healthy"} 0.4
`,
	},
	{
		name:  "what the time is charged to adds up: work, and whatever takes some",
		query: "What the time is charged to/time",
		script: `
load 5s
  nstar:app_base_time:seconds{app="shop",tier="db"} 0.2x20
  nstar:app_base_time:seconds{app="shop",tier="web"} 0.05x20
  nstar:app_excess_time:seconds{app="shop",tier="db",cause="stopped"} 0.15x20
  nstar:app_excess_time:seconds{app="shop",tier="db",cause="demand"} 0x20
  nstar:app_base_time:seconds{app="board",tier="db"} 9x20

eval instant at 1m QUERY
  {app="shop",tier="db",cause="work"} 0.2
  {app="shop",tier="web",cause="work"} 0.05
  {app="shop",tier="db",cause="stopped"} 0.15
`,
	},
	{
		name:  "why a tier has no N*, and no other reason",
		query: "Tiers now/status",
		script: `
load 5s
  nstar_tier_saturation_status{app="shop",tier="db",instance="a",job="nstar",status="always_at_limit"} 1x20
  nstar_tier_saturation_status{app="shop",tier="db",instance="a",job="nstar",status="known"} 0x20

eval instant at 1m QUERY
  {app="shop",tier="db",instance="a",status="always_at_limit"} 1
`,
	},
	{
		name:  "states add up to 1 over servers, of which not each has every state",
		query: "States of $tier/share",
		step:  time.Minute,
		script: `
load 5s
  nstar:tier_state_share:ratio10s{state="idle",app="shop",tier="db",instance="a"} 0.2x60
  nstar:tier_state_share:ratio10s{state="normal",app="shop",tier="db",instance="a"} 0.4x60
  nstar:tier_state_share:ratio10s{state="saturated",app="shop",tier="db",instance="a"} 0.3x60
  nstar:tier_state_share:ratio10s{state="frozen",app="shop",tier="db",instance="a"} 0.1x60
  nstar:tier_state_share:ratio10s{state="idle",app="shop",tier="db",instance="b"} 0.6x60
  nstar:tier_state_share:ratio10s{state="normal",app="shop",tier="db",instance="b"} 0.4x60
  nstar:tier_state_share:ratio10s{state="idle",app="other",tier="db",instance="c"} 1x60

eval instant at 3m QUERY
  {state="idle"} 0.4
  {state="normal"} 0.4
  {state="saturated"} 0.15
  {state="frozen"} 0.05
`,
	},
	{
		name:  "states add up to 1 in a step in which one is seen for the first time",
		query: "States of $tier/share",
		step:  time.Minute,
		script: `
load 5s
  nstar:tier_state_share:ratio10s{state="idle",app="shop",tier="db",instance="a"} 0.2x60
  nstar:tier_state_share:ratio10s{state="normal",app="shop",tier="db",instance="a"} 0.8x29 0.4x30
  nstar:tier_state_share:ratio10s{state="saturated",app="shop",tier="db",instance="a"} _x30 0.4x30

eval instant at 2m55s QUERY
  {state="idle"} 0.2
  {state="normal"} 0.6
  {state="saturated"} 0.2
`,
	},
	{
		name:  "each drop is in one bar: of a counter that appears, over a scrape that failed, after a restart",
		query: "Exporter health/Dropped, by reason/dropped",
		step:  10 * time.Second,
		script: `
load 5s
  nstar_dropped_total{instance="a",job="nstar",reason="edge_limit"} 0 0 0 0 1 1 1 1 1 4 4 4 4
  nstar_dropped_total{instance="a",job="nstar",reason="socket_storage"} _ _ _ 7 7 7 7 7 7 7 7 7 7
  nstar_dropped_total{instance="a",job="nstar",reason="tier_limit"} 3 3 3 3 stale stale stale stale 5 5 5 5 5
  nstar_dropped_total{instance="a",job="nstar",reason="clock_set"} 9 9 9 9 9 9 9 0 0 2 2 2 2

eval range from 10s to 60s step 10s QUERY
  {instance="a",reason="edge_limit"} 0 1 0 0 3 0
  {instance="a",reason="socket_storage"} _ 7 0 0 0 0
  {instance="a",reason="tier_limit"} 0 _ _ 2 0 0
  {instance="a",reason="clock_set"} 0 0 0 0 2 0
`,
	},
	{
		name:  "windows that reached Prometheus: all, those of a host that is down, of one that none are taken from",
		query: "Exporter health/Windows that reached Prometheus/arrived",
		step:  10 * time.Second,
		script: `
load 50ms
  nstar_window_queue_length{app="shop",tier="db",instance="up"} 1x1200
  nstar:window_width:seconds{instance="up"} 0.05x1200
  up{job="nstar_windows",instance="up"} 1x1200
  nstar_tier_completions_total{app="shop",tier="db",instance="up"} 1x1200
  nstar_window_queue_length{app="shop",tier="db",instance="down"} 1x600 _x600
  nstar:window_width:seconds{instance="down"} 0.05x700 stale
  up{job="nstar_windows",instance="down"} 1x600 0x600
  nstar_tier_completions_total{app="shop",tier="db",instance="down"} 1x600 stale
  nstar:window_width:seconds{instance="untaken"} 0.05x1200
  up{job="nstar_windows",instance="untaken"} 1x1200
  nstar_tier_completions_total{app="shop",tier="db",instance="untaken"} 1x1200
  nstar:window_width:seconds{instance="unused"} 0.05x1200
  up{job="nstar_windows",instance="unused"} 1x1200
  nstar_tier_completions_total{app="shop",tier="db",instance="unused"} 0x1200
  nstar_window_queue_length{app="board",tier="db",instance="elsewhere"} 1x1200
  nstar:window_width:seconds{instance="elsewhere"} 0.05x1200
  up{job="nstar_windows",instance="elsewhere"} 1x1200
  nstar_tier_completions_total{app="board",tier="db",instance="elsewhere"} 1x1200

eval range from 20s to 60s step 10s round(QUERY, 0.01)
  {instance="up"} 1 1 1 1 1
  {instance="down"} 1 1 1 0 0
  {instance="untaken"} 0 0 0 0 0
`,
	},
	{
		name:  "a host that went down within a step",
		query: "Exporter health/Windows that reached Prometheus/arrived",
		step:  time.Minute,
		script: `
load 50ms
  nstar_window_queue_length{app="shop",tier="db",instance="down"} 1x1600 _x1200
  nstar:window_width:seconds{instance="down"} 0.05x1800 stale
  up{job="nstar_windows",instance="down"} 1x1600 0x1200

eval instant at 130s round(QUERY, 0.01)
  {instance="down"} 0.33
`,
	},
	{
		name:  "queue and throughput now, where counters are scraped once a minute",
		query: "Tiers now/throughput",
		script: `
load 1m
  nstar_tier_completions_total{app="shop",tier="db",instance="a"} 0+600x10

eval instant at 5m30s QUERY
  {app="shop",tier="db",instance="a"} 10
`,
	},
	{
		name:  "queue and throughput now are those of the last minute, where scrapes allow it",
		query: "Tiers now/queue",
		script: `
load 5s
  nstar_tier_queue_seconds_total{app="shop",tier="db",instance="a"} 0+5x60 305+50x20

eval instant at 6m40s QUERY
  {app="shop",tier="db",instance="a"} 10
`,
	},
	{
		name:  "the peak beside the state, and no other application's",
		query: "Capacity now/peak",
		script: `
load 15s
  nstar:app_capacity_state{app="shop",state="gray"} 0.5x20
  nstar:app_capacity_state{app="board",state="client"} 1x20
  nstar:app_capacity:requests_per_second{app="shop",level="peak",source="study"} 410x20
  nstar:app_capacity:requests_per_second{app="shop",level="th95",source="study"} 389.5x20
  nstar:app_capacity:requests_per_second{app="board",level="peak",source="main_sequence"} 9x20

eval instant at 1m QUERY
  {app="shop",state="gray"} 410
`,
	},
	{
		name:  "one tier limits, also while that of before a restart is still there",
		query: "Capacity now/limiting",
		script: `
load 15s
  nstar:app_capacity_state{app="shop",state="server"} 0.8x20
  nstar:app_limiting_tier:ratio{app="shop",tier="db"} 0.9x20
  nstar:app_limiting_tier:ratio{app="shop",tier="web"} 0.4 _x20

eval instant at 1m QUERY
  {app="shop",state="server",tier="db"} 0.9
`,
	},
	{
		name:  "a mark where a server was started anew, in that step only",
		query: "Restarts",
		script: `
load 5s
  nstar_tier_start_time_seconds{app="shop",tier="db",instance="a"} 1000x3 2000x10
  nstar_tier_start_time_seconds{app="shop",tier="app",instance="a"} 1000 _x23 2000x10
  nstar_tier_start_time_seconds{app="shop",tier="web",instance="a"} 900x20

eval instant at 15s QUERY

eval instant at 21s QUERY
  {app="shop",tier="db"} 2000

eval instant at 35s QUERY

eval instant at 2m5s QUERY
  {app="shop",tier="app"} 2000
`,
	},
	{
		name:  "states of capacity add up to 1",
		query: "State over time/state",
		step:  time.Minute,
		script: `
load 15s
  nstar:app_capacity_state{app="shop",state="client"} 1 1 1 stale
  nstar:app_capacity_state{app="shop",state="gray"} _ _ _ 0.5 stale
  nstar:app_capacity_state{app="board",state="server"} 1x20

eval instant at 55s QUERY
  {state="client"} 0.75
  {state="gray"} 0.25
`,
	},
	{
		name:  "only indicators that count, a study's with the unit of theirs",
		query: "Recommended indicators/value",
		script: `
load 15s
  nstar:indicator_position:ratio{app="shop",tier="httpd",type="ITD",metric="workers_busy",source="study"} 0.5x20
  nstar:indicator:value{app="shop",tier="httpd",type="ITD",metric="workers_busy",source="study"} 12x20
  nstar:indicator:value{app="shop",tier="httpd",type="IOD",metric="apache_requests"} 400x20

eval instant at 1m QUERY
  {app="shop",tier="httpd",type="ITD",metric="workers_busy"} 12
`,
	},
	{
		name:  "each exporter's width of windows",
		query: "Main sequence of $tier/window_width",
		script: `
load 5s
  nstar:window_width:seconds{instance="a"} 0.05x10
  nstar:window_width:seconds{instance="b"} 0.1x10

eval instant at 30s QUERY
  {instance="a"} 0.05
  {instance="b"} 0.1
`,
	},
}

// TestDashboardAnswers evaluates queries on series that are small enough to see what the answer must be.
func TestDashboardAnswers(t *testing.T) {
	all := make(map[string]query)
	for _, q := range queries(t) {
		_, name, _ := strings.Cut(q.where, "/")
		if _, twice := all[name]; twice && name != "Alerts" && name != "Restarts" { // the marks are the same everywhere
			t.Errorf("%s is in two dashboards: name its panel otherwise", name)
		}
		all[name] = q
	}
	for _, tt := range answers {
		t.Run(tt.name, func(t *testing.T) {
			q, ok := all[tt.query]
			if !ok {
				t.Fatalf("no query %s", tt.query)
			}
			step := tt.step
			if step == 0 && q.interval != "" {
				var err error
				if step, err = time.ParseDuration(q.interval); err != nil {
					t.Fatal(err)
				}
			}
			engine := promqltest.NewTestEngine(t, false, 5*time.Minute, 1_000_000)
			promqltest.RunTest(t, strings.ReplaceAll(tt.script, "QUERY", filled(q.expr, step)), engine)
		})
	}
}

// filled is an expression on one line as Prometheus gets it.
func filled(expr string, step time.Duration) string {
	ms := strconv.FormatInt(step.Milliseconds(), 10)
	return strings.NewReplacer(
		"$app", "shop", "$tier", ".+", "$instance", ".+",
		"$__interval_ms", ms, "$__interval", ms+"ms",
	).Replace(strings.Join(strings.Fields(expr), " "))
}
