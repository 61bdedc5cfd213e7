// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"testing"
)

// Two processes of a server have a pool each. While the database stands still, the process that gets the requests waits
// for it with all its places, and the other's places are free. The requests wait for the database all the same.
func TestStallWithPlacesLeft(t *testing.T) {
	random := three(1, nil).random
	tier := NewTier(testWidth)
	charged := make(map[Cause]float64)
	for i := range int64(2400) {
		w := Window{Index: i, Queue: 3 + random.Float64(), Completions: float64(18 + random.IntN(5)), GC: math.NaN()}
		c := Calls{To: "db", Outstanding: 1, Begun: w.Completions, Answered: w.Completions, Peak: 4,
			Connections: 32, Used: 8}
		if i%200 == 50 {
			c.Peak = 22 // both processes at once
		}
		switch in := i % 40; {
		case i < 200:
			if i%4 == 0 { // at first long queues come without stops
				c.Outstanding, c.Peak, w.Queue, c.Begun, c.Answered, w.Completions = 20, 22, 22, 80, 80, 80
			}
		case in == 0: // the stop begins
			c.Outstanding, c.Peak, w.Queue = 8, 16, 20
			c.Answered, w.Completions = 4, 4
		case in < 4:
			c = Calls{To: "db", Outstanding: 16, Peak: 16, Connections: 32, Used: 16}
			w.Queue, w.Completions = 20+20*float64(in), 0
		case in == 4: // it catches up
			c.Outstanding, c.Peak, w.Queue, w.Completions = 8, 16, 40, 90
			c.Begun, c.Answered = 80, 90
		}
		w.Calls = []Calls{c}
		_, _, j, ok := tier.Add(w)
		if !ok || j.Index < 800 {
			continue
		}
		for _, c := range j.Charges {
			charged[c.Cause] += c.Queue
		}
	}
	if charged[Stalled] < 2*charged[Stopped] {
		t.Errorf("charged %v, want most of the stops to the tier behind", charged)
	}
}

// A database stands still for 300 ms every two seconds while all ten connections of a pool carry a call, from the first
// second on. The first stops come before anything is promised. They must not be taken for what ten queries get done.
func TestStopsBeforeAnythingIsPromised(t *testing.T) {
	random := three(1, nil).random
	tier := NewTier(testWidth)
	frozen := 0
	for i := range int64(1200) {
		w := Window{Index: i, Queue: 0.2 + 0.3*random.Float64(),
			Completions: float64(50 + random.IntN(20)), GC: math.NaN()}
		switch at := (i + 36) % 40; {
		case at < 6:
			w.Queue, w.Completions = 10, 0
		case at == 6:
			w.Queue, w.Completions = 4.7, 220
		}
		if _, _, j, ok := tier.Add(w); ok && j.State == Frozen {
			frozen++
		}
	}
	if frozen < 150 {
		t.Errorf("%d windows frozen, want nearly all of 180", frozen)
	}
}
