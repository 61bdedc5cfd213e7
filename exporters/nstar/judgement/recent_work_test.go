// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"testing"
)

// Now and then four workers ask a database for reports. A report takes half a second, other statements a millisecond.
// Meanwhile nothing else is asked. If the database is seen at work, that is no stall.
func TestLongStatementIsNoStall(t *testing.T) {
	for _, tt := range []struct {
		name   string
		judges bool // the exporter judges the database, too
		works  bool // it is at work meanwhile
		want   bool
	}{
		{"nobody knows of the database", false, false, true},
		{"it stands still", true, false, true},
		{"it is at work", true, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			random := three(1, nil).random
			tier, database := NewTier(testWidth), NewTier(testWidth)
			if tt.judges {
				tier.SetJudges(func(to string) *Tier {
					if to == "db" {
						return database
					}
					return nil
				})
			}
			charged := 0.0
			for i := range int64(2400) {
				w := Window{Index: i, Queue: 1.2 + random.Float64(),
					Completions: float64(8 + random.IntN(5)), GC: math.NaN()}
				c := Calls{To: "db", Outstanding: 0.6, Begun: 30, Answered: 30, Peak: 4, Connections: 4, Used: 4}
				report := func(i int64) bool { return i%100 < 10 && i >= 400 }
				if report(i) {
					c = Calls{To: "db", Outstanding: 4, Peak: 4, Connections: 4, Used: 4}
					w.Queue, w.Completions = 12, 0
				}
				w.Calls = []Calls{c}
				if at := i - int64(lag/testWidth); at >= 0 {
					database.recentWork.note(at, !report(at) || tt.works)
				}
				_, _, j, ok := tier.Add(w)
				if !ok || j.Index < 800 {
					continue
				}
				for _, c := range j.Charges {
					if c.Cause == Stalled {
						charged += c.Queue
					}
				}
			}
			if (charged > 0) != tt.want {
				t.Errorf("%.0f are charged to the tier behind, want some: %v", charged, tt.want)
			}
		})
	}
}

// A tier behind may be judged after the tier that calls it. Then the window before counts.
func TestToil(t *testing.T) {
	var recentWork recentWork
	recentWork.note(7, true)
	recentWork.note(8, false)
	for index, want := range map[int64]bool{6: false, 7: true, 8: false, 9: false, 10: false} {
		if got := recentWork.in(index); got != want {
			t.Errorf("window %d: %v, want %v", index, got, want)
		}
	}
	recentWork.note(12, true)
	for index, want := range map[int64]bool{11: false, 12: true, 13: true, 14: false} {
		if got := recentWork.in(index); got != want {
			t.Errorf("window %d: %v, want %v", index, got, want)
		}
	}
}

// Calls to a database that was always at its limit take as long as ever. All of its few workers are taken, so a request
// that waits for a place to call the database waits for the database.
func TestPlacesAtATierThatIsFull(t *testing.T) {
	for full, want := range map[float64]Cause{0: SoftResource, fullWindows: Place} {
		tier, database := NewTier(testWidth), NewTier(testWidth)
		database.filled.windows, database.filled.wanting, database.filled.ran = fullWindows, full, full
		tier.SetJudges(func(string) *Tier { return database })
		d := newDestination("db", testWidth)
		d.base, d.waited, d.answered = 0.1, 1, 10
		if got := tier.waitsForPlace(d); got.Cause != want || got.To != "db" {
			t.Errorf("full in %.0f windows: %v, want %s", full, got, want)
		}
	}
}
