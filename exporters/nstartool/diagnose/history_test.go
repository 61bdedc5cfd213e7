// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"testing"
	"time"
)

// spell is a finding for some seconds; none is a break.
type spell struct {
	f       Finding
	seconds int
}

// spells writes a history that ends at `end`.
func spells(list ...spell) []Evaluation {
	total := 0
	for _, s := range list {
		total += s.seconds
	}
	at := end.Add(-time.Duration(total) * time.Second)
	var history []Evaluation
	for _, s := range list {
		for range s.seconds {
			at = at.Add(time.Second)
			if s.f.Verdict != "" {
				history = append(history, Evaluation{At: at, Finding: s.f})
			}
		}
	}
	return history
}

var (
	well     = Finding{Verdict: Healthy}
	learns   = Finding{Verdict: Learning}
	limited  = single("db", causeDemand)
	stopping = single("db", causeStopped)
)

func TestPrevailing(t *testing.T) {
	for _, test := range []struct {
		name    string
		history []Evaluation
		want    Finding
		found   bool
	}{
		{"nothing", nil, Finding{}, false},
		{"the longest", spells(spell{well, 10}, spell{limited, 30}, spell{well, 10}), limited, true},
		{"in parts", spells(spell{well, 10}, spell{limited, 15}, spell{well, 10}), well, true},
		{"a tie goes to the latest", spells(spell{well, 10}, spell{limited, 10}), limited, true},
		{"another cause is another finding", spells(spell{stopping, 20}, spell{limited, 15}), stopping, true},
		{"learning gives way", spells(spell{learns, 100}, spell{well, 2}), well, true},
		{"learning that comes last gives way", spells(spell{well, 90}, spell{learns, 20}), well, true},
		{"but not for a quarter of the time", spells(spell{well, 60}, spell{learns, 25}), learns, true},
		{"nor does what was named at last", spells(spell{well, 9}, spell{learns, 36}, spell{limited, 4}), limited,
			true},
		{"what was wrong, before nobody knew", spells(spell{well, 40}, spell{limited, 17}, spell{learns, 5}), limited,
			true},
		{"but not to a glimpse", spells(spell{learns, 20}, spell{well, 9}, spell{learns, 12}), learns, true},
		{"nor to one of something wrong", spells(spell{stopping, 9}, spell{learns, 25}), learns, true},
		{"what is wrong now", spells(spell{well, 500}, spell{limited, 16}), limited, true},
		{"what is wrong now, for some seconds only", spells(spell{well, 500}, spell{limited, 11}), limited, true},
		{"what is wrong now, after something else that is over",
			spells(spell{stopping, 90}, spell{limited, 40}), limited, true},
		{"the same in a short range", spells(spell{stopping, 32}, spell{limited, 28}), limited, true},
		{"the same, and all was well between the two",
			spells(spell{stopping, 90}, spell{well, 10}, spell{limited, 11}), limited, true},
		{"but not for a glimpse", spells(spell{stopping, 90}, spell{well, 10}, spell{limited, 10}), stopping, true},
		{"nor after a flicker", spells(spell{stopping, 90}, spell{well, 5}, spell{limited, 11}), stopping, true},
		{"it may be about to be taken back", spells(spell{stopping, 90}, spell{limited, 25}), stopping, true},
		{"but not a glimpse of it", spells(spell{well, 50}, spell{limited, 10}), well, true},
		{"nor what is over", spells(spell{well, 50}, spell{limited, 20}, spell{well, 5}), well, true},
		{"nothing but learning", spells(spell{learns, 5}), learns, true},
	} {
		if got, found := prevailing(test.history); got != test.want || found != test.found {
			t.Errorf("%s: %v %v, want %v %v", test.name, got, found, test.want, test.found)
		}
	}
}

func TestHeld(t *testing.T) {
	none := Finding{}
	for _, test := range []struct {
		name     string
		history  []Evaluation
		from, to int // seconds before the end
	}{
		{"all along", spells(spell{limited, 100}), 99, 0},
		{"since a change", spells(spell{well, 100}, spell{limited, 40}), 39, 0},
		{"with a short break", spells(spell{limited, 100}, spell{well, 40}, spell{limited, 10}), 149, 0},
		{"with a long break", spells(spell{limited, 100}, spell{well, 70}, spell{limited, 10}), 9, 0},
		{"with a gap in the records", spells(spell{limited, 100}, spell{none, 40}, spell{limited, 10}), 149, 0},
		{"until a change", spells(spell{limited, 100}, spell{well, 30}), 129, 30},
	} {
		from, to := held(test.history, limited, bridge)
		if got := end.Sub(from); got != time.Duration(test.from)*time.Second {
			t.Errorf("%s: held since %s before the end, want %d s", test.name, got, test.from)
		}
		if got := end.Sub(to); got != time.Duration(test.to)*time.Second {
			t.Errorf("%s: held until %s before the end, want %d s", test.name, got, test.to)
		}
	}
}

// An evaluation covers the minute before it: figures of the last minute are those at its end, or at the last time that
// had the verdict.
func TestFiguresAreOfTheRange(t *testing.T) {
	from := time.Date(2026, 1, 15, 3, 0, 0, 0, time.UTC)
	wrong, well := Finding{SingleBottleneck, "db", causeDemand}, Finding{Verdict: Healthy}
	history := func(length, changes time.Duration) (all []Evaluation) {
		for at := 5 * time.Second; at <= length; at += 5 * time.Second {
			e := Evaluation{At: from.Add(at), Finding: wrong}
			if at > changes {
				e.Finding = well
			}
			all = append(all, e)
		}
		return all
	}
	for _, tt := range []struct {
		name            string
		length, changes time.Duration
		f               Finding
		first, last     time.Duration
	}{
		{"a minute", time.Minute, time.Minute, wrong, time.Minute, time.Minute},
		{"two minutes", 2 * time.Minute, 2 * time.Minute, wrong, time.Minute, 2 * time.Minute},
		{"said early in the range only", time.Minute, 40 * time.Second, wrong, 40 * time.Second, 40 * time.Second},
		{"said from a minute on", 2 * time.Minute, time.Minute, well, 65 * time.Second, 2 * time.Minute},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := spoken(history(tt.length, tt.changes), tt.f, from, 5*time.Second)
			if len(got) == 0 || got[0].At != from.Add(tt.first) || got[len(got)-1].At != from.Add(tt.last) {
				t.Errorf("got %v, want %v to %v", got, tt.first, tt.last)
			}
		})
	}
	if got := spoken(nil, wrong, from, time.Second); got != nil {
		t.Errorf("of nothing %v", got)
	}
}

// Nstar learned what is normal, all was healthy for a while, and then something was wrong: it was not so all the time.
func TestLearningAgain(t *testing.T) {
	for _, tt := range []struct{ well, want int }{{2, 0}, {5, 12}} { // evaluations
		var history []Evaluation
		for i := range 20 {
			f := Finding{Verdict: Learning}
			if i >= 12-tt.well && i < 12 {
				f = Finding{Verdict: Healthy}
			}
			history = append(history, Evaluation{At: end.Add(time.Duration(5*i) * time.Second), Finding: f})
		}
		if from, _ := held(history, Finding{Verdict: Learning}, bridge); !from.Equal(history[tt.want].At) {
			t.Errorf("healthy for %d evaluations: learning from the %.0fth", tt.well, from.Sub(end).Seconds()/5)
		}
	}
}

// All was healthy, something was named for a while, and all is healthy again: it was not so all the time.
func TestHealthyAgain(t *testing.T) {
	for _, tt := range []struct{ named, want int }{{2, 0}, {5, 12}} { // evaluations
		var history []Evaluation
		for i := range 20 {
			f := Finding{Verdict: Healthy}
			if i >= 12-tt.named && i < 12 {
				f = single("db", causeStopped)
			}
			history = append(history, Evaluation{At: end.Add(time.Duration(5*i) * time.Second), Finding: f})
		}
		if from, _ := held(history, Finding{Verdict: Healthy}, bridge); !from.Equal(history[tt.want].At) {
			t.Errorf("named for %d evaluations: healthy from the %.0fth", tt.named, from.Sub(end).Seconds()/5)
		}
	}
}
