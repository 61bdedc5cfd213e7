// SPDX-License-Identifier: Apache-2.0

package judging

import (
	"math"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/judgement"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
)

// bucket is the bucket of requests that take so long.
func bucket(took time.Duration) (b int) {
	for b < probe.Buckets-1 && probe.Residence(b+1) <= took.Seconds() {
		b++
	}
	return b
}

// Requests that take seconds beside many quick requests wait on purpose, and so do similar requests that are answered
// sooner. They do not if all requests take as long, if few are slow, or if the slow ones do not take seconds.
func TestWhoWaitsOnPurpose(t *testing.T) {
	type answered map[time.Duration]uint64 // each second
	for _, tt := range []struct {
		name    string
		answers answered
		least   time.Duration // time from which on requests wait on purpose; 0: none do
	}{
		{"polls", answered{20 * time.Millisecond: 30, 2 * time.Second: 3, 20 * time.Second: 6}, 200 * time.Millisecond},
		{"all wait for a place", answered{4 * time.Second: 10, 8 * time.Second: 6}, 0},
		{"slow pages", answered{20 * time.Millisecond: 30, 2 * time.Second: 9}, 0},
		{"few that are very slow", answered{20 * time.Millisecond: 30, time.Second: 30, 6 * time.Second: 1}, 0},
		{"polls and nothing else", answered{20 * time.Second: 6}, 0},
		{"nobody", nil, 0},
	} {
		var a answers
		for took, n := range tt.answers {
			a.counts[bucket(took)] += float64(n)
		}
		from := a.patient()
		if tt.least == 0 && from < 1e9 || tt.least > 0 &&
			(from < 0.8*tt.least.Seconds() || from > 1.2*tt.least.Seconds()) {
			t.Errorf("%s: who takes %.2f s waits on purpose, want %s (0: nobody)", tt.name, from, tt.least)
		}
	}
}

// A judge is told of polls. It is not told of answers that come as soon as they can. Of a tier that was away it is only
// told the answers since then.
func TestPollsAreTold(t *testing.T) {
	judge := New(50*time.Millisecond).Of(discovery.TierName{}, 0)
	var all probe.Residences
	patient := func(polls, from, until int64) (found float64) {
		for i := from; i < until; i++ {
			judge.SetWork(judgement.Work{Index: i - 40, Asleep: float64(polls)})
			judge.Add(judgement.Window{Index: i, Queue: float64(polls) + 0.4, Completions: 1})
			if i%20 == 19 {
				all.Counts[bucket(20*time.Millisecond)] += 20
				all.Counts[bucket(10*time.Second)] += uint64(polls / 10)
				all.Sum += 400*time.Millisecond + time.Duration(polls)*time.Second
				if a, ok := judge.Answered(time.Duration(i+1)*50*time.Millisecond, all); ok {
					judge.SetAnswers(a)
				}
			}
		}
		_, _, j, _ := judge.Add(judgement.Window{Index: until, Queue: float64(polls) + 0.4})
		return j.Patient
	}
	if n := patient(100, 0, 1200); n < 95 || n > 100 {
		t.Errorf("%.1f of 100 polls wait on purpose", n)
	}
	all = probe.Residences{}
	if n := patient(0, 1201, 2400); n > 0.1 {
		t.Errorf("%.1f wait on purpose where nobody polls", n)
	}
}

// If answers take 5 ms and 300 ms, most of the time is spent in the latter.
func TestTypical(t *testing.T) {
	for _, tt := range []struct {
		name        string
		answers     map[time.Duration]uint64
		took, alike float64
	}{
		{"nobody", nil, 0, 0},
		{"all alike", map[time.Duration]uint64{5 * time.Millisecond: 40}, 0.005, 40},
		{"some are long", map[time.Duration]uint64{5 * time.Millisecond: 40, 300 * time.Millisecond: 7,
			200 * time.Millisecond: 2}, 0.3, 9},
		{"few are long, and take less than the others together", map[time.Duration]uint64{5 * time.Millisecond: 40,
			150 * time.Millisecond: 1}, 0.005, 41},
	} {
		var all probe.Residences
		for took, n := range tt.answers {
			all.Counts[bucket(took)] += n
		}
		if took, alike := typical(all); took < 0.8*tt.took || took > 1.2*tt.took || alike != tt.alike {
			t.Errorf("%s: %.3f s, %.0f of these; want %.3f, %.0f", tt.name, took, alike, tt.took, tt.alike)
		}
	}
}

// The mean counts by time: 40 short answers are nothing beside nine that take 60 times as long.
func TestCenter(t *testing.T) {
	var all probe.Residences
	all.Counts[bucket(5*time.Millisecond)] += 40
	all.Counts[bucket(300*time.Millisecond)] += 9
	mean, chance, effective := center(all)
	if math.Abs(mean-math.Log(0.3)) > 0.4 || effective < 9 || effective > 11 {
		t.Errorf("%.3f s, of %.1f answers", math.Exp(mean), effective)
	}
	if chance < 0.002 || chance > 0.2 {
		t.Errorf("chance moves the logarithm by a variance of %.3f", chance)
	}
	if mean, chance, effective := center(probe.Residences{}); mean != 0 || chance != 0 || effective != 0 {
		t.Errorf("nobody: %.3f, %.3f, %.1f", mean, chance, effective)
	}
}
