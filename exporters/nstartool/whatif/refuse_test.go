// SPDX-License-Identifier: Apache-2.0

package whatif

import (
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
)

// freezing is a short simulated trace, for tests that don't depend on chance.
var freezing = sync.OnceValue(func() Trace {
	t, _ := board(func(s *system) { s.duration = 50; s.tiers[1].answers, s.tiers[1].pause = 500, 0.25 }).simulate()
	return t
})

// small is that trace with a change.
func small(change func(*Trace)) Trace {
	t := freezing()
	t.Tiers, t.Edges = slices.Clone(t.Tiers), slices.Clone(t.Edges)
	change(&t)
	return t
}

func TestNewRefuses(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*Trace)
		want   string
	}{
		"too short": {func(t *Trace) {
			for i := range t.Tiers {
				t.Tiers[i].Queue = t.Tiers[i].Queue[:100]
			}
		}, "only 5 s of windows"},
		"no R0 where time is spent": {func(t *Trace) { t.Tiers[1].Base, t.Tiers[1].Learning = 0, "learning" },
			"the base residence time of app, where "},
		"a circle": {func(t *Trace) {
			back := t.Edges[1]
			back.From, back.To = "db", "app"
			t.Edges = append(t.Edges, back)
		}, "go in a circle"},
		"nobody from outside": {func(t *Trace) {
			back := t.Edges[1]
			back.From, back.To = "db", "web"
			t.Edges = append(t.Edges, back)
		}, "came from outside"},
		"two entrances":         {func(t *Trace) { t.Edges = t.Edges[:1] }, "at two tiers"},
		"R0 of another machine": {func(t *Trace) { t.Tiers[1].Base *= 10; t.Tiers[1].Knee *= 10 }, "can't be replayed"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := New(small(test.change))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestPredictRefuses(t *testing.T) {
	// Hardly any queue: without their limits web and db can still be replayed.
	trace, _ := board(func(s *system) {
		s.duration, s.users = 70, 30
		s.tiers[1].every, s.tiers[1].length = 5, 0.1
		s.tiers[2].servers = 50
	}).simulate()
	trace.Tiers[0].Base, trace.Tiers[0].Knee, trace.Tiers[0].Learning = 0, 0, "learning"
	trace.Tiers[2].Knee = 0
	r, err := New(trace)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		change Change
		want   string
	}{
		{NoFreezes{Tier: "nope"}, "there are: web, app, db"},
		{NoFreezes{Tier: "db"}, "db was not stopped"},
		{NoFreezes{Tier: "app", Cause: causeCollection}, "app was not stopped"},
		{Speed{"web", 2}, "its base residence time is not known (learning)"},
		{Speed{"app", 0}, "is not possible"},
		{Pool{"app", "db", 8}, "never seen at a cap"},
		{Pool{"app", "web", 8}, "app does not call web"},
		{Pool{"app", "db", 0}, "at least one place"},
		{Load{-1}, "is not possible"},
		{Load{10}, "would have to do"},
	} {
		if _, err := r.Predict(test.change); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: got %v, want %q", test.change, err, test.want)
		}
	}
}

// TestAmbiguous: with a short queue it can't be seen whether users wait, and near the limit the result
// depends on that.
func TestAmbiguous(t *testing.T) {
	trace, _ := board(func(s *system) { s.users, s.rate, s.duration = 0, 300, 45 }).simulate()
	r, err := New(trace)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = r.Predict(Load{3}); err == nil || !strings.Contains(err.Error(), "it is not known whether they do") {
		t.Error(err)
	}
}

// TestAtLimit: of a tier that stayed at its limit TPmax is known without R0.
func TestAtLimit(t *testing.T) {
	s := board(func(s *system) {
		s.duration, s.tiers[2].work = 70, 0.006
		s.tiers[1].answers, s.tiers[1].pause = 500, 0.25
	})
	trace, before := s.simulate()
	trace.Tiers[2].Base, trace.Tiers[2].Knee = 0, 0
	r, err := New(trace)
	if err != nil {
		t.Fatal(err)
	}
	if p, err := r.Predict(Speed{"db", 2}); err == nil {
		t.Errorf("a speed without R0: %v", p)
	}
	s.tiers[1].pause, s.seed = 0, 2
	_, after := s.simulate()
	p, err := r.Predict(NoFreezes{Tier: "app"})
	if gain := after.throughput/before.throughput - 1; err != nil || math.Abs(p.Throughput.Mean-gain) > 0.10 {
		t.Errorf("gain %v, predicted %v, %v", gain, p.Throughput, err)
	}
}

func TestOverload(t *testing.T) {
	trace, _ := board(func(s *system) {
		s.users, s.rate, s.duration = 0, 300, 70
		s.tiers[2].every, s.tiers[2].length = 2, 0.2
	}).simulate()
	r, err := New(trace)
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Predict(Load{3})
	if err != nil || !p.Overload {
		t.Errorf("overload %v, %v; 900 requests/s arrive where 667 can be served", p.Overload, err)
	}
}

func noPauses(c Change) bool {
	_, freezes := c.(NoFreezes)
	return !freezes
}

func TestBest(t *testing.T) {
	for name, test := range map[string]struct {
		system system
		want   string
	}{
		"a pool": {board(func(s *system) {
			s.duration, s.pool, s.users, s.tiers[2] = 50, 6, 90, server{servers: 16, work: 0.006}
		}), "12 calls at once from app to db"},
		"a database at its limit": {board(func(s *system) {
			s.duration, s.pool, s.tiers[2].work = 50, 32, 0.006
		}), "db 2 times as fast"},
	} {
		t.Run(name, func(t *testing.T) {
			trace, _ := test.system.simulate()
			r, err := New(trace)
			if err != nil {
				t.Fatal(err)
			}
			blamed := ""
			if name == "a database at its limit" {
				blamed = "db" // most of the time is spent before its pool
			}
			p, ok := r.Best(blamed, noPauses)
			if !ok || p.Changes[0].String() != test.want {
				t.Errorf("got %v %v, want %s", p.Changes, ok, test.want)
			}
		})
	}
}

// Collections that are not to blame are no advice, whatever would be without them.
func TestBestLeavesPausesAlone(t *testing.T) {
	trace, _ := board(func(s *system) {
		s.duration, s.tiers[1].answers, s.tiers[1].pause = 50, 500, 0.25
	}).simulate()
	r, err := New(trace)
	if err != nil {
		t.Fatal(err)
	}
	for _, pauses := range []bool{true, false} {
		apt := noPauses
		if pauses {
			apt = func(Change) bool { return true }
		}
		p, ok := r.Best("app", apt)
		freezes := false
		if ok {
			_, freezes = p.Changes[0].(NoFreezes)
		}
		if freezes != pauses {
			t.Errorf("pauses to blame %v: %v", pauses, p.Changes)
		}
	}
}
