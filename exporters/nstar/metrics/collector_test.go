// SPDX-License-Identifier: Apache-2.0

package metrics

import (
	"errors"
	"flag"
	"math"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/judgement"
	"github.com/nstar-project/nstar/exporters/nstar/monitor"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/beside"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/judging"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/mix"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/stations"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/why"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/saturation"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

var update = flag.Bool("update", false, "write the golden files")

const width50 = 50 * time.Millisecond

// fixed is a monitor whose state never changes.
type fixed struct {
	state monitor.State
	err   error
}

func (f fixed) State() (monitor.State, error) { return f.state, f.err }

// sample is a state in which every series occurs.
func sample() monitor.State {
	web := monitor.Tier{TierName: discovery.TierName{App: "shop", Tier: "web"}, Drift: -1}
	for _, w := range []window.Window{
		{},
		{QueueTime: int64(width50 / 32), Arrivals: 2, Completions: 2, Residence: int64(width50 / 32)},
		{QueueTime: int64(width50), Arrivals: 10, Completions: 9, Residence: 9 * int64(5*time.Millisecond)},
		{QueueTime: int64(6 * width50), Arrivals: 20, Completions: 19, Aborts: 1, Reopened: 1,
			Residence: int64(2 * time.Second)},
		{QueueTime: int64(5000 * width50), Arrivals: 5000},
		{QueueTime: int64(40 * width50), Arrivals: 7, Completions: 5, Merged: 20},
	} {
		web.Totals.Add(w, width50)
	}
	web.Residences.Sum = 2046562500
	web.Residences.Counts[0] = 1   // up to 2^-30 s
	web.Residences.Counts[90] = 11 // up to 2^-7.5 s, 5.5 ms
	web.Residences.Counts[92] = 3  // up to 2^-7 s
	web.Residences.Counts[120] = 2 // up to 1 s
	web.Residences.Counts[probe.Buckets-1] = 4
	web.HasJudged = true
	web.Judgement = judging.Judgement{
		OwnSeconds: 12.5, ClippedSeconds: 0.25, PatientSeconds: 1.5, FullSeconds: 4.5, Collections: 3.25,
		Waiting: map[string]float64{judging.OnClients: 30, judging.OnSelf: 12.5, "db": 7.5},
		Active:  map[judgement.Cause]float64{judgement.GarbageCollection: 0.5, judging.Free: 2.5},
		States:  [6]uint64{4, 3, 2, 1, 0, 5},
		Excess: map[judging.ExcessKey]judging.Excess{
			{Cause: judgement.GarbageCollection}:      {Seconds: 3, Squares: 30},
			{Cause: judgement.SoftResource, To: "db"}: {Seconds: 2, Squares: 4},
		},
		Left: map[judging.LeftKey]float64{{To: "db", Cause: judgement.GarbageCollection}: 0.5},
	}
	web.OwnLoad.Add(0.9, 7, int64(width50)*9/10)
	web.Estimate = saturation.Estimate{
		Base: 0.002, MaxThroughput: 1500, SaturationPoint: 3, Low: 2.5, High: 3.5, Speed: 0.97, Windows: 400,
		Status: saturation.Known,
	}
	web.WithGC = 0.84
	web.Stops = map[judgement.Cause]uint64{judgement.Stopped: 7, judgement.GarbageCollection: 0}
	web.Program = "php-fpm"
	web.Code = "bin/worker.php"
	web.OverUnix = []string{"/run/mysqld/mysqld.sock"}
	web.Clients = []string{"python3"}
	web.Start = 1700000030250 * time.Millisecond
	web.Accept = &causes.Accept{Waiting: 37, Limit: 511, Refused: 12}
	faults := uint64(1234)
	web.Faults = &faults
	safepoints := 375 * time.Millisecond
	web.Safepoints = &safepoints
	web.Reasons = why.Reasons{
		Seconds:    map[string]float64{"cpu": 12, "runqueue": 3.5},
		Neighbours: map[causes.Who]float64{{Name: "nightly"}: 2.5, {Name: "db", Own: true}: 1, {Name: "other"}: 0.5},
		Disk: why.DiskNeighbours{
			Readers: map[causes.Who]float64{{Name: "web", Own: true}: 0.125, {Name: "other"}: 0},
			Writers: map[causes.Who]float64{{Name: "backup"}: 1.5, {Name: "other"}: 0.25},
		},
		With:       map[string]float64{"cpu": math.NaN(), "runqueue": 0.75},
		Standstill: why.Standstill{Seconds: 1.5, Causes: map[string]float64{"cpu": 1.25, "runqueue": 0}},
	}
	web.Kinds = []mix.Kind{
		{Name: "other"},
		{
			Name:      "GET /users/{id}",
			KindSums:  probe.KindSums{Arrivals: 30, Completions: 28, Aborts: 1, Residence: 280 * time.Millisecond},
			QueueTime: 300 * time.Millisecond, ServiceTime: 4 * time.Millisecond,
		},
	}
	web.Work = 0.112
	web.CPUs = "0-1,4"
	web.Load = judgement.Load{Cores: 2, Used: 0.5, Busy: 0.75, Others: 0.25, Waiting: 2.5, Thread: math.NaN()}
	return monitor.State{
		Machine: "4b1c20aa",
		Tiers: []monitor.Tier{
			web, {TierName: discovery.TierName{App: "default", Tier: "idle"}, Load: judgement.UnknownLoad()},
			{
				TierName: discovery.TierName{App: "default", Tier: "writer"}, Works: true,
				Load: judgement.Load{Cores: 0.9, Used: 0.45, Busy: 0.6, Thread: 0.85}, CPUs: "0-1",
			},
		},
		Edges: []monitor.Edge{{
			EdgeName: stations.EdgeName{App: "shop", From: "web", To: "10.0.0.5:3306"},
			Totals: window.Totals{Arrivals: 42, QueueTime: int64(1500 * time.Millisecond),
				Busy: int64(500 * time.Millisecond),
				Peak: int64(2 * time.Second)},
			Outstanding: 3,
			Limit:       6, WithCalls: -0.42, Turns: 7,
		}, {
			EdgeName: stations.EdgeName{App: "shop", From: "web", To: "quiet"}, Limit: math.NaN(),
			WithCalls: math.NaN(),
			Totals:    window.Totals{Patient: 12, Commits: 3, Patience: int64(5500 * time.Millisecond)},
		}},
		Beside: []beside.Pearson{
			{Tier: web.TierName, Neighbour: "crm", Of: beside.Processor, Value: -0.75},
			{Tier: web.TierName, Neighbour: "crm", Of: beside.Queue, Lag: 300 * time.Millisecond, Value: 0.5},
		},
		Costs:   []probe.Cost{{Program: "nstar_ingress", Runs: 1000, Time: 130 * time.Microsecond}},
		Settled: 25,
		Up:      map[string]bool{"cpu": true, "disk": false},
		Dropped: map[string]uint64{"late_window": 20, "edge_limit": 0},
	}
}

func handler(c Collector) (*prometheus.Registry, func(accept string) (string, int)) {
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(c)
	h := promhttp.HandlerFor(registry, promhttp.HandlerOpts{EnableOpenMetrics: true})
	return registry, func(accept string) (string, int) {
		r := httptest.NewRequest("GET", "/metrics", nil)
		r.Header.Set("Accept", accept)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Body.String(), w.Code
	}
}

// A consumer whose port gets no requests: its own queue is known to be empty. Without this, no rule could say for which
// tier its calls wait.
func TestConsumerThatListens(t *testing.T) {
	state := monitor.State{
		Tiers: []monitor.Tier{
			{TierName: discovery.TierName{App: "shop", Tier: "flink"}, Load: judgement.UnknownLoad()},
			{TierName: discovery.TierName{App: "shop", Tier: "web"}, Load: judgement.UnknownLoad()},
		},
		Edges: []monitor.Edge{
			{EdgeName: stations.EdgeName{App: "shop", From: "flink", To: "kafka"}, Totals: window.Totals{Patient: 12}},
			{EdgeName: stations.EdgeName{App: "shop", From: "web", To: "kafka"}, Totals: window.Totals{Arrivals: 12}},
		},
	}
	_, get := handler(Collector{Monitor: fixed{state: state}, Window: width50})
	body, _ := get("text/plain;version=0.0.4")
	if want := `nstar_tier_own_queue_seconds_total{app="shop",tier="flink"} 0`; !strings.Contains(body, want) {
		t.Errorf("no %s", want)
	}
	if strings.Contains(body, `nstar_tier_own_queue_seconds_total{app="shop",tier="web"}`) {
		t.Error("the own queue of a server that was never asked is said to be known")
	}
}

func TestGolden(t *testing.T) {
	_, get := handler(Collector{Monitor: fixed{state: sample()}, Window: width50})
	for _, tt := range []struct{ accept, file string }{
		{"text/plain;version=0.0.4", "testdata/metrics.txt"},
		{"application/openmetrics-text;version=1.0.0", "testdata/metrics.openmetrics"},
	} {
		t.Run(tt.file, func(t *testing.T) {
			got, code := get(tt.accept)
			if code != 200 {
				t.Fatalf("status %d: %s", code, got)
			}
			if *update {
				if err := os.WriteFile(tt.file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(tt.file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestLint(t *testing.T) {
	registry, _ := handler(Collector{Monitor: fixed{state: sample()}, Window: width50})
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	problems, err := promlint.NewWithMetricFamilies(families).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

// OpenMetrics reads the name of a counter without _total: no other family may have that name, nor the name of a series
// of another family.
func TestNoFamilyClash(t *testing.T) {
	registry, _ := handler(Collector{Monitor: fixed{state: sample()}, Window: width50})
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	owner := make(map[string]string)
	for _, f := range families {
		name := f.GetName()
		names := []string{name}
		switch f.GetType().String() {
		case "COUNTER":
			names = append(names, strings.TrimSuffix(name, "_total"), strings.TrimSuffix(name, "_total")+"_created")
		case "HISTOGRAM":
			names = append(names, name+"_count", name+"_sum", name+"_bucket", name+"_created")
		}
		for _, n := range names {
			if other, taken := owner[n]; taken {
				t.Errorf("%s and %s both claim %s", other, name, n)
			}
			owner[n] = name
		}
	}
}

func TestStateFails(t *testing.T) {
	_, get := handler(Collector{Monitor: fixed{err: errors.New("the map is gone")}, Window: width50})
	body, code := get("text/plain")
	if code != 500 || !strings.Contains(body, "the map is gone") {
		t.Errorf("%d %s", code, body)
	}
}
