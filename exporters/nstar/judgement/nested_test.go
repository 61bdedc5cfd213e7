// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// nested is a tier whose requests make so many short calls to a database and, in the middle of them, one long call to a
// server outside. The tier lets only a few requests do so at a time.
type nested struct {
	places      int     // requests that call at a time
	statements  int     // to the database, per request
	outside     float64 // tenths of a millisecond that the server outside takes
	connections float64 // open to the database
}

const (
	statement = 2. // tenths of a millisecond that the database takes
	between   = 7. // time between two calls
)

// windows returns the windows of a minute in which some 20 requests wait for a place. In the first quarter there is
// only one request at a time, now and then.
func (n nested) windows() []Window {
	random := rand.New(rand.NewPCG(1, 2))
	type request struct {
		phase   int // calls made so far
		calling bool
		left    float64
	}
	jitter := func(mean float64) float64 { return mean * (0.8 + 0.4*random.Float64()) }
	places := make([]*request, n.places)
	const step, windows = 1, 1200
	long := n.statements / 2  // the number of the long call
	var answered [2][]float64 // when the last call on a connection was
	for k := range answered {
		answered[k] = make([]float64, n.places)
	}
	now, present := 0., 0.
	var out []Window
	for i := range int64(windows) {
		w := Window{Index: i, GC: math.NaN()}
		busy := i >= windows/4
		if i%20 == 0 {
			present = float64(14 + random.IntN(13))
		}
		var calls [2]Calls // database, outside
		var used [2]map[int]bool
		for k := range used {
			used[k] = make(map[int]bool)
		}
		calls[0].To, calls[1].To = "database", "outside"
		calls[0].Connections, calls[1].Connections = n.connections, float64(n.places)
		const steps = int(testWidth / (100 * time.Microsecond))
		for s := range steps {
			var out [2]float64
			now += step
			for p, r := range places {
				if r == nil {
					if busy || p == 0 && i%8 == 0 && s == 0 {
						places[p] = &request{left: jitter(between)}
					}
					continue
				}
				to := 0
				if r.phase == long {
					to = 1
				}
				if r.calling {
					out[to]++
					used[to][p] = true
				}
				if r.left -= step; r.left > 0 {
					continue
				}
				switch {
				case r.calling:
					calls[to].Answered++
					answered[to][p] = now
					r.phase++
					r.calling, r.left = false, jitter(between)
				case r.phase > n.statements:
					places[p] = nil
					w.Completions++
				default:
					calls[to].Begun++
					calls[to].Idle += (now - answered[to][p]) / float64(steps)
					r.calling, r.left = true, jitter(statement)
					if to == 1 {
						r.left = jitter(n.outside)
					}
				}
			}
			here := 0.
			for _, r := range places {
				if r != nil {
					here++
				}
			}
			if busy {
				here = present
			}
			w.Queue += here / float64(steps)
			for k := range calls {
				calls[k].Outstanding += out[k] / float64(steps)
				calls[k].Peak = max(calls[k].Peak, out[k])
				calls[k].Used = float64(len(used[k]))
			}
		}
		w.Calls = calls[:]
		out = append(out, w)
	}
	return out
}

// A request holds its connection to the database while it calls a server outside. So there are never more calls there
// than connections: the pool is that of the database, though the calls outside take longer. If these take nearly all of
// the time, both may be the limit.
func TestOnePlaceWithinAnother(t *testing.T) {
	for _, c := range []struct {
		name string
		nested
		database, outside float64 // share of what waits
	}{
		{"two connections, held while something outside is asked", nested{2, 24, 400, 2}, 1, 0},
		{"six", nested{6, 24, 400, 6}, 1, 0},
		{"the server outside has nearly all of the time", nested{4, 6, 2000, 4}, 0.5, 0.5},
		{"more connections to the database than ever call", nested{4, 6, 2000, 10}, 0, 1},
		{"one statement, which may be anybody's", nested{4, 1, 2000, 4}, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			tier := NewTier(testWidth)
			charged, all := make(map[string]float64), 0.
			for _, w := range c.windows() {
				_, _, j, ok := tier.Add(w)
				if w.Index%20 == 19 {
					tier.SetLoad(Load{From: w.Index - 19, To: w.Index + 1, Cores: 0.1, Used: 0.1,
						Busy: 0.3, Others: 0.2})
				}
				if !ok || j.Index < 600 {
					continue
				}
				for _, charge := range j.Charges {
					all += charge.Queue
					charged[charge.To] += charge.Queue
				}
			}
			if math.Abs(charged["database"]/all-c.database) > 0.1 ||
				math.Abs(charged["outside"]/all-c.outside) > 0.1 {
				t.Errorf("charged %v, want %g to the database's places, and %g to those outside", charged, c.database,
					c.outside)
			}
		})
	}
}
