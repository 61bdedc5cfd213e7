// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

func TestThinkTimesAreExponential(t *testing.T) {
	think := newThinker(100*time.Millisecond, 10, 1)
	r := rand.New(rand.NewPCG(1, 2))
	const n = 200_000
	var sum, squares float64
	for range n {
		x := think.draw(r).Seconds()
		sum += x
		squares += x * x
	}
	mean := sum / n
	deviation := math.Sqrt(squares/n - mean*mean)
	// The standard deviation of an exponential time is its mean.
	if math.Abs(mean-0.1) > 0.002 || math.Abs(deviation-0.1) > 0.002 {
		t.Errorf("mean %.4f s, standard deviation %.4f s, want 0.1 both", mean, deviation)
	}
}

// TestEvenThinkTimes: they stay near their mean, and the first ones are spread over it, so that users are not in step.
func TestEvenThinkTimes(t *testing.T) {
	think := newThinker(100*time.Millisecond, 10, 1)
	think.even = true
	r := rand.New(rand.NewPCG(1, 2))
	const n = 100_000
	var sum, first float64
	for range n {
		x := think.draw(r).Seconds()
		if x < 0.075 || x > 0.125 {
			t.Fatalf("a think time of %.4f s, want 0.075 to 0.125", x)
		}
		sum += x
		y := think.first(r).Seconds()
		if y < 0 || y > 0.1 {
			t.Fatalf("the first request comes after %.4f s, want at most 0.1", y)
		}
		first += y
	}
	if math.Abs(sum/n-0.1) > 0.001 || math.Abs(first/n-0.05) > 0.001 {
		t.Errorf("mean %.4f s, first %.4f s, want 0.1 and 0.05", sum/n, first/n)
	}
}

// The index of dispersion of arrivals that are modulated as newThinker says:
// variance over mean of the counts in intervals much longer than a state.
func TestBurstinessGivesTheIndexOfDispersion(t *testing.T) {
	const users, index = 100, 40
	think := newThinker(time.Second, users, index)
	r := rand.New(rand.NewPCG(3, 4))
	const intervals, length = 4000, 400.0 // seconds
	var sum, squares float64
	left, surge := r.ExpFloat64()*think.stay.Seconds(), false
	for range intervals {
		count := 0.0
		for rest := length; rest > 0; {
			span := min(rest, left)
			rate := users * (1 - spread)
			if surge {
				rate = users * (1 + spread)
			}
			// Poisson counts of this size are normal.
			count += rate*span + math.Sqrt(rate*span)*r.NormFloat64()
			rest -= span
			if left -= span; left <= 0 {
				left, surge = r.ExpFloat64()*think.stay.Seconds(), !surge
			}
		}
		sum += count
		squares += count * count
	}
	mean := sum / intervals
	got := (squares/intervals - mean*mean) / mean
	if got < 0.9*index || got > 1.1*index {
		t.Errorf("index of dispersion %.1f, want %d", got, index)
	}
}

func TestNoBurstsWithoutBurstiness(t *testing.T) {
	if stay := newThinker(time.Second, 10, 1).stay; stay != 0 {
		t.Errorf("stay = %s, want 0", stay)
	}
}
