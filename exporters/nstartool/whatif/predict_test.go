// SPDX-License-Identifier: Apache-2.0

package whatif

import (
	"errors"
	"flag"
	"math"
	"os"
	"slices"
	"testing"
)

// board is a closed system like a bulletin board, whose database is its limit.
func board(change func(*system)) system {
	s := system{calls: [2]int{1, 3}, users: 100, think: 0.2, duration: 130, seed: 1}
	s.tiers[0] = server{servers: 50, work: 0.0005}
	s.tiers[1] = server{servers: 4, work: 0.005}
	s.tiers[2] = server{servers: 4, work: 0.002}
	change(&s)
	return s
}

// all is set by make check-whatif; the short form is for every day.
var all = flag.Bool("all", false, "predict all cases, and from two minutes of windows")

// TestMain makes replays shorter for every day.
func TestMain(m *testing.M) {
	flag.Parse()
	if !*all {
		mostJumps = 80_000
	}
	os.Exit(m.Run())
}

// TestPredict simulates a system, predicts a change from its windows, and
// simulates the system with the change.
func TestPredict(t *testing.T) {
	freezes := func(s *system) { s.tiers[1].answers, s.tiers[1].pause = 500, 0.25 }
	for _, test := range []struct {
		name    string
		before  system
		after   func(*system)
		changes []Change
	}{
		{"a database at its limit, twice as fast", board(func(s *system) { s.tiers[2].work = 0.006 }),
			func(s *system) { s.tiers[2].work = 0.003 }, []Change{Speed{"db", 2}}},
		{"no freezes", board(freezes), func(s *system) { s.tiers[1].pause = 0 }, []Change{NoFreezes{Tier: "app"}}},
		{"no freezes, near the limit", board(func(s *system) { freezes(s); s.tiers[2].work, s.think = 0.0035, 0.1 }),
			func(s *system) { s.tiers[1].pause = 0 }, []Change{NoFreezes{Tier: "app", Cause: causeCollection}}},
		{"no freezes, long think time", board(func(s *system) { freezes(s); s.users, s.think = 1500, 5 }),
			func(s *system) { s.tiers[1].pause = 0 }, []Change{NoFreezes{Tier: "app"}}},
		{"no freezes of the last tier", board(func(s *system) { s.tiers[2].every, s.tiers[2].length = 2, 0.2 }),
			func(s *system) { s.tiers[2].every = 0 }, []Change{NoFreezes{Tier: "db"}}},
		{"no freezes of one of two tiers", board(func(s *system) {
			freezes(s)
			s.tiers[2].every, s.tiers[2].length = 2, 0.1
		}),
			func(s *system) { s.tiers[1].pause = 0 }, []Change{NoFreezes{Tier: "app"}}},
		{"a pool that limits", board(func(s *system) {
			s.pool, s.users, s.tiers[2] = 6, 90, server{servers: 16, work: 0.006}
		}),
			func(s *system) { s.pool = 16 }, []Change{Pool{"app", "db", 16}}},
		{"a pool that limits, held for all calls", board(func(s *system) {
			s.pool, s.held, s.users, s.tiers[2] = 8, true, 90, server{servers: 16, work: 0.006}
		}), func(s *system) { s.pool = 16 }, []Change{Pool{"app", "db", 16}}},
		{"a pool before a database at its limit", board(func(s *system) { s.pool, s.tiers[2].work = 32, 0.006 }),
			func(s *system) { s.pool = 64 }, []Change{Pool{"app", "db", 64}}},
		{"more users below the limit", board(func(s *system) { s.users = 60 }),
			func(s *system) { s.users = 90 }, []Change{Load{1.5}}},
		{"more users at the limit", board(func(s *system) { s.tiers[2].work = 0.004 }),
			func(s *system) { s.users = 150 }, []Change{Load{1.5}}},
		{"independent arrivals without freezes", board(func(s *system) { freezes(s); s.users, s.rate = 0, 350 }),
			func(s *system) { s.tiers[1].pause = 0 }, []Change{NoFreezes{Tier: "app"}}},
		{"more independent arrivals", board(func(s *system) {
			s.users, s.rate = 0, 300
			s.tiers[2].every, s.tiers[2].length = 2, 0.2
		}),
			func(s *system) { s.rate = 450 }, []Change{Load{1.5}}},
		{"work that never varies", board(func(s *system) {
			s.tiers[1].law, s.tiers[2].law,
				s.think = fixed, fixed, 0.02
		}),
			func(s *system) { s.tiers[1].work /= 2 }, []Change{Speed{"app", 2}}},
		{"requests of very different work", board(func(s *system) { s.tiers[2].law = mixed }),
			func(s *system) { s.tiers[2].work /= 2 }, []Change{Speed{"db", 2}}},
		{"few requests", board(func(s *system) {
			s.users, s.think = 20, 1
			s.tiers[1].every, s.tiers[1].length = 3, 0.4
			s.duration = 190
		}), func(s *system) { s.tiers[1].every = 0 }, []Change{NoFreezes{Tier: "app"}}},
		{"more users on shared processors", board(func(s *system) {
			s.cores, s.users, s.think = 2, 40, 0.3
			s.tiers[2].every, s.tiers[2].length = 2, 0.2
		}), func(s *system) { s.users = 60 }, []Change{Load{1.5}}},
		{"more independent arrivals on shared processors", board(func(s *system) {
			s.cores, s.users, s.rate = 2, 0, 90
			s.tiers[2].every, s.tiers[2].length = 2, 0.2
		}), func(s *system) { s.rate = 135 }, []Change{Load{1.5}}},
		{"a pool that limits before shared processors", board(func(s *system) {
			s.cores, s.pool, s.held, s.users, s.think = 2, 1, true, 40, 0.3
		}), func(s *system) { s.pool = 8 }, []Change{Pool{"app", "db", 8}}},
		{"a processor of its own for the database", board(func(s *system) {
			s.cores, s.users, s.think, s.tiers[2].work = 2, 40, 0.3, 0.003
		}), func(s *system) { s.apart = true }, []Change{OwnProcessors{"db", 1}}},
		{"two changes", board(func(s *system) {
			freezes(s)
			s.pool, s.users, s.tiers[2] = 6, 90, server{servers: 16, work: 0.006}
		}), func(s *system) { s.pool, s.tiers[1].pause = 16, 0 },
			[]Change{Pool{"app", "db", 16}, NoFreezes{Tier: "app"}}},
	} {
		if !*all {
			if test.name != "no freezes" && test.name != "a pool that limits" {
				continue
			}
			test.before.duration = 50
		}
		t.Run(test.name, func(t *testing.T) {
			trace, before := test.before.simulate()
			changed := test.before
			changed.seed = 2
			test.after(&changed)
			_, after := changed.simulate()
			compare(t, trace, before, after, 0.25, test.changes)
			// R0 and N* were learned wrong: the windows correct what matters before the change,
			// and throughput after it.
			for _, wrong := range [][2]float64{{1.2, 0.8}, {0.8, 1.25}} {
				if *all {
					compare(t, mislearned(trace, wrong[0], wrong[1]), before, after, 1, test.changes)
				}
			}
		})
	}
}

// mislearned is a trace with R0 and N* times factors.
func mislearned(t Trace, base, knee float64) Trace {
	t.Tiers = slices.Clone(t.Tiers)
	for i := range t.Tiers {
		u := &t.Tiers[i]
		u.Base, u.Knee, u.KneeLow, u.KneeHigh = u.Base*base, u.Knee*knee, u.KneeLow*knee, u.KneeHigh*knee
	}
	return t
}

// compare compares a prediction with the real result.
func compare(t *testing.T, trace Trace, before, after performance, limit float64, changes []Change) {
	t.Helper()
	r, err := New(trace)
	var refused Unfit
	if limit == 1 && errors.As(err, &refused) {
		t.Logf("refused: %v", err) // a refusal is right if it was learned wrong
		return
	}
	if err != nil {
		t.Error(err)
		return
	}
	p, err := r.Predict(changes...)
	if err != nil {
		t.Error(err)
		return
	}
	gain := after.throughput/before.throughput - 1
	off := p.Predicted.Response/after.response - 1
	t.Logf("%s: throughput %.0f/s %+.1f %%, predicted %+.1f %% (%+.1f to %+.1f); "+
		"response %.1f ms to %.1f ms, predicted %.1f ms (%+.0f %%)",
		p.Source.Kind, before.throughput, gain*100, p.Throughput.Mean*100, p.Throughput.Low*100, p.Throughput.High*100,
		before.response*1e3, after.response*1e3, p.Predicted.Response*1e3, off*100)
	if math.Abs(p.Throughput.Mean-gain) > 0.10 {
		t.Errorf("throughput is off by more than 10 percentage points")
	}
	if math.Abs(off) > limit {
		t.Errorf("response time is off by more than %.0f %%", limit*100)
	}
}
