// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nstar-project/nstar/exporters/nstar/judgement"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/judging"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/recording"
	"github.com/nstar-project/nstar/exporters/nstar/window"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// stopsOf writes the recording of a tier that answers ten requests in each window, and stands still for 400 ms every
// two seconds.
func stopsOf(t *testing.T, file string) {
	t.Helper()
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := &recorder{file: f}
	begin := time.Unix(1_800_000_000, 0)
	r.add(begin, "run", recordedRun{App: "shop", Scenario: "web-stop", Expect: is("web", "stopped")})
	tell := func(l recording.Line, after time.Duration) {
		l.At = begin.Add(after).UnixMilli()
		if err := r.write(map[string]any{"by": "one:9965", "told": l}); err != nil {
			t.Fatal(err)
		}
	}
	tell(recording.Line{Begin: &recording.Begin{Width: 0.05}}, 0)
	tell(recording.Line{Found: []judging.Fact{{App: "shop", Tier: "web", Processors: 1}}}, 0)
	const width = 50 * time.Millisecond
	waiting := uint64(0)
	for i := range int64(90 * second / width) {
		w := window.Window{Arrivals: 10, Completions: 10, QueueTime: int64(2 * width)}
		if i%40 >= 32 {
			w.Completions, w.QueueTime = 0, int64(waiting+5)*int64(width)
			waiting += 10
		} else if waiting > 0 {
			w.Completions, waiting = 10+waiting, 0
		}
		tier := recording.Tier{App: "shop", Tier: "web", Window: w, GC: recording.Figure(math.NaN()),
			Work: &judgement.Work{Index: i - 40, Ran: 0.2}}
		tell(recording.Line{Windows: &recording.Windows{Index: i, Tiers: []recording.Tier{tier,
			{App: "other", Tier: "x", Window: w}}}}, time.Duration(i)*width+600*time.Millisecond)
	}
}

// A recording is judged by the rules as it would have been live, from its compact form, too.
func TestJudgeAgain(t *testing.T) {
	if _, err := os.Stat(promtool); err != nil {
		t.Skip("there is no promtool: tools/debian.sh prometheus fetches it")
	}
	directory := t.TempDir()
	file, small := filepath.Join(directory, "shop-web-stop.jsonl"), filepath.Join(directory, "compact")
	stopsOf(t, file)
	if err := os.Mkdir(small, 0o700); err != nil {
		t.Fatal(err)
	}
	again := func(pattern string) string {
		var out strings.Builder
		r := figures.New("again", &out)
		a := again{promtool: promtool, rules: "../../../rules", every: 30 * second, compact: small}
		if err := judgeAgain(r, filepath.Join(directory, pattern), a); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	said := again("*.jsonl")
	if n := strings.Count(said, "now    right       single_bottleneck/web/stopped"); n != 3 {
		t.Errorf("right %d times, want 3:\n%s", n, said)
	}
	lines := func(text string) string { return text[strings.Index(text, "true is"):] }
	if diff := cmp.Diff(lines(said), lines(again("compact/*.jsonl.gz"))); diff != "" {
		t.Errorf("-recording +compact form:\n%s", diff)
	}
}

// The input that judges had when a scrape was answered: until the exporter was asked or, if that is not known, until
// the scrape began.
func TestUntil(t *testing.T) {
	w := &witness{told: []recording.Line{{At: 1000}, {At: 1250}, {At: 1300, Asked: true}, {At: 1500}, {At: 9000}}}
	for _, test := range []struct {
		from, want int
		at         int64
	}{{0, 2, 1240}, {0, 2, 1300}, {2, 4, 1510}, {3, 3, 1400}, {4, 4, 2000}, {0, 5, 9500}} {
		if got := w.until(test.from, test.at); got != test.want {
			t.Errorf("from %d, scraped at %d: until %d, want %d", test.from, test.at, got, test.want)
		}
	}
}
