// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// halts is a tier whose processes run in every tick, or in none, and are stopped for a while.
type halts struct {
	t    *testing.T
	root string
	c    *stopped
	sum  time.Duration
}

func newHalts(t *testing.T, processes int, known bool) *halts {
	t.Helper()
	h := &halts{t: t, root: t.TempDir()}
	h.put("self", 'S')
	tier := Tier{Station: 1}
	for pid := range int32(processes) {
		h.put(fmt.Sprint(pid+1), 'S')
		tier.PIDs = append(tier.PIDs, pid+1)
	}
	c, err := openStopped(&shared{options: Options{ProcRoot: h.root},
		asked: map[window.Station]time.Duration{1: time.Minute}})
	if err != nil {
		t.Fatal(err)
	}
	h.c = c.(*stopped)
	h.c.had = func(window.Station) (ran, waited time.Duration, ok bool) { return h.sum, 0, known }
	h.c.Follow([]Tier{tier})
	return h
}

func (h *halts) put(pid string, state byte) {
	h.t.Helper()
	dir := filepath.Join(h.root, pid)
	if pid != "self" {
		dir = filepath.Join(dir, "task", pid)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		h.t.Fatal(err)
	}
	text := fmt.Sprintf("%s (server) %c 1 1 1 0", pid, state)
	if err := os.WriteFile(filepath.Join(dir, "stat"), []byte(text), 0o644); err != nil {
		h.t.Fatal(err)
	}
}

// play polls from 0 to the end, while stops of the processes are stopped in [from, to). The others run in each tick if
// the tier is busy. A process runs in the moment when it is stopped, and in the moment when it continues.
func (h *halts) play(from, to, end time.Duration, stops int, busy bool) {
	h.playBy(25*time.Millisecond, from, to, end, stops, busy)
}

func (h *halts) playBy(tick, from, to, end time.Duration, stops int, busy bool) (moved int) {
	began := 10 * time.Second
	is := false
	for now := time.Duration(0); now < end; now += tick {
		halted := now >= from && now < to
		if halted != is {
			for pid := range stops {
				h.put(fmt.Sprint(pid+1), map[bool]byte{true: 'T', false: 'S'}[halted])
			}
			h.sum += time.Microsecond
			is = halted
		}
		if busy && (!halted || stops < len(h.c.tiers[1])) {
			h.sum += time.Millisecond
		}
		h.c.moved = false
		if h.c.Poll(began + now); h.c.moved {
			moved++
		}
	}
	return moved
}

// share is the share in [from, to) of the time that was played.
func (h *halts) share(from, to time.Duration) float64 {
	const began = 10 * time.Second
	return h.c.Share(1, Window{From: began + from, To: began + to})
}

// A calm loop sees every stop that is longer than its beat, of a busy server and of a single one of its processes, too.
// It is told to hurry while the stop lasts.
func TestStoppedInCalm(t *testing.T) {
	const tick = 100 * time.Millisecond
	for _, processes := range []int{1, 4} {
		for range 50 {
			h := newHalts(t, processes, true)
			h.c.calm = true
			from := 500*time.Millisecond + time.Duration(rand.Int64N(int64(tick)))
			const length = 110 * time.Millisecond
			moved := h.playBy(tick, from, from+length, 2*time.Second, 1, true)
			want, within := length.Seconds()/float64(processes), tick.Seconds()/float64(processes)
			if got := 2 * h.share(0, 2*time.Second); got < want-within || got > want+within || got == 0 {
				t.Errorf("one of %d stopped for %.3f s, want %.3f", processes, got, want)
			}
			if moved != 1 && moved != 2 {
				t.Errorf("reason for haste at %d polls", moved)
			}
		}
	}
}

// However the processes are looked at, the ends of a stop are known to within one poll. If other processes of the tier
// go on running, they are known to within one round of polls over all processes.
func TestStoppedToOnePoll(t *testing.T) {
	const tick = 0.025
	for _, tt := range []struct {
		name            string
		processes, stop int
		known, busy     bool
		within          float64 // s
	}{
		{"a busy server", 1, 1, true, true, 2 * tick},
		{"an idle server", 1, 1, true, false, 2 * tick},
		{"four busy processes", 4, 4, true, true, 2 * tick},
		{"four idle processes", 4, 4, true, false, 2 * tick},
		{"one of four busy processes", 4, 1, true, true, 5 * tick / 4},
		{"one of four idle processes", 4, 1, true, false, 2 * tick / 4},
		{"the scheduler is not followed", 4, 4, false, true, 2 * tick},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for range 20 {
				h := newHalts(t, tt.processes, tt.known)
				from := 500*time.Millisecond + time.Duration(rand.Int64N(int64(200*time.Millisecond)))
				length := 50*time.Millisecond + time.Duration(rand.Int64N(int64(time.Second)))
				h.play(from, from+length, 3*time.Second, tt.stop, tt.busy)
				got := 3 * h.share(0, 3*time.Second)
				want := length.Seconds() * float64(tt.stop) / float64(tt.processes)
				if got < want-tt.within || got > want+tt.within {
					t.Errorf("stopped for %.3f s, want %.3f", got, want)
				}
				if before := h.share(0, from-125*time.Millisecond); before != 0 {
					t.Errorf("stopped for %.3f of the time before", before)
				}
			}
		})
	}
}

// A tier whose requests can't be measured is looked at from the first question on.
func TestStoppedOfHiddenTier(t *testing.T) {
	h := newHalts(t, 1, true)
	h.c.asked = make(map[window.Station]time.Duration)
	s := &Set{shared: h.c.shared, used: []used{{collector: h.c}}}
	began := 10 * time.Second
	second := func(i int) Window {
		return Window{From: began + time.Duration(i)*time.Second, To: began + time.Duration(i+1)*time.Second}
	}
	if v := s.Stopped(1, second(0)); v != 0 {
		t.Errorf("stopped for %g of the time before it was looked at", v)
	}
	h.play(time.Second, 2*time.Second, 3*time.Second, 1, false)
	for i, want := range []float64{0, 1, 0} {
		if v := s.Stopped(1, second(i)); v < want-0.1 || v > want+0.1 {
			t.Errorf("stopped for %g of second %d, want %g", v, i, want)
		}
	}
	if v := s.Stopped(2, second(1)); v != 0 {
		t.Errorf("stopped for %g, a tier that is not there", v)
	}
}
