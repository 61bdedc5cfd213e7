// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// What a tier says of a destination that may not be measured by others, compared with what the destination's own
// windows show.
func TestLateAnswers(t *testing.T) {
	for _, tt := range []struct {
		name string
		system
		causes      []Cause
		least, most float64 // of the calls outstanding there: charged to these causes
	}{
		{"healthy at 30 %", three(20, nil), []Cause{Stalled, Behind, UnknownCause}, 0, 0.01},
		{"healthy at 70 %", three(47, nil), []Cause{Stalled, Behind, UnknownCause}, 0, 0.05},
		{"far away, with room for all", three(0, func(s *system) {
			s.open = 100
			s.tiers[db].servers, s.tiers[db].work = 1000, 100*ms
		}), []Cause{Stalled, Behind, UnknownCause}, 0, 0.1},
		{"stopped", three(40, func(s *system) { s.tiers[db].stops = every(2000*ms, 200*ms) }),
			[]Cause{Stalled, Behind}, 0.5, 0.9},
		{"stopped, at 20/s", three(0, func(s *system) {
			s.open = 20
			s.tiers[db].stops = every(2000*ms, 200*ms)
		}), []Cause{Stalled, Behind}, 0.6, 0.95},
		{"at its limit from the first second", three(150, nil), []Cause{Behind, UnknownCause}, 0.9, 1.001},
		{"at its limit, and was seen with less to do", three(45, func(s *system) {
			s.burst = [2]time.Duration{40 * time.Second, 55 * time.Second}
		}), []Cause{Behind}, 0.5, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			windows := tt.simulate()
			caller, called := NewTier(testWidth), NewTier(testWidth)
			const from = 30 * time.Second
			said, is := judgeAll(caller, windows[app], from), judgeAll(called, windows[db], from)
			late := 0.0
			for cause, v := range said.left {
				if slices.Contains(tt.causes, cause) {
					late += v
				}
			}
			t.Logf("%.1f of %.1f request-seconds: %v", late, is.own, said.left)
			if share := late / is.own; share < tt.least || share > tt.most {
				t.Errorf("%.3f of the time at the destination is said to be too much (%v), want %g to %g", share,
					tt.causes, tt.least, tt.most)
			}
		})
	}
}

// What this tier's own stops leave behind at a destination is not the destination's fault.
func TestLateAnswersAfterOwnStops(t *testing.T) {
	s := three(40, func(s *system) { s.tiers[app].stops = every(1700*ms, 250*ms) })
	said := judgeAll(NewTier(testWidth), s.simulate()[app], 30*time.Second)
	if late := said.left[Stalled] + said.left[Behind]; late > 0.1*said.left[GarbageCollection] {
		t.Errorf("%.2f request-seconds are the database's, and %.2f what the collections left there", late,
			said.left[GarbageCollection])
	}
}

// There are 15 calls a second to a server outside. Each took 20 ms, and takes 320 from the second half minute on. There
// is room for all of them, so this looks like the time that they take with little to do. The server is slow all the
// same, even minutes later. The same holds with three calls a second, or one, and then from the beginning of the slow
// time on.
func TestSlowForLong(t *testing.T) {
	const slowFrom, length = 1200, 6000
	for _, c := range []struct {
		perSecond float64
		from      int64
		least     float64 // of the calls outstanding
	}{
		{15, length - 1200, 0.5},
		{15, slowFrom + 200, 0.5},
		{3.5, slowFrom + 200, 0.7},
		{1, slowFrom + 200, 0.5},
	} {
		late, there := slowCalls(c.perSecond, slowFrom, c.from, c.from+1200)
		if late < c.least*there {
			t.Errorf("%g a second: %.1f of %.1f calls outstanding are said to be too many, want %.0f %%", c.perSecond,
				late, there, 100*c.least)
		}
	}
}

// slowCalls is how many calls to a server outside are outstanding in some windows, and how many of these are said to be
// too many. perSecond calls come a second.
func slowCalls(perSecond float64, slowFrom, from, until int64) (late, there float64) {
	tier := NewTier(testWidth)
	random := rand.New(rand.NewPCG(1, 2))
	var calls []float64 // ms left
	for i := range until {
		w := Window{Index: i, GC: math.NaN()}
		c := Calls{To: "outside", Connections: 30}
		took := 20.
		if i >= slowFrom {
			took = 320
		}
		for range 50 { // ms
			if random.Float64() < perSecond/1000 {
				calls = append(calls, took*(0.95+0.1*random.Float64()))
				c.Begun++
			}
			for k := 0; k < len(calls); k++ {
				if calls[k]--; calls[k] <= 0 {
					calls = append(calls[:k], calls[k+1:]...)
					c.Answered++
					w.Completions++
					k--
				}
			}
			c.Outstanding += float64(len(calls)) / 50
			c.Peak = max(c.Peak, float64(len(calls)))
		}
		w.Queue, c.Used = c.Outstanding+0.02, c.Peak
		w.Calls = []Calls{c}
		_, _, j, ok := tier.Add(w)
		if i%20 == 19 {
			tier.SetLoad(Load{From: i - 19, To: i + 1, Cores: 0.04, Used: 0.02, Busy: 0.3, Others: 0.2})
		}
		if !ok || j.Index < from {
			continue
		}
		there += c.Outstanding / float64(until-from)
		for _, e := range j.Edges {
			if e.Cause == Behind {
				late += e.Queue / float64(until-from)
			}
		}
	}
	return late, there
}
