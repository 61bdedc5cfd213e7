// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestStudyRealPrometheus goes a newcomer's way with real servers, the oldest
// and the newest that Nstar is for: a load test that Prometheus has recorded,
// its points found by the load's own series; the study; and the rules that it
// wrote in the same Prometheus, which then say that the last load was beyond the
// capacity. It is skipped where the servers are not there.
func TestStudyRealPrometheus(t *testing.T) {
	for name, directory := range map[string]string{
		"2.42": "../../.cache/debian/usr/bin", "3.15": "../../.cache/tools/prometheus-3.15.0",
	} {
		t.Run(name, func(t *testing.T) {
			for _, program := range []string{"prometheus", "promtool"} {
				if _, err := os.Stat(filepath.Join(directory, program)); err != nil {
					t.Skip(err)
				}
			}
			dir := t.TempDir()
			end := time.Now().Truncate(time.Second)
			begin := end.Add(-loadSteps * loadStep)
			write(t, dir, "recorded.txt", recordedLoad(begin))
			write(t, dir, "load.yaml",
				fmt.Sprintf(`{app: shop, throughput: {query: served}, clients: {query: load_clients},
metrics: [{name: queue, tier: web, type: QS, query: queue}, {name: busy, tier: web, type: ITD, query: busy},
  {name: cpu, tier: web, type: RC, query: cpu}],
setups: [{name: one, from: %s, to: %s}]}`, begin.Format(time.RFC3339), end.Format(time.RFC3339)))
			out, err := exec.Command(filepath.Join(directory, "promtool"), "tsdb", "create-blocks-from", "openmetrics",
				filepath.Join(dir, "recorded.txt"), filepath.Join(dir, "data")).CombinedOutput()
			if err != nil {
				t.Fatalf("promtool: %v\n%s", err, out)
			}

			write(t, dir, "prometheus.yml", "scrape_configs: []\n")
			server, stop := startPrometheus(t, directory, dir)
			var stdout, stderr bytes.Buffer
			code := run([]string{"study", filepath.Join(dir, "load.yaml"), "--prometheus", server,
				"--output.directory", filepath.Join(dir, "out")}, &stdout, &stderr)
			stop()
			if code != exitOK {
				t.Fatalf("code %d: %s", code, stderr.String())
			}
			for _, want := range []string{"Peak 500 requests/s", "From 14 clients on", "web queue  QS    R\n",
				"web busy   ITD   R\n", "web cpu    RC    M\n"} {
				if !strings.Contains(stdout.String(), want) {
					t.Errorf("the report lacks %q:\n%s", want, stdout.String())
				}
			}

			write(t, dir, "prometheus.yml", "rule_files: [out/rules.yaml]\n")
			server, stop = startPrometheus(t, directory, dir)
			defer stop()
			want := `"1"`
			body := ""
			for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(
				200 * time.Millisecond) {
				body = ask(server, `min(nstar:indicator_position:ratio{app="shop",source="study"}) > bool 0.9`)
				if strings.Contains(body, want) {
					return
				}
			}
			t.Errorf("the rules do not say that the last load was beyond the capacity: %s", body)
		})
	}
}

// A load test of 14 steps of a minute.
const (
	loadSteps = 14
	loadStep  = time.Minute
)

// recordedLoad is a load test in OpenMetrics: two clients more at each step; the
// server's capacity is reached at 13, its processor is busy at 6.
func recordedLoad(begin time.Time) string {
	var b strings.Builder
	series := func(name string, value func(clients float64) float64) {
		fmt.Fprintf(&b, "# TYPE %s gauge\n", name)
		for at := time.Duration(0); at <= loadSteps*loadStep; at += 5 * time.Second {
			clients := 2 * (1 + math.Min(math.Floor(at.Seconds()/loadStep.Seconds()), loadSteps-1))
			// Not exactly the same at each look, like real values.
			ripple := 1 + 0.002*math.Sin(at.Seconds())
			if name == "load_clients" {
				ripple = 1
			}
			fmt.Fprintf(&b, "%s %g %d\n", name, value(clients)*ripple, begin.Add(at).Unix())
		}
	}
	series("load_clients", func(clients float64) float64 { return clients })
	series("served", func(clients float64) float64 { return 500 * math.Min(1, clients/13) })
	series("queue", func(clients float64) float64 { return 0.5 + 2*math.Max(0, clients-12) })
	series("busy", func(clients float64) float64 { return math.Min(1, clients/13) })
	series("cpu", func(clients float64) float64 { return 0.9 * math.Min(1, clients/6) })
	b.WriteString("# EOF\n")
	return b.String()
}

func write(t *testing.T, dir, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// startPrometheus runs a server on the data and the configuration in dir.
func startPrometheus(t *testing.T, directory, dir string) (address string, stop func()) {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listen := free.Addr().String()
	free.Close()
	server := exec.Command(filepath.Join(directory, "prometheus"), "--config.file="+
		filepath.Join(dir, "prometheus.yml"),
		"--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+listen)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	ended := false
	stop = func() {
		if !ended {
			ended = true
			err := server.Process.Kill()
			_ = server.Wait()
			if err != nil && !errors.Is(err, os.ErrProcessDone) {
				t.Error(err)
			}
		}
	}
	t.Cleanup(stop)
	address = "http://" + listen
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if strings.Contains(ask(address, "1"), "success") {
			return address, stop
		}
	}
	t.Fatal("Prometheus did not start within a minute")
	return "", nil
}

func ask(server, query string) string {
	response, err := http.Get(server + "/api/v1/query?query=" + url.QueryEscape(query))
	if err != nil {
		return err.Error()
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body)
	return string(body)
}
