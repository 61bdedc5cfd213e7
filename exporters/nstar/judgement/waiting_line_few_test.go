// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Few requests come to a tier that calls another one: from the 30th or the first second on each of them sleeps, in a
// line or by itself. Beside them come as many that are answered at once.
func TestLineOfFewRequests(t *testing.T) {
	for _, tt := range []struct {
		name  string
		rates []float64 // requests a second
		least []float64 // share of the waiting that is charged to a place 15 seconds later and on; nil: hardly any
		slow  func(r *rand.Rand) func(at float64) float64
	}{
		{"a connection that each keeps for 120 ms", []float64{6.5, 7.5}, []float64{0.4, 0.7},
			func(r *rand.Rand) func(float64) float64 {
				return line(1, func() float64 { return 0.12 + 0.004*r.Float64() })
			}},
		{"a lock, held for 60 ms", []float64{12, 14}, []float64{0.5, 0.8}, func(r *rand.Rand) func(float64) float64 {
			return line(1, func() float64 { return 0.05 + 0.02*r.Float64() })
		}},
		{"two connections that each keeps for 200 ms", []float64{8.5}, []float64{0.7},
			func(r *rand.Rand) func(float64) float64 {
				return line(2, func() float64 { return 0.18 + 0.04*r.Float64() })
			}},
		{"a pause that is the same for all", []float64{4, 10}, nil, func(*rand.Rand) func(float64) float64 {
			return func(at float64) float64 { return at + 0.4 }
		}},
		{"a pause of any length", []float64{4, 10}, nil, func(r *rand.Rand) func(float64) float64 {
			return func(at float64) float64 { return at + 0.1 + 0.6*r.Float64() }
		}},
		{"a pause by an exponential distribution", []float64{4, 10, 15}, nil,
			func(r *rand.Rand) func(float64) float64 {
				return func(at float64) float64 { return at + 0.4*r.ExpFloat64() }
			}},
		{"one in three sleeps for longer", []float64{4, 6, 10, 15}, nil, func(r *rand.Rand) func(float64) float64 {
			return func(at float64) float64 {
				if r.Float64() < 1./3 {
					return at + 0.8
				}
				return at + 0.1
			}
		}},
		{"one in ten sleeps for much longer", []float64{6, 10, 15}, nil, func(r *rand.Rand) func(float64) float64 {
			return func(at float64) float64 {
				if r.Float64() < 0.1 {
					return at + 2 + r.Float64()
				}
				return at + 0.1
			}
		}},
	} {
		for k := range 2 * len(tt.rates) {
			i, begin := k/2, 30*float64(k%2)
			rate, end := tt.rates[i], begin+60
			t.Run(fmt.Sprintf("%s, %g a second, from %g s", tt.name, rate, begin), func(t *testing.T) {
				const seeds = 12
				mean := 0.
				for seed := range uint64(seeds) {
					r := rand.New(rand.NewPCG(seed, 13))
					slow := tt.slow(r)
					var visits []visit
					for at := r.ExpFloat64() / rate; at < end; at += r.ExpFloat64() / rate {
						to := at + 0.008
						if at >= begin {
							to = slow(at + 0.008)
						}
						quick := at + 0.5/rate
						visits = append(visits, visit{at, to}, visit{quick, quick + 0.007})
					}
					share, _ := sleepShare(visits, end, begin, hardlyWorks(0), func(done float64) []Calls {
						return []Calls{{To: "db", Outstanding: 0.02, Begun: done, Answered: done, Peak: 1,
							Connections: 8, Used: min(8, done), Idle: 0.1}}
					})
					mean += share / seeds
				}
				t.Logf("%.0f %% are charged to a place", 100*mean)
				most := 0.1
				if begin == 0 { // by chance the curve looks like that of a limit, until more is known
					most = 0.15
				}
				if tt.least != nil && mean < tt.least[i] || tt.least == nil && mean > most {
					t.Errorf("%.0f %% are charged to a place", 100*mean)
				}
			})
		}
	}
}
