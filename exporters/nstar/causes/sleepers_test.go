// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"fmt"
	"iter"
	"maps"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Threads wait for a lock for 5.7 s each, again and again, beside idle workers and background threads. The threads that
// have requests are found, window by window, though windows are read before the sleep is over.
func TestLongSleepers(t *testing.T) {
	const second = time.Second
	for _, tt := range []struct {
		name      string
		sleep     time.Duration // of each of ten threads that have requests
		state     string
		residence time.Duration
		want      float64
	}{
		{"a lock that is held for long", 5700 * time.Millisecond, "S (sleeping)", 5800 * time.Millisecond, 10},
		{"hardly longer than what is booked", 2600 * time.Millisecond, "S (sleeping)", 2700 * time.Millisecond, 10},
		{"what is booked when they wake", 1900 * time.Millisecond, "S (sleeping)", 2 * second, 0},
		{"they wait for a disk", 5700 * time.Millisecond, "D (disk sleep)", 5800 * time.Millisecond, 0},
		{"requests take half a second, and workers without work sleep", 5700 * time.Millisecond,
			"S (sleeping)", second / 2, 0},
		{"nothing is known of how long requests stay", 5700 * time.Millisecond, "S (sleeping)", 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			proc := t.TempDir()
			thread := func(id int, state string, pid int) {
				t.Helper()
				if err := os.MkdirAll(filepath.Join(proc, fmt.Sprint(id)), 0o755); err != nil {
					t.Fatal(err)
				}
				text := fmt.Sprintf("Name:\tx\nState:\t%s\nTgid:\t%d\nNgid:\t0\n", state, pid)
				if err := os.WriteFile(filepath.Join(proc, fmt.Sprint(id), "status"), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			now, blocked := 100*second, make(map[uint32]time.Duration)
			for i := range 10 {
				thread(i+1, tt.state, 1)
				thread(i+101, "S (sleeping)", 1) // background threads
				thread(i+201, "S (sleeping)", 9) // of no tier
				blocked[uint32(i+101)], blocked[uint32(i+201)] = second, 99*second
			}
			s := newSleepers(func() iter.Seq2[uint32, time.Duration] { return maps.All(blocked) }, proc)
			s.follow([]Tier{{Station: 3, PIDs: []int32{1}}, {Station: 4, PIDs: []int32{2}}})
			const step, late = 25 * time.Millisecond, 2500 * time.Millisecond
			slept, others, windows := 0., 0., 0.
			for ; now < 140*second; now += step {
				for i := range time.Duration(10) {
					phase := (now + i*537*time.Millisecond) % (tt.sleep + 20*time.Millisecond)
					if phase < tt.sleep {
						blocked[uint32(i+1)] = now - phase
					} else {
						delete(blocked, uint32(i+1))
					}
				}
				s.poll(now)
				if to := now - late; to >= 110*second {
					slept += s.share(3, to-step, to, longestWait(tt.residence))
					others += s.share(4, to-step, to, longestWait(tt.residence))
					windows++
				}
			}
			if got := slept / windows; math.Abs(got-tt.want) > 0.1*tt.want || others != 0 {
				t.Errorf("%.2f threads slept, want %g; %.2f of another tier, which has none", got,
					tt.want, others/windows)
			}
			if most := 2 * 10 * int(spansKept/(2*second)); len(s.over) > most || len(s.processes) > 30 {
				t.Errorf("%d sleeps and %d threads are kept", len(s.over), len(s.processes))
			}
		})
	}
}
