// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"math/rand/v2"
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
					database.recentWork.note(at, doing{worked: !report(at) || tt.works})
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
func TestRecentWork(t *testing.T) {
	var recent recentWork
	works, stands := doing{worked: true}, doing{stood: true}
	recent.note(7, works)
	recent.note(8, stands)
	for index, want := range map[int64]doing{6: {}, 7: works, 8: stands, 9: stands, 10: {}} {
		if got := recent.in(index); got != want {
			t.Errorf("window %d: %v, want %v", index, got, want)
		}
	}
	recent.note(12, works)
	for index, want := range map[int64]doing{11: {}, 12: works, 13: works, 14: {}} {
		if got := recent.in(index); got != want {
			t.Errorf("window %d: %v, want %v", index, got, want)
		}
	}
}

// A signal stops the database for 50 ms now and then. What waits in the tier before it waits for the database: in the
// stop, and until the requests that come back all at once are worked off. The tier's own windows do not prove it,
// because they are too short.
func TestCallsToATierThatStood(t *testing.T) {
	for _, known := range []bool{true, false} {
		random := rand.New(rand.NewPCG(1, 2))
		tier, database := NewTier(testWidth), NewTier(testWidth)
		tier.SetJudges(func(string) *Tier { return database })
		charged := map[Cause]float64{}
		for i := range int64(2400) {
			w := Window{Index: i, Queue: 0.8 + random.Float64()/2, Completions: float64(3 + random.IntN(4)),
				GC: math.NaN()}
			batch := float64(4 * random.IntN(3))
			c := Calls{To: "db", Outstanding: 0.3, Begun: batch, Answered: batch, Peak: 3, Connections: 10, Used: 3}
			phase := i % 40
			stands := phase < 1 && i >= 800
			switch {
			case stands:
				c.Outstanding, c.Answered, c.Peak = 8, 0, 8
				w.Queue, w.Completions = c.Outstanding+0.5, 1
			case phase < 4 && i >= 800:
				w.Queue, w.Completions = 7-float64(phase), 6
			}
			w.Calls = []Calls{c}
			at := i - int64(lag/testWidth)
			database.recentWork.note(at, doing{stood: known && at%40 < 1 && at >= 800})
			_, _, j, ok := tier.Add(w)
			if ok && j.Index >= 1200 {
				for _, c := range j.Charges {
					charged[c.Cause] += c.Queue
				}
			}
		}
		all := charged[Stalled] + charged[Demand] + charged[UnknownCause]
		if share := charged[Stalled] / all; known && share < 0.6 || !known && share > 0.2 {
			t.Errorf("the stop is known: %v; charged %v", known, charged)
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
