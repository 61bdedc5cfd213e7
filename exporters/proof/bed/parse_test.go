// SPDX-License-Identifier: Apache-2.0

package bed

import (
	"strings"
	"testing"
)

func TestParseWrk(t *testing.T) {
	const out = `Running 3s test @ http://127.0.0.1:80/
  2 threads and 8 connections
  76021 requests in 12.00s, 1.1GB read
  Socket errors: connect 0, read 3, write 0, timeout 0
Requests/sec:   6334.84
Transfer/sec:     93.4MB
`
	r, err := parseWrk(out)
	if err != nil || r.Requests != 76021 || r.PerSecond != 6334.84 || !strings.HasPrefix(r.Errors, "Socket errors") {
		t.Errorf("got %+v, %v", r, err)
	}
	if _, err := parseWrk("unable to connect"); err == nil {
		t.Error("no error for an output without counts")
	}
}

const page = `# TYPE nstar_tier_arrivals_total counter
nstar_tier_arrivals_total{app="a",tier="x"} 3
nstar_tier_arrivals_total{app="a",tier="y"} 4
# TYPE nstar_window_queue_length gauge
nstar_window_queue_length{app="a",tier="x"} 1.5 1700000000050
nstar_window_queue_length{app="a",tier="x"} 2.5 1700000000100
# TYPE took_seconds summary
took_seconds{quantile="0.5"} 0.2
took_seconds_sum 1.5
took_seconds_count 6
`

func TestOnlySamples(t *testing.T) {
	kept, err := onlySamples(strings.NewReader(page), []string{"nstar_window_queue_length", "took_seconds"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := Parse(kept)
	if err != nil {
		t.Fatal(err)
	}
	windows := s.Select("nstar_window_queue_length", "app", "a")
	if len(s) != 3 || len(windows) != 2 || windows[1].Value != 2.5 || windows[1].Time.UnixMilli() != 1700000000100 {
		t.Errorf("two windows and a quantile were to be kept: %+v", s)
	}
}

func TestParse(t *testing.T) {
	s, err := Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := s.Value("nstar_tier_arrivals_total", "tier", "y"); !ok || v != 4 {
		t.Errorf("one series: %v, %v", v, ok)
	}
	if v, _ := s.Value("nstar_tier_arrivals_total"); v != 7 {
		t.Errorf("all series: %v", v)
	}
	if _, ok := s.Value("nstar_tier_arrivals_total", "tier", "z"); ok {
		t.Error("a series that is not there was found")
	}
	if sum, ok := s.Value("took_seconds_sum"); !ok || sum != 1.5 {
		t.Errorf("sum of a summary: %v", sum)
	}
	windows := s.Select("nstar_window_queue_length")
	if len(windows) != 2 || windows[1].Value != 2.5 || windows[1].Time.UnixMilli() != 1700000000100 {
		t.Errorf("windows: %+v", windows)
	}
}
