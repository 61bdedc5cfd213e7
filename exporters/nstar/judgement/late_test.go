// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"slices"
	"testing"
	"time"
)

// What a tier says of a destination that nobody else may measure, against what the destination's own windows show.
func TestLateAnswers(t *testing.T) {
	for _, tt := range []struct {
		name string
		system
		causes      []Cause
		least, most float64 // of the calls outstanding there: charged to these causes
	}{
		{"healthy at 30 %", three(20, nil), []Cause{Stalled, Behind, Untold}, 0, 0.01},
		{"healthy at 70 %", three(47, nil), []Cause{Stalled, Behind, Untold}, 0, 0.05},
		{"far away, with room for all", three(0, func(s *system) {
			s.open = 100
			s.tiers[db].servers, s.tiers[db].work = 1000, 100*ms
		}), []Cause{Stalled, Behind, Untold}, 0, 0.1},
		{"stopped", three(40, func(s *system) { s.tiers[db].stops = every(2000*ms, 200*ms) }), []Cause{Stalled, Behind}, 0.5, 0.9},
		{"stopped, at 20/s", three(0, func(s *system) {
			s.open = 20
			s.tiers[db].stops = every(2000*ms, 200*ms)
		}), []Cause{Stalled, Behind}, 0.6, 0.95},
		{"at its limit from the first second", three(150, nil), []Cause{Behind, Untold}, 0.9, 1.001},
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
				t.Errorf("%.3f of the time at the destination is said to be too much (%v), want %g to %g", share, tt.causes, tt.least, tt.most)
			}
		})
	}
}

// What this tier's own stops leave at a destination is not the destination's.
func TestLateAnswersAfterOwnStops(t *testing.T) {
	s := three(40, func(s *system) { s.tiers[app].stops = every(1700*ms, 250*ms) })
	said := judgeAll(NewTier(testWidth), s.simulate()[app], 30*time.Second)
	if late := said.left[Stalled] + said.left[Behind]; late > 0.1*said.left[GarbageCollection] {
		t.Errorf("%.2f request-seconds are the database's, and %.2f what the collections left there", late, said.left[GarbageCollection])
	}
}
