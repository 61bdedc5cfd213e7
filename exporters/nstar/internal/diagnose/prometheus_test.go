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
// for: three minutes of recorded series are imported as a block, with N* known
// for the last two thirds only. It is skipped where the servers are not there;
// `make test-rules` and `make prometheus` fetch them.
func TestRealPrometheus(t *testing.T) {
	cache := filepath.Join("..", "..", "..", "..", ".cache")
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
			url := serve(t, directory, time.Now().Truncate(time.Second))
			o, err := reader(t, url).Read(context.Background(), "shop", 3*time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			r := Decide(o)
			if r.Verdict != AlternatingBottleneck || len(r.Alternations) != 1 || len(r.Causes) != 1 || len(r.Tiers) != 2 {
				t.Fatalf("unexpected report: %+v", r)
			}
			near := func(what string, got, want, within float64) {
				if math.Abs(got-want) > within {
					t.Errorf("%s: %v, want %v", what, got, want)
				}
			}
			// The first minute's -0.1 was quiet and does not count.
			near("pearson", r.Alternations[0].Pearson, -0.5, 0.01)
			near("correlation with collections", r.Causes[0].Correlation, 0.75, 0.01)
			// Frozen in 15 % of the windows of two of the three minutes.
			near("frozen share of tomcat", r.Tiers[0].Share[stateFrozen], 0.1, 0.005)
			near("idle share of db", r.Tiers[1].Share[stateIdle], 0.25, 0.001)
			near("N* of tomcat", *r.Tiers[0].NStar, 6.5, 0)

			_, err = reader(t, url).Read(context.Background(), "nope", 3*time.Minute)
			if err == nil || !strings.Contains(err.Error(), "there are: shop") {
				t.Errorf("a wrong app: %v", err)
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
	if out, err := exec.Command(filepath.Join(directory, "promtool"), "tsdb", "create-blocks-from", "openmetrics", input, data).CombinedOutput(); err != nil {
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
	server := exec.Command(filepath.Join(directory, "prometheus"), "--config.file="+config, "--storage.tsdb.path="+data, "--web.listen-address="+address)
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

// recordedSeries is what the rules would have recorded, second by second.
func recordedSeries(end time.Time) string {
	const seconds = 180
	var b strings.Builder
	gauge := func(name, labels string, from int, value func(i int) float64) {
		for i := from; i <= seconds; i++ {
			fmt.Fprintf(&b, "%s{%s} %g %d\n", name, labels, value(i), end.Unix()-seconds+int64(i))
		}
	}
	constant := func(v float64) func(int) float64 { return func(int) float64 { return v } }
	share := func(tier, state string, from int, value func(int) float64) {
		gauge("nstar:tier_state_share:ratio10s", fmt.Sprintf(`instance="h",app="shop",tier=%q,state=%q`, tier, state), from, value)
	}
	known := func(i int) bool { return i > seconds/3 }
	b.WriteString("# TYPE nstar:tier_state_share:ratio10s gauge\n")
	share("tomcat", stateIdle, 0, constant(0))
	share("tomcat", stateNormal, 0, func(i int) float64 {
		if known(i) {
			return 0.85
		}
		return 1
	})
	share("tomcat", stateFrozen, seconds/3+1, constant(0.15))
	share("tomcat", stateSaturated, seconds/3+1, constant(0))
	share("db", stateIdle, 0, constant(0.25))
	share("db", stateNormal, 0, constant(0.75))
	b.WriteString("# TYPE nstar:tier_saturation_point:queue_length gauge\n")
	gauge("nstar:tier_saturation_point:queue_length", `instance="h",app="shop",tier="tomcat"`, seconds/3+1, constant(6.5))
	b.WriteString("# TYPE nstar:edge_correlation:pearson12s gauge\n")
	gauge("nstar:edge_correlation:pearson12s", `app="shop",from="tomcat",to="db"`, 0, func(i int) float64 {
		switch {
		case known(i) && i < seconds/2: // the load still rises, and all queues with it
			return 0.9
		case known(i):
			return -0.5
		}
		return -0.1
	})
	b.WriteString("# TYPE nstar:edge_saturated_share:ratio10s gauge\n")
	gauge("nstar:edge_saturated_share:ratio10s", `app="shop",from="tomcat",to="db"`, seconds/3+1, constant(0.1))
	b.WriteString("# TYPE nstar:cause_correlation:pearson12s gauge\n")
	gauge("nstar:cause_correlation:pearson12s", `instance="h",app="shop",tier="tomcat",cause="garbage_collection"`, 0, constant(0.75))
	b.WriteString("# EOF\n")
	return b.String()
}
