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
		{"learning that comes last gives way", spells(spell{well, 2}, spell{learns, 100}), well, true},
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
