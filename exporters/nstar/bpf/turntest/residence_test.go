// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestResidenceBuckets: the final residence time of each answer is counted in its quarter octave.
func TestResidenceBuckets(t *testing.T) {
	m := loadMachine(t)
	var durations []time.Duration
	for d := 50 * time.Nanosecond; d < 5*time.Second; d = d*113/100 + 1 {
		durations = append(durations, d)
	}
	// Either side of bounds that are powers of two of 2^-30 s, by more than the 16 bits of the comparison.
	for _, exponent := range []uint{20, 24, 28, 30} {
		bound := float64(uint64(1)<<exponent) / (1 << 30) * 1e9
		durations = append(durations, time.Duration(bound*0.9999), time.Duration(bound*1.0001))
	}
	for _, d := range durations {
		s := scenario{steps: []step{at(1 * ms).request(get), at(1*ms + d).answer(ok), at(5500 * ms).close()}}
		m.play(t, s)
		if diff := cmp.Diff(map[int]int{bucketOf(d): 1}, m.buckets(t)); diff != "" {
			t.Errorf("residence time %v (-want +got):\n%s", d, diff)
		}
	}
}

// TestResidenceExtremes: nothing falls off the histogram.
func TestResidenceExtremes(t *testing.T) {
	m := loadMachine(t)
	for d, bucket := range map[time.Duration]int{0: 0, 1200 * time.Second: 158, 100 * time.Hour: 158} {
		t.Run(fmt.Sprint(d), func(t *testing.T) {
			m.play(t, scenario{steps: []step{at(0).request(get), at(d).answer(ok), at(d).close()}})
			if diff := cmp.Diff(map[int]int{bucket: 1}, m.buckets(t)); diff != "" {
				t.Errorf("counted otherwise (-want +got):\n%s", diff)
			}
		})
	}
}

// TestResidenceOnce: an answer is counted when it is known to have ended, not before.
func TestResidenceOnce(t *testing.T) {
	m := loadMachine(t)
	steps := []step{at(1 * ms).request(get), at(2 * ms).answer(ok), at(60 * ms).answer(body(100))}
	m.play(t, scenario{steps: steps})
	if got := m.buckets(t); len(got) != 0 {
		t.Errorf("counted %v while the answer may still go on", got)
	}
	m.play(t, scenario{steps: append(steps, at(70*ms).request(get))})
	if diff := cmp.Diff(map[int]int{bucketOf(59 * ms): 1}, m.buckets(t)); diff != "" {
		t.Errorf("after the next request (-want +got):\n%s", diff)
	}
}
