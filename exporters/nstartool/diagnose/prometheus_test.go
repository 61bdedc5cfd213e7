// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"fmt"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestRealPrometheus asks real servers, the oldest and the newest that Nstar is
// for: three minutes of recorded series and windows are imported as a block,
// healthy in the first. It is skipped where the servers are not there;
// `make test-rules` and `make prometheus` fetch them.
func TestRealPrometheus(t *testing.T) {
	cache := filepath.Join("..", "..", "..", ".cache")
	for name, directory := range map[string]string{
		"2.42": filepath.Join(cache, "debian", "usr", "bin"),
		"3.15": filepath.Join(cache, "tools", "prometheus-3.15.0"),
	} {
		t.Run(name, func(t *testing.T) {
			for _, program := range []string{"prometheus", "promtool"} {
				if _, err := os.Stat(filepath.Join(directory, program)); err != nil {
					t.Skip(err)
				}
			}
			end := time.Now().Truncate(time.Second)
			url := serve(t, directory, end)
			read := func(app string, end time.Time, d time.Duration) (Observations, error) {
				return reader(t, url).ReadUntil(context.Background(), app, end, d)
			}
			o, err := read("shop", end, seconds*time.Second)
			if err != nil {
				t.Fatal(err)
			}
			r := Decide(o)
			if r.Verdict != AlternatingBottleneck || len(r.Alternations) != 1 || len(r.Causes) != 1 ||
				len(r.Tiers) != 2 || r.ResponseTime.Worst == nil {
				t.Fatalf("unexpected report: %+v", r)
			}
			near := func(what string, got, want, within float64) {
				t.Helper()
				if math.Abs(got-want) > within {
					t.Errorf("%s: %v, want %v", what, got, want)
				}
			}
			// The first minute's -0.1 was quiet and does not count.
			near("pearson", r.Alternations[0].Pearson, -0.5, 0.01)
			near("correlation with collections", *r.Causes[0].Correlation, 0.75, 0.01)
			// Frozen in 15 % of the windows of two of the three minutes.
			near("frozen share of tomcat", r.Tiers[0].Share[stateFrozen], 0.1, 0.005)
			near("idle share of db", r.Tiers[1].Share[stateIdle], 0.25, 0.001)
			near("N* of tomcat", *r.Tiers[0].NStar, 6.5, 0)
			near("seconds since the verdict began", r.To.Sub(*r.Since).Seconds(), 2*seconds/3, 2)
			// Of the two minutes with the verdict only.
			near("milliseconds of tomcat", r.ResponseTime.Mean.Tiers[0].Milliseconds, 40, 1e-6)
			near("milliseconds to blame on collections", r.Bottleneck.Milliseconds, 30, 1e-6)
			near("share", r.Bottleneck.Share, 0.6, 1e-6)
			// One window in twenty is frozen, with 19 requests in tomcat and one in db.
			near("milliseconds in the worst windows", r.ResponseTime.Worst.Total, 200, 1)
			near("of them in collections", r.ResponseTime.Worst.Tiers[0].Causes[causeCollection], 190, 1)

			if w := r.Waiting; len(w) != 2 || w[0].On != "clients" || w[1].On != "db" {
				t.Fatalf("waiting: %+v", r.Waiting)
			}
			near("share of waiting for the database", r.Waiting[1].Share, 0.625, 1e-6)

			// Of the state that held longest.
			capacity := r.Capacity
			if capacity == nil || capacity.State != capacityServer || capacity.Source != "main_sequence" ||
				capacity.LimitingTier != "tomcat" {
				t.Fatalf("capacity: %+v", capacity)
			}
			near("confidence", *capacity.Confidence, 0.75, 1e-6)
			near("peak", *capacity.Peak, 110, 1e-6)
			near("headroom", *capacity.Headroom, 4.5, 1e-6)

			if s := o.Apps[0].Subsided; len(s) != 1 || s[0].Tier != "tomcat" || s[0].Cause != causeCollection {
				t.Fatalf("subsided: %+v", s)
			}
			near("seconds since collections subsided", r.To.Sub(o.Apps[0].Subsided[0].Seen).Seconds(), silent, 1)
			near("seconds without requests", r.To.Sub(o.Apps[0].Silent).Seconds(), silent+rateWindow.Seconds(), 1)

			if p := o.Apps[0].Edges[0].Larger; p == nil || p.App != "board" || p.Size != 16 {
				t.Errorf("the pool of another application: %+v", p)
			}
			places := o.Apps[0].Placements
			if len(places) != 1 || places[0].Disk == nil || places[0].Disk.CPU != "1" {
				t.Fatalf("placements: %+v", places)
			}
			near("processors of db", places[0].Used, 0.5, 0.01)
			near("waiting for the disk that ends on one processor", places[0].Disk.Share, 0.9, 0.01)
			near("what db computes there", places[0].Disk.Computed, 0.1, 0.01)
			near("I/O wait of the host there", places[0].Disk.Host, 0.8, 1e-6)
			near("cache misses", o.Apps[0].Misses["db"].Now, 1500, 60)
			near("cache misses at best", o.Apps[0].Misses["db"].Least, 500, 1e-6)

			if _, err := read("nope", end, time.Minute); err == nil ||
				!strings.Contains(err.Error(), "there are: shop") {
				t.Errorf("a wrong app: %v", err)
			}
			first, err := read("", end.Add(-seconds*time.Second*2/3-time.Second), 50*time.Second)
			if r := Decide(first); err != nil || r.Verdict != Healthy {
				t.Errorf("the first minute: %v, %+v", err, r)
			}
			if _, err := read("", end.Add(-24*time.Hour), time.Minute); err == nil ||
				!strings.Contains(err.Error(), "ask for another --time") {
				t.Errorf("before all that was recorded: %v", err)
			}
			if _, err := read("", time.Now().Add(time.Hour), time.Minute); err == nil ||
				!strings.Contains(err.Error(), "--time is in the future") {
				t.Errorf("tomorrow: %v", err)
			}
		})
	}
}

// serve starts a Prometheus on recorded series that end at a time.
func serve(t *testing.T, directory string, end time.Time) string {
	t.Helper()
	temp := t.TempDir()
	input, data := filepath.Join(temp, "recorded.txt"), filepath.Join(temp, "data")
	if err := os.WriteFile(input, []byte(recordedSeries(end)), 0o644); err != nil {
		t.Fatal(err)
	}
	promtool := exec.Command(filepath.Join(directory, "promtool"), "tsdb", "create-blocks-from", "openmetrics", input,
		data)
	if out, err := promtool.CombinedOutput(); err != nil {
		t.Fatalf("promtool: %v\n%s", err, out)
	}
	config := filepath.Join(temp, "prometheus.yml")
	if err := os.WriteFile(config, []byte("scrape_configs: []\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	server := exec.Command(filepath.Join(directory, "prometheus"),
		"--config.file="+config, "--storage.tsdb.path="+data, "--web.listen-address="+address)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	url := "http://" + address
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if reader(t, url).checkServer(context.Background()) == nil {
			return url
		}
	}
	t.Fatal("Prometheus did not start within a minute")
	return ""
}

// seconds that are imported; in the last of them there is no answer.
const seconds, silent = 180, 30

// recordedSeries is what the rules would have recorded, second by second, and
// the windows.
func recordedSeries(end time.Time) string {
	var b strings.Builder
	const tomcat, db = `instance="h",app="shop",tier="tomcat"`, `instance="h",app="shop",tier="db"`
	begun := map[string]bool{}
	series := func(name, labels string, from float64, step float64, value func(at float64) float64) {
		if !begun[name] {
			begun[name] = true
			fmt.Fprintf(&b, "# TYPE %s gauge\n", name)
		}
		for at := from; at < seconds+step/2; at += step {
			fmt.Fprintf(&b, "%s{%s} %g %.3f\n", name, labels, value(at), float64(end.Unix()-seconds)+at)
		}
	}
	constant := func(v float64) func(float64) float64 { return func(float64) float64 { return v } }
	const third = float64(seconds) / 3
	known := func(at float64) bool { return at > third }
	later := func(before, after float64) func(float64) float64 {
		return func(at float64) float64 {
			if known(at) {
				return after
			}
			return before
		}
	}
	share := "nstar:tier_state_share:ratio10s"
	series(share, tomcat+`,state="normal"`, 0, 1, later(1, 0.85))
	series(share, tomcat+`,state="frozen"`, 0, 1, later(0, 0.15))
	series(share, db+`,state="idle"`, 0, 1, constant(0.25))
	series(share, db+`,state="normal"`, 0, 1, constant(0.75))
	series("nstar:tier_saturation_point:queue_length", tomcat, third, 1, constant(6.5))
	series("nstar:edge_correlation:pearson12s", `app="shop",from="tomcat",to="db"`, 0, 1, func(at float64) float64 {
		if known(at) && at < seconds/2 { // the load still rises, and all queues with it
			return 0.9
		}
		return later(-0.1, -0.5)(at)
	})
	series("nstar:edge_saturated_share:ratio10s", `app="shop",from="tomcat",to="db"`, third+1, 1, constant(0.1))
	series("nstar:cause_correlation:pearson12s", tomcat+`,cause="garbage_collection"`, 0, 1, constant(0.75))
	// An import marks no end, so that healthy lingers, as after a restart.
	const alternating = `app="shop",verdict="alternating_bottleneck",tier="tomcat",cause="garbage_collection"`
	series("nstar:app_verdict", alternating, third+1, 1, constant(0.6))
	fmt.Fprintf(&b, "nstar:app_verdict{app=\"shop\",verdict=\"healthy\"} 1 %d\n", end.Unix()-seconds)
	series("nstar:app_throughput:requests_per_second", `app="shop"`, 0, 1, constant(100))
	series("nstar:app_throughput:requests_per_second15s", `app="shop"`, 0, 1, func(at float64) float64 {
		if at > seconds-silent {
			return 0
		}
		return 100
	})
	for cause, last := range map[string]float64{causeCollection: seconds - silent, causeDemand: seconds + 1} {
		series("nstar:app_excess_there:bool15s", fmt.Sprintf(`app="shop",tier="tomcat",cause=%q`, cause), 0, 1,
			func(at float64) float64 {
				if at > last {
					return 0
				}
				return 1
			})
	}
	series("nstar:app_response_time:seconds", `app="shop",tier="tomcat"`, 0, 1, later(0.01, 0.04))
	series("nstar:app_response_time:seconds", `app="shop",tier="db"`, 0, 1, constant(0.01))
	series("nstar:app_base_time:seconds", `app="shop",tier="tomcat"`, 0, 1, constant(0.01))
	series("nstar:app_base_time:seconds", `app="shop",tier="db"`, 0, 1, constant(0.01))
	series("nstar:app_excess_time:seconds", `app="shop",tier="tomcat",cause="garbage_collection"`, 0, 1, later(0, 0.03))
	series("nstar_edge_calls_total", `instance="h",app="shop",from="tomcat",to="db"`, 0, 5,
		func(at float64) float64 { return 100 * at })
	series("nstar_tier_waiting_seconds_total", tomcat+`,on="clients"`, 0, 5, func(at float64) float64 { return 3 * at })
	series("nstar_tier_waiting_seconds_total", tomcat+`,on="db"`, 0, 5, func(at float64) float64 { return 5 * at })
	board := `instance="h",app="board",`
	series("nstar_edge_limit_calls", `instance="h",app="shop",from="tomcat",to="db"`, 0, 5, constant(2))
	series("nstar_window_edge_connections", board+`from="web",to="db"`, 0, 1, constant(16))
	series("nstar:app_colocated:pearson1m", `instance="h",app="shop",neighbour="board",of="processor"`, 0, 5,
		constant(-0.5))
	rising := func(at float64) float64 { return 100 * at }
	series("nstar_tier_completions_total", db, 0, 5, rising)
	series("nstar_tier_completions_total", board+`tier="db"`, 0, 5, rising)
	series("nstar_domain_processors", `instance="h",domain="0",cpus="0-1"`, 0, 5, constant(2))
	rate := func(v float64) func(float64) float64 { return func(at float64) float64 { return v * at } }
	for i, cpu := range []string{`,cpu="0",domain="0"`, `,cpu="1",domain="0"`} {
		series("nstar_tier_core_seconds_total", db+cpu, 0, 5, rate([]float64{0.4, 0.1}[i]))
	}
	for i, cpu := range []string{`,cpu="0",domain="0"`, `,cpu="1",domain="0"`} {
		series("nstar_tier_core_disk_seconds_total", db+cpu, 0, 5, rate([]float64{0.05, 0.45}[i]))
	}
	series("nstar:core_iowait:ratio5m", `instance="h:9100",cpu="0"`, 0, 15, constant(0.1))
	series("nstar:core_iowait:ratio5m", `instance="h:9100",cpu="1"`, 0, 15, constant(0.4))
	series("nstar:host_iowait_concentration:ratio5m", `instance="h:9100"`, 0, 15, constant(0.8))
	series("nstar:tier_cache_misses:per_request5m", `app="shop",tier="db"`, 0, 1, func(at float64) float64 {
		return 500 + 2000*at/seconds
	})
	series("nstar:app_capacity_state", `app="shop",state="gray"`, 0, 120, constant(0.5)) // twice
	series("nstar:app_capacity_state", `app="shop",state="server"`, third, 15, constant(0.75))
	series("nstar:app_capacity:requests_per_second", `app="shop",level="peak",source="main_sequence"`, 0, 15,
		constant(110))
	series("nstar:app_capacity:requests_per_second", `app="shop",level="th95",source="main_sequence"`, 0, 15,
		constant(104.5))
	series("nstar:app_headroom:requests_per_second", `app="shop"`, 0, 15, constant(4.5))
	series("nstar:app_limiting_tier:ratio", `app="shop",tier="db"`, 0, 120, constant(0.5))
	series("nstar:app_limiting_tier:ratio", `app="shop",tier="tomcat"`, third, 15, constant(0.9))
	windows := func(name, labels string, often, rare float64) {
		n := 0
		series(name, labels, 0.05, 0.05, func(float64) float64 {
			n++
			if n%20 == 0 {
				return rare
			}
			return often
		})
	}
	windows("nstar_window_queue_length", tomcat, 4, 20)
	windows("nstar_window_own_queue_length", tomcat, 3, 19)
	windows("nstar_window_own_queue_length", db, 1, 1)
	windows("nstar_window_state", tomcat, 1, windowFrozen)
	windows("nstar_window_state", db, 1, 1)
	windows("nstar_window_gc_ratio", tomcat, 0, 1)
	b.WriteString("# EOF\n")
	return b.String()
}
