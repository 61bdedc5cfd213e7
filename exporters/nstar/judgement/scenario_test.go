// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

const ms = time.Millisecond

// three is a chain of three tiers whose database serves about 2,000 calls/s.
func three(users int, change func(*system)) system {
	s := system{
		users: users, think: 100 * ms, length: 55 * time.Second,
		tiers: []modelTier{
			{servers: 200, work: ms / 20, calls: 1},
			{servers: 2, work: ms / 2, calls: 3, gc: true},
			{servers: 2, work: ms},
		},
		random: rand.New(rand.NewPCG(1, 2)),
	}
	if change != nil {
		change(&s)
	}
	return s
}

// The tiers of the chain, as the checks name them.
const (
	front = iota
	app
	db
)

// share says that the causes have at least this share of a tier's own queue.
type share struct {
	tier   int
	least  float64
	causes []Cause
}

func TestScenarios(t *testing.T) {
	waits := []Cause{SoftResource, Place}
	for _, tt := range []struct {
		name string
		system
		shares []share
		quiet  bool // nothing stops and nothing waits for a place
	}{
		{"healthy at 30 %", three(20, nil), nil, true},
		{"healthy at 70 %", three(47, nil), nil, true},
		{"20/s", three(0, func(s *system) { s.open = 20 }), nil, true},
		{"500/s", three(0, func(s *system) {
			s.open = 500
			s.tiers[db].work = ms / 2
		}), nil, true},
		{"database at its limit", three(150, nil), nil, true},
		{"a burst", three(40, func(s *system) { s.burst = [2]time.Duration{35 * time.Second, 45 * time.Second} }), nil,
			true},
		{"collections of 250 ms every 1.7 s", three(40, func(s *system) {
			s.tiers[app].stops = every(1700*ms, 250*ms)
		}), []share{{app, 0.7, []Cause{GarbageCollection}}}, false},
		{"a collection every 40 s", three(40, func(s *system) {
			s.tiers[app].stops = every(40000*ms, 250*ms)
		}), []share{{app, 0.08, []Cause{GarbageCollection}}}, false},
		{"database stopped", three(40, func(s *system) {
			s.tiers[db].stops = every(2000*ms, 200*ms)
		}), []share{{db, 0.55, []Cause{Stopped}}}, false},
		{"database stopped, pool of 8", three(40, func(s *system) {
			s.tiers[app].pool = 8
			s.tiers[db].stops = every(2000*ms, 200*ms)
		}), []share{{db, 0.35, []Cause{Stopped}}, {app, 0.6, []Cause{Stalled}}}, false},
		{"database stopped at 20/s", three(0, func(s *system) {
			s.open = 20
			s.tiers[db].stops = every(2000*ms, 200*ms)
		}), []share{{db, 0.6, []Cause{Stopped}}}, false},
		{"pool of 1", three(60, func(s *system) { s.tiers[app].pool = 1 }),
			[]share{{app, 0.9, []Cause{SoftResource}}}, false},
		{"pool of 6", three(60, func(s *system) {
			s.tiers[app].pool = 6
			s.tiers[db].servers, s.tiers[db].work = 100, 8*ms
		}), []share{{app, 0.9, waits}}, false},
		{"few front workers", three(100, func(s *system) {
			s.tiers[front].pool = 4
			s.tiers[db].servers, s.tiers[db].work = 100, 8*ms
		}), []share{{front, 0.9, waits}}, false},
		{"pool of 32 before a database at its limit", three(150, func(s *system) { s.tiers[app].pool = 32 }),
			[]share{{app, 0.9, []Cause{Behind, Place}}}, false},
		{"collections and a database at its limit", three(150, func(s *system) {
			s.tiers[app].pool = 32
			s.tiers[app].stops = every(2000*ms, 200*ms)
		}), []share{{app, 0.12, []Cause{GarbageCollection}}, {app, 0.6, []Cause{Behind, Place}}}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			windows := tt.simulate()
			var bills []bill
			for _, ws := range windows {
				bills = append(bills, judgeAll(NewTier(testWidth), ws, 25*time.Second))
			}
			for i, b := range bills {
				t.Log(describe(i, b, bills[front].completions))
				if sum := b.sum(func(Charge) bool { return true }); sum > b.own*(1+1e-9) {
					t.Errorf("tier %d: charges of %g exceed the own queue of %g", i, sum, b.own)
				}
				other := func(c Charge) bool { return c.Cause != Demand && c.Cause != UnknownCause }
				if wrong := b.sum(other); tt.quiet &&
					wrong > 0.02*b.own {
					t.Errorf("tier %d: %g of %g charged to something that was not there", i, wrong, b.own)
				}
			}
			for _, want := range tt.shares {
				b := bills[want.tier]
				got := b.sum(func(c Charge) bool { return slices.Contains(want.causes, c.Cause) }) / b.own
				if got < want.least {
					t.Errorf("tier %d: %.2f of the own queue is charged to %v, want at least %.2f", want.tier,
						got, want.causes,
						want.least)
				}
			}
		})
	}
}

func describe(tier int, b bill, requests float64) string {
	line := fmt.Sprintf("%s: own %.2f ms", []string{"front", "app", "db"}[tier], 1000*b.own/requests)
	for c, v := range b.charges {
		line += fmt.Sprintf("; %s %.2f", strings.TrimSpace(string(c.Cause)+" "+c.To), 1000*v/requests)
	}
	for c, v := range b.left {
		line += fmt.Sprintf("; left behind by %s %.2f", c, 1000*v/requests)
	}
	return line + fmt.Sprint("; ", b.states)
}

func (b bill) sum(of func(Charge) bool) (sum float64) {
	for c, v := range b.charges {
		if of(c) {
			sum += v
		}
	}
	return sum
}

// Stops are found from the first minute on: almost all windows that lie fully in a stop with a request waiting, and
// hardly any other windows.
func TestStopsFound(t *testing.T) {
	for _, tt := range []struct {
		name      string
		tier      int
		stops     func(time.Duration) (time.Duration, bool)
		users     int
		open      float64
		recall    float64
		precision float64
	}{
		{"200 ms every 2 s", db, every(2000*ms, 200*ms), 40, 0, 0.97, 0.99},
		{"collections", app, every(1700*ms, 250*ms), 40, 0, 0.97, 0.99},
		{"120 ms every second", db, every(1000*ms, 120*ms), 40, 0, 0.97, 0.99},
		{"at 20/s", db, every(2000*ms, 200*ms), 0, 20, 0.80, 0.97},
		{"at 500/s", db, every(5000*ms, 150*ms), 0, 500, 0.97, 0.99},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := three(tt.users, func(s *system) {
				s.open, s.length = tt.open, 60*time.Second
				s.tiers[tt.tier].stops = tt.stops
			})
			windows := s.simulate()[tt.tier]
			judge := NewTier(testWidth)
			var full, found, said, false_ int
			for _, w := range windows {
				_, _, j, ok := judge.Add(w)
				if !ok || j.Index < 100 {
					continue
				}
				begin := time.Duration(j.Index) * testWidth
				until, stopped := tt.stops(begin)
				inside := stopped && until >= begin+testWidth
				touches := stopped
				if _, later := tt.stops(begin + testWidth - ms); later {
					touches = true
				}
				if inside && j.Own > 0.5 {
					full++
					if j.State == Frozen {
						found++
					}
				}
				if j.State == Frozen {
					said++
					if !touches {
						false_++
					}
				}
			}
			recall, precision := float64(found)/float64(full), 1-float64(false_)/math.Max(1, float64(said))
			t.Logf("%d windows: recall %.3f, precision %.3f", full, recall, precision)
			if recall < tt.recall || precision < tt.precision {
				t.Errorf("want at least %.2f and %.2f", tt.recall, tt.precision)
			}
		})
	}
}
