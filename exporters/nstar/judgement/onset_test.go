// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"slices"
	"testing"
)

// crowd feeds an onset with windows of a tier that always has as many requests, from some moment on. places of them are
// at work at a time, each for held seconds, the first of all for longer.
func crowd(o *onset, requests, places int, first, held, from, seconds float64) {
	const width = 0.05
	var ends []float64
	free := make([]float64, places)
	for i := range free {
		free[i] = from
	}
	work := first
	for {
		i := slices.Index(free, slices.Min(free))
		if free[i] += work; free[i] > seconds {
			break
		}
		ends = append(ends, free[i])
		if len(ends) >= places {
			work = held
		}
	}
	for index := int64(0); float64(index)*width < seconds; index++ {
		begin, end := float64(index)*width, float64(index+1)*width
		w := Window{Index: index, Queue: float64(requests) * math.Max(0, math.Min(1, (end-from)/width))}
		for _, at := range ends {
			if at >= begin && at < end {
				w.Completions++
			}
		}
		o.add(w)
	}
}

func TestOnset(t *testing.T) {
	for _, tt := range []struct {
		name             string
		requests, places int
		first, held      float64
		from             float64 // when the requests come
		want             bool
	}{
		{"20 requests that wait for nobody", 20, 20, 0.15, 0.15, 1.02, true},
		{"20 requests that wait for nobody, for a second", 20, 20, 1, 1, 1.02, true},
		{"5 places for 20 requests", 20, 5, 0.15, 0.15, 1.02, false},
		{"10 places for 20 requests", 20, 10, 0.15, 0.15, 1.02, false},
		{"one place for 20 requests, too fast to tell", 20, 1, 0.005, 0.005, 1.02, false},
		{"a cold server with 5 places", 20, 5, 2, 0.1, 1.02, false},
		{"not seen to begin", 20, 20, 0.15, 0.15, 0, false},
		{"hardly watched before: others were first, whom nobody has seen", 20, 5, 0.6, 0.15, 0.12, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := newOnset(testWidth)
			crowd(&o, tt.requests, tt.places, tt.first, tt.held, tt.from, 30)
			if o.asQuickAsFirst() != tt.want {
				t.Errorf("asQuickAsFirst is %t; first answer after %.3f s, fastest %.3f s, now %.3f s",
					o.asQuickAsFirst(), o.least, o.fastest, o.residence())
			}
		})
	}
}

func TestOnsetOfRestedTier(t *testing.T) {
	o := newOnset(testWidth)
	o.rested()
	crowd(&o, 20, 20, 0.15, 0.15, 0, 30)
	if !o.asQuickAsFirst() {
		t.Error("a tier that was idle before its first window was seen to begin")
	}
}
