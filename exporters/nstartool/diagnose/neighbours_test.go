// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Shares are those of one tier's waiting, over all servers of the tier.
func TestReadNeighbours(t *testing.T) {
	r := server(t, "2.42.0", "nstar:app_verdict", recorded{
		"nstar:app_verdict": {
			`{"app":"shop","verdict":"single_bottleneck","tier":"db","cause":"noisy_neighbour"}`: 0.5},
		"nstar_tier_neighbour_seconds_total": {
			`{"app":"shop","tier":"db","neighbour":"nightly"}`:     6,
			`{"app":"shop","tier":"db","neighbour":"other"}`:       2,
			`{"app":"shop","tier":"httpd","neighbour":"nightly"}`:  0.5,
			`{"app":"gone","tier":"httpd","neighbour":"whatever"}`: 0.5,
		},
	})
	o, err := r.Read(context.Background(), "", 3*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	want := []Neighbour{{"db", "nightly", 0.75}, {"db", "other", 0.25}, {"httpd", "nightly", 1}}
	if len(o.Apps) != 1 {
		t.Fatalf("applications %+v", o.Apps)
	}
	if diff := cmp.Diff(want, o.Apps[0].Neighbours, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// What held a tier is read for each cause, and said of the bottleneck.
func TestReadEvidence(t *testing.T) {
	r := server(t, "2.42.0", "nstar:app_verdict", recorded{
		"nstar:app_verdict": {
			`{"app":"shop","verdict":"single_bottleneck","tier":"db","cause":"stopped"}`: 0.5},
		"nstar_tier_disk_seconds_total":       {`{"app":"shop","tier":"db"}`: 0.25},
		"nstar_tier_stopped_seconds_total":    {`{"app":"shop","tier":"db"}`: 0.125, `{"app":"gone","tier":"db"}`: 1},
		"nstar_tier_writeback_seconds_total":  {`{"app":"shop","tier":"db"}`: 0.5, `{"app":"shop","tier":"web"}`: 0.5},
		"nstar_tier_disk_queue_seconds_total": {`{"app":"shop","tier":"db"}`: 2.5, `{"app":"shop","tier":"web"}`: 1},
		"nstar_tier_throttled_seconds_total":  {`{"app":"shop","tier":"db"}`: 0.4},
		"nstar_tier_disk_busy_seconds_total": {`{"app":"shop","tier":"db"}`: 0.75,
			`{"app":"shop","tier":"web"}`: 0.75},
		"nstar_tier_steal_seconds_total": {`{"app":"shop","tier":"web"}`: 0.5},
		// 0.0 of the requests are no words
		"nstar_tier_lock_seconds_total": {`{"app":"shop","tier":"db"}`: 0.04, `{"app":"shop","tier":"web"}`: 7.5},
	})
	o, err := r.Read(context.Background(), "", 3*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	want := []Held{{"db", "stopped", 0.125}, {"db", "throttled", 0.4}, {"db", "disk", 0.25}, {"db", "disk_busy", 0.75},
		{"db", "disk_queue", 2.5}, {"db", "writeback", 0.5}, {"web", "disk_busy", 0.75}, {"web", "disk_queue", 1},
		{"web", "writeback", 0.5},
		{"web", "lock", 7.5}, {"web", "steal", 0.5}}
	if diff := cmp.Diff(want, o.Apps[0].Evidence); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := (diagnosis{Application: o.Apps[0], finding: single("db", causeStopped)}).heldBy(); len(got) != 6 {
		t.Errorf("said: %q", got)
	}
	// a flush that nobody waits for is no evidence
	if got := (diagnosis{Application: o.Apps[0], finding: single("web", causeStopped)}).heldBy(); len(got) != 2 {
		t.Errorf("said: %q", got)
	}
}

// If the named programs had little of it, they are presented as some of many.
func TestNeighboursOfWhichFewAreNamed(t *testing.T) {
	for share, want := range map[float64][2]string{
		0.12: {"processors that others used, among them promtool (12 % of that time)", "Find out which other " +
			"programs use"},
		0.8: {"processors that promtool (80 % of that time) used", "Move promtool to another host"},
	} {
		d := diagnosis{finding: single("db", causeNeighbour)}
		d.Neighbours = []Neighbour{{"db", "promtool", share}, {"db", otherNeighbours, 1 - share}}
		if got := d.processors(); got != want[0] {
			t.Errorf("%q", got)
		}
		if got := d.cureNeighbour("db"); !strings.HasPrefix(got, want[1]) || !strings.Contains(got, "promtool") {
			t.Errorf("%q", got)
		}
	}
}

// Where other programs are not the first cause, but one, they are named as well.
func TestNeighboursBesideAnotherCause(t *testing.T) {
	r := Decide(scene(single("db", causeDemand), func(a *Application, _ *Observations) {
		a.blame("db", "db", causeDemand, 0.200, 0.8)
		a.blame("db", "db", causeNeighbour, 0.080, 0.1)
		a.Neighbours = []Neighbour{{"db", "celery", 0.9}, {"db", otherNeighbours, 0.1}}
	}))
	said := ""
	for _, c := range r.Causes {
		said += c.Evidence
	}
	if want := "; celery (90 % of that time) had its processors."; !strings.Contains(said, want) {
		t.Errorf("%q, want %q", said, want)
	}
}

// If no program can be named, the sentence uses general words, and the rest stays.
func TestNeighbourWithoutName(t *testing.T) {
	d := diagnosis{finding: single("db", causeNeighbour)}
	d.Neighbours = []Neighbour{{"db", otherNeighbours, 0.95}, {"db", "cron", 0.05}, {"httpd", "nightly", 1}}
	if got := d.processors(); got != "processors that something else uses" {
		t.Errorf("%q", got)
	}
	if got := d.cureNeighbour("db"); !strings.Contains(got, "pidstat") || strings.Contains(got, "nightly") {
		t.Errorf("%q", got)
	}
	if got := d.noise(); got == nil || len(got) != 0 {
		t.Errorf("%v, want an empty list, which JSON writes as one", got)
	}
}

// An operator can't move a hypervisor, and top does not show which programs run beside it.
func TestCureNeighbour(t *testing.T) {
	for _, tt := range []struct {
		name  string
		have  []Neighbour
		holds []string
		lacks string
	}{
		{"a program", []Neighbour{{"db", "nightly", 0.9}},
			[]string{"Move nightly to another host", "nightly (90 %"}, "virtual"},
		{"the hypervisor", []Neighbour{{"db", hypervisor, 1}},
			[]string{"ask for dedicated", "that the hypervisor (100 %"}, "Move"},
		{"both", []Neighbour{{"db", hypervisor, 0.6}, {"db", "nightly", 0.4}},
			[]string{"ask for dedicated", "Move nightly"},
			"Move hypervisor"},
		{"nobody by name", []Neighbour{{"db", otherNeighbours, 1}}, []string{"Move the programs that use the " +
			"processors of db"}, "virtual"},
	} {
		d := diagnosis{Application: Application{Neighbours: tt.have}, finding: single("db", causeNeighbour)}
		said := d.processors() + "; " + d.cureNeighbour("db")
		for _, words := range tt.holds {
			if !strings.Contains(said, words) {
				t.Errorf("%s: %q lacks %q", tt.name, said, words)
			}
		}
		if strings.Contains(said, tt.lacks) {
			t.Errorf("%s: %q holds %q", tt.name, said, tt.lacks)
		}
	}
}

// Where work and other programs can't be told apart, the other programs are the first thing to do something about.
func TestDisturbed(t *testing.T) {
	r := server(t, "2.42.0", "nstar:app_verdict", recorded{
		"nstar:app_verdict":         {`{"app":"shop","verdict":"learning"}`: 1},
		"nstar:app_disturbed:ratio": {`{"app":"shop","tier":"db","cause":"demand"}`: 0.4},
		"nstar_tier_neighbour_seconds_total": {
			`{"app":"shop","tier":"db","neighbour":"nightly"}`: 6,
			`{"app":"shop","tier":"db","neighbour":"other"}`:   2,
		},
	})
	o, err := r.Read(context.Background(), "", 3*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	d := diagnosis{Application: o.Apps[0], finding: Finding{Verdict: Learning}}
	want := "Other programs use a part of the processors of db (nightly for 75 % of the time for which db waited for " +
		"them): move these programs to another host or other cores first. If requests still wait then, db has too " +
		"much work."
	if got := d.needs(); got != want {
		t.Errorf("says %q, want %q", got, want)
	}
	d.Neighbours = nil
	if got := d.needs(); !strings.Contains(got, "db (top and pidstat show them): move") {
		t.Errorf("says %q where no program is known", got)
	}
	d.Disturbed = nil
	if got := d.needs(); strings.Contains(got, "Other programs") {
		t.Errorf("says %q where nobody disturbs", got)
	}
}
