// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// mean is the mean number of requests in a station under Poisson arrivals, by simulation.
func mean(s station, share float64) float64 {
	visits := simulate(s, []step{{share: share, length: 2000 * time.Second}}, 1)
	var integral time.Duration
	for _, v := range visits {
		integral += v.departure - v.arrival
	}
	return float64(integral) / float64(visits[len(visits)-1].departure)
}

// The model must agree with the results that are known in closed form.
func TestModelAgainstFormulas(t *testing.T) {
	const load = 0.7
	mm1 := station{workers: 1, service: 2 * time.Millisecond, exponential: true}
	md1 := station{workers: 1, service: 2 * time.Millisecond}
	for name, c := range map[string]struct{ got, want float64 }{
		"M/M/1":                      {mean(mm1, load), load / (1 - load)},
		"M/D/1, Pollaczek-Khinchine": {mean(md1, load), load + load*load/(2*(1-load))},
	} {
		if math.Abs(c.got/c.want-1) > 0.02 {
			t.Errorf("%s: mean number %.3f, formula %.3f", name, c.got, c.want)
		}
	}
}

func TestClosedLoop(t *testing.T) {
	s := station{workers: 4, service: 10 * time.Millisecond}
	for _, c := range []struct {
		population int
		want       float64 // per second
	}{{1, 100}, {3, 300}, {4, 400}, {16, 400}} {
		visits := cycle(s, c.population, 0, 10*time.Second, rand.New(rand.NewPCG(1, 1)))
		got := float64(len(visits)) / visits[len(visits)-1].departure.Seconds()
		if math.Abs(got/c.want-1) > 0.01 {
			t.Errorf("%d customers: %.1f/s, want %.0f", c.population, got, c.want)
		}
	}
}

// In a closed loop the queue is the population, and 4 workers are busy from 4 on: N* is 4.
func TestReference(t *testing.T) {
	s := station{workers: 4, service: 10 * time.Millisecond}
	nStar, _ := reference(s, closedSweep(1, 2*time.Second), 10)
	if math.Abs(nStar-4) > 0.05 {
		t.Errorf("N* = %.3f, want 4", nStar)
	}
}
