// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"math/rand/v2"
	"testing"
)

// crowdAtADatabase is what a server is charged with that has seven requests for most of the time. These do nothing
// themselves. Beside them are light requests, some of which also ask the database. After half a minute of calm:
//   - lock: each of the seven takes a lock and holds it during a call of 20 ms;
//   - otherwise they sleep for 150 ms on purpose, while a job makes calls of 20 ms to the database without a break.
func crowdAtADatabase(lock bool, seed uint64) map[Cause]float64 {
	const length, calm = 2400, 600
	tier := NewTier(testWidth)
	tier.SetProcessors(2)
	random := rand.New(rand.NewPCG(seed, 2))
	charged := make(map[Cause]float64)
	var sleeping []float64 // ms left of those that sleep
	call, side := 0.0, 0.0 // ms left of the long call, and of one on the side
	crowd := 0
	for i := range int64(length) {
		w := Window{Index: i, GC: math.NaN()}
		c := Calls{To: "database", Connections: 3}
		users := 7
		if i < calm {
			users = 1
		}
		for range 50 { // ms
			if lock && crowd < users && random.Float64() < 0.3 || !lock && len(sleeping) < users {
				if lock {
					crowd++
				} else {
					sleeping = append(sleeping, 150*(0.5+random.Float64()))
				}
			}
			if random.Float64() < 0.01 { // a light one
				w.Completions++
				if random.Float64() < 0.5 && side <= 0 {
					side = 2
					c.Begun++
				}
			}
			if side > 0 {
				if side--; side <= 0 {
					c.Answered++
				}
			}
			if call > 0 {
				if call--; call <= 0 {
					c.Answered++
					if lock {
						crowd--
						w.Completions++
					}
				}
			}
			if call <= 0 && (!lock || crowd > 0) {
				call = 20 + random.Float64()
				c.Begun++
			}
			for k := 0; k < len(sleeping); k++ {
				if sleeping[k]--; sleeping[k] <= 0 {
					sleeping = append(sleeping[:k], sleeping[k+1:]...)
					w.Completions++
					k--
				}
			}
			now := 0.0
			if call > 0 {
				now++
			}
			if side > 0 {
				now++
			}
			w.Queue += float64(crowd+len(sleeping)) / 50
			c.Outstanding += now / 50
			c.Peak = max(c.Peak, now)
		}
		c.Used = min(3, c.Begun)
		w.Calls = []Calls{c}
		_, _, j, ok := tier.Add(w)
		if i%20 == 19 {
			tier.SetLoad(Load{From: i - 19, To: i + 1, Cores: 0.04, Used: 0.02, Busy: 0.3, Others: 0.2})
		}
		if !ok || j.Index < calm+300 {
			continue
		}
		for _, c := range j.Charges {
			charged[c.Cause] += c.Queue
		}
	}
	return charged
}

func TestLockHeldOverACall(t *testing.T) {
	for seed := range uint64(10) {
		charged := crowdAtADatabase(true, seed)
		if rest := charged[UnknownCause] + charged[Demand] + charged[Stopped]; charged[SoftResource] < 4000 ||
			rest > 0.1*charged[SoftResource] {
			t.Errorf("%d: charged %v, want a soft resource", seed, charged)
		}
	}
}

func TestJobBesideSleepers(t *testing.T) {
	for seed := range uint64(10) {
		if charged := crowdAtADatabase(false, seed); charged[SoftResource]+charged[Place]+charged[Behind] > 0 {
			t.Errorf("%d: charged %v, want nothing for the calls", seed, charged)
		}
	}
}
