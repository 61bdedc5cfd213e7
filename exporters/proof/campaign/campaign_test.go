// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nstar-project/nstar/exporters/nstartool/study/source"
	"github.com/nstar-project/nstar/exporters/proof/bed"
)

func TestAround(t *testing.T) {
	for _, tt := range []struct {
		saturating float64
		most       int
	}{{3, 0}, {20, 0}, {150, 0}, {20, 5}} {
		levels := around(tt.saturating, tt.most)
		if !slices.IsSorted(levels) || float64(levels[0]) > max(1,
			0.25*tt.saturating) || float64(levels[len(levels)-1]) < 2.5*tt.saturating {
			t.Errorf("%v clients saturate: %v does not reach from far below to far beyond", tt.saturating, levels)
		}
		if tt.most > 0 && len(levels) != tt.most {
			t.Errorf("%d levels, want %d", len(levels), tt.most)
		}
		for _, n := range levels {
			if !slices.Contains(series, n) {
				t.Errorf("%d is no number of the series", n)
			}
		}
	}
}

// TestOrder: repetition after repetition, each with everything in another order, always the same.
func TestOrder(t *testing.T) {
	o := options{repetitions: 3, growths: 2, seed: 7}
	blocks := order(lamp.setups, lamp.tierNames(), o)
	round := len(lamp.setups) * 4
	if len(blocks) != 2*round+len(lamp.setups) {
		t.Fatalf("%d blocks", len(blocks))
	}
	names := func(part []block) (out []string) {
		for _, b := range part {
			out = append(out, b.setup.name+"+"+b.grown)
		}
		return out
	}
	first, second := names(blocks[:round]), names(blocks[round:2*round])
	if slices.Equal(first, second) || !cmp.Equal(first, names(order(lamp.setups, lamp.tierNames(), o)[:round])) {
		t.Error("the order is not random, or not always the same")
	}
	last := map[string]bool{}
	for _, s := range lamp.setups {
		blocks := order([]setup{s}, lamp.tierNames(), options{repetitions: 1, growths: 1, seed: 1})
		last[blocks[len(blocks)-1].grown] = true
	}
	if len(last) < 3 {
		t.Errorf("in campaigns of one setup each, the last block is always one of %v", last)
	}
	slices.Sort(first)
	slices.Sort(second)
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("repetitions differ: %s", diff)
	}
	grown := block{lamp.setups[0], "php", 1}
	if got := grown.points([]int{1, 2, 4, 8, 16}, 1); len(got) != 2 || got[0].clients < 4 || got[1].clients < 4 {
		t.Errorf("a bigger tier is measured at %v, want levels beyond the capacity", got)
	}
}

// TestOverPoint: a range of a minute in the rules becomes the range of the point; gauges become their mean.
func TestOverPoint(t *testing.T) {
	for expr, want := range map[string]string{
		"rate(a[1m]) / rate(b[1m])": "rate(a[20s]) / rate(b[20s])",
		"a - a offset 1m":           "a - a offset 20s",
		"sum(c)":                    "avg_over_time((sum(c))[20s:1s])",
	} {
		if got := overPoint(expr, 20*time.Second); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for _, app := range applications {
		features, err := readFeatures("../../../rules", app.rules, 20*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range features {
			if f.kind == "" || f.metric == "" || strings.Contains(f.query, "1m") {
				t.Errorf("%s: %+v", app.name, f)
			}
		}
		if len(features) < 40 {
			t.Errorf("%s: %d indicators", app.name, len(features))
		}
	}
}

func some(setup, grown string, run, clients int, throughput float64) measured {
	return measured{point{setup, grown, run, clients}, time.Unix(1700000000, 0).UTC(), throughput, 0.1, 0, 0.01,
		map[column]float64{{"nstar:indicator:ratio", "ITD", "apache_workers_busy", "httpd"}: 0.5,
			{"nstar:indicator:value", "IOD", "mysql_queries", "mariadb"}: 10 * throughput}}
}

// TestStoreGoesOn: measured points are found again, a line that was cut off is not, and a campaign that was begun
// with other settings is refused.
func TestStoreGoesOn(t *testing.T) {
	dir := t.TempDir()
	begun := about{Seed: 1, Warm: "8s", Measure: "20s", Think: "1s"}
	open := func(a about) (*store, error) { return openStore(dir, &lamp, a) }
	s, err := open(begun)
	if err != nil {
		t.Fatal(err)
	}
	first := some("usual", "", 1, 10, 5)
	for _, m := range []measured{first, some("usual", "", 1, 20, 9)} {
		if err := s.add(m); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.calibrated("usual", 9, []int{10, 20, 40}); err != nil {
		t.Fatal(err)
	}
	s.close()
	path := filepath.Join(dir, pointsFile)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content[:len(content)-20], 0o644); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time after the torn line was taken away and another one added
		if s, err = open(begun); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first, s.points[0], cmp.AllowUnexported(measured{}, point{}, column{})); diff != "" {
			t.Error(diff)
		}
		b := block{setup: setup{name: "usual"}, run: 1}
		if got := len(b.remaining(s, options{seed: 1})); got != 3-len(s.points) {
			t.Errorf("%d points remain of 3, %d are there", got, len(s.points))
		}
		if err := s.add(some("usual", "", 1, 40, 9)); err != nil {
			t.Fatal(err)
		}
		s.close()
	}
	begun.Measure = "30s"
	if _, err := open(begun); err == nil || !strings.Contains(err.Error(), "-measure 20s") {
		t.Errorf("points of another length are mixed in: %v", err)
	}
}

// TestTables: the study reads the tables of a campaign; points with bigger tiers are no part of them, but show
// which tier limits.
func TestTables(t *testing.T) {
	s, err := openStore(t.TempDir(), &lamp, about{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	for run := 1; run <= 2; run++ {
		for _, m := range []measured{some("usual", "", run, 10, 5), some("usual", "", run, 40, 10),
			some("usual", "", run, 20, 9),
			some("usual", "php", run, 40, 14), some("usual", "httpd", run, 40, 10.1),
			some("usual", "mariadb", run, 40, 10.4),
			some("db-small", "", run, 10, 4), some("db-small", "php", run, 10, 4.01)} {
			if err := s.add(m); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.finish(); err != nil {
		t.Fatal(err)
	}
	tiers, err := os.ReadFile(filepath.Join(s.dir, "tiers.csv"))
	if err != nil {
		t.Fatal(err)
	}
	want := "setup,limiting,gain_httpd,gain_php,gain_mariadb\nusual,php,0.010,0.400,0.040\ndb-small,,,0.002,\n"
	if diff := cmp.Diff(want, string(tiers)); diff != "" {
		t.Error(diff)
	}
	calls, err := os.ReadFile(filepath.Join(s.dir, "calls.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "from,to\nhttpd,php\nphp,mariadb\n"; string(calls) != want {
		t.Errorf("%s, want %s", calls, want)
	}
	e, err := source.Read(t.Context(), filepath.Join(s.dir, "study.yaml"), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Setups) != 2 || len(e.Setups[1].Points) != 3 || len(e.Metrics) != 3 {
		t.Fatalf("%d setups, %d metrics: %+v", len(e.Setups), len(e.Metrics), e.Setups)
	}
	busy := e.Metrics[1]
	if busy.Key() != "httpd/apache_workers_busy" || busy.Type != "ITD" || !strings.Contains(busy.Query,
		"nstar:indicator:ratio{app=") {
		t.Errorf("%+v", busy)
	}
	if got := e.Setups[1].Points[0].Values[busy.Key()]; len(got) != 2 || got[0] != 0.5 {
		t.Errorf("values %v", got)
	}
}

func TestProgress(t *testing.T) {
	var out strings.Builder
	now := time.Unix(0, 0)
	p := progress{out: &out, unit: "pages/s", now: func() time.Time { return now }, each: 28 * time.Second, total: 4}
	if got := p.left(); got != 2*time.Minute {
		t.Errorf("%v left at first", got)
	}
	p.start()
	now = now.Add(time.Minute)
	p.point(some("usual", "php", 2, 40, 14))
	want := "   1/4  usual with a bigger php                    40 clients, run 2:   14.0 pages/s, mean   100 ms, " +
		"others  1 %; 3m0s left\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

func TestOutcomeSince(t *testing.T) {
	throughput, mean, errors := outcome{100, 20, 0.2, 3}.since(outcome{40, 10, 0.1, 1})
	if throughput != 6 || math.Abs(mean-16.0/60) > 1e-9 || errors != 2 {
		t.Error(throughput, mean, errors)
	}
	if throughput, mean, _ := (outcome{}).since(outcome{}); throughput != 0 || mean != 0 {
		t.Error(throughput, mean)
	}
}

func TestOthers(t *testing.T) {
	if len(bed.Processors()) < 2 {
		t.Skip("one processor")
	}
	at := time.Unix(0, 0)
	n := float64(len(theirs()))
	got := others(usage{at, 0, 0}, usage{at.Add(10 * time.Second), 4 * n, 5 * n})
	if math.Abs(got-0.1) > 1e-9 {
		t.Errorf("others took %v, want a tenth", got)
	}
}

func TestScrapes(t *testing.T) {
	got := scrapes("lamp", []job{{name: "nstar", address: "a:1"}, {name: "apache", tier: "httpd", address: "a:2"}})
	for _, want := range []string{"targets: ['a:1']}", "targets: ['a:2'], labels: {app: lamp, tier: httpd}}"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}
