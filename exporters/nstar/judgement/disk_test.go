// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"testing"
	"time"
)

// chargedTo plays a minute of windows after a quiet time of the given length, and returns the mean of what is charged
// in its second half. base is what is known of base residence, or NaN.
func chargedTo(base float64, quiet time.Duration, before, window func(at int64) (Window, Work)) map[Cause]float64 {
	tier := NewTier(testWidth)
	tier.Give(base, math.NaN())
	lag, from := int64(lag/testWidth), int64(quiet/testWidth)
	play := func(i int64) (Window, Work) {
		if i < from {
			return before(i)
		}
		return window(i - from)
	}
	out, windows := map[Cause]float64{}, 0.0
	for i := range from + int64(time.Minute/testWidth) {
		if i >= lag {
			_, w := play(i - lag)
			w.Index = i - lag
			tier.SetWork(w)
		}
		w, _ := play(i)
		w.Index, w.GC = i, math.NaN()
		if _, _, j, ok := tier.Add(w); ok && j.Index >= from+int64(30*time.Second/testWidth) {
			windows++
			for _, c := range j.Charges {
				out[c.Cause] += c.Queue
			}
		}
	}
	for cause := range out {
		out[cause] /= windows
	}
	return out
}

// Requests that are at the disk are charged to it, and requests that sleep until one of these has its page. Requests
// that sleep for something else, or want the processor, are not, and neither is the time of a request that does not
// wait.
func TestChargeDisk(t *testing.T) {
	unknown := math.NaN()
	for _, tt := range []struct {
		name       string
		base       float64 // seconds; NaN: not known
		queue, did float64 // requests; completions in a window
		work       Work
		disk, rest float64 // charged to the disk; to demand or unknown
	}{
		{"a small buffer pool", unknown, 14, 16, Work{Ran: 0.4, Waited: 4.2, Disk: 3.4, Asleep: 6}, 9.4, 4.6},
		{"what a request takes is known", 0.0025, 14, 16, Work{Ran: 0.4, Waited: 4.2, Disk: 3.4, Asleep: 6}, 9, 4.2},
		{"most sleep for another reason", unknown, 20, 16, Work{Ran: 0.4, Disk: 1.5, Asleep: 18.1}, 4.5, 15.2},
		{"few, and what a request takes is not known", unknown, 2, 100,
			Work{Ran: 0.2, Waited: 0.1, Disk: 1.6, Asleep: 0.1}, 0, 0.1},
		{"commits take a millisecond each", 0.001, 1.2, 50, Work{Ran: 0.2, Disk: 1}, 0.2, 0},
		{"commits, and a queue for the processor", 0.003, 10, 50, Work{Ran: 1, Waited: 7, Disk: 2}, 0, 7},
		{"others have the processor, too", 0.001, 10, 20, Work{Ran: 0.2, Waited: 0.6, Taken: 0.6, Disk: 3,
			Asleep: 6.2}, 9, 0},
		{"more threads at the disk than requests wait", 0.001, 5, 20, Work{Ran: 1, Waited: 3, Disk: 8}, 1, 3.6},
		{"nothing waits for it", unknown, 14, 16, Work{Ran: 1, Waited: 12.9}, 0, 12.9},
	} {
		got := chargedTo(tt.base, 0, nil, func(int64) (Window, Work) {
			return Window{Queue: tt.queue, Completions: tt.did}, tt.work
		})
		rest := got[Demand] + got[UnknownCause]
		if math.Abs(got[Disk]-tt.disk) > 0.05 || math.Abs(rest-tt.rest) > 0.05 {
			t.Errorf("%s: %.2f to the disk and %.2f besides, want %.2f and %.2f: %v", tt.name, got[Disk], rest, tt.disk,
				tt.rest, got)
		}
	}
}

// A page cleaner writes all the time, with and without requests. If requests wait for a lock, the cleaner is not to
// blame.
func TestBesideRequests(t *testing.T) {
	locked := func(int64) (Window, Work) {
		return Window{Queue: 5, Completions: 4}, Work{Ran: 0.2, Disk: 0.9, Asleep: 3.9}
	}
	calm := func(cleaner float64) func(int64) (Window, Work) {
		return func(int64) (Window, Work) {
			return Window{Queue: 0.1, Completions: 4}, Work{Ran: 0.1, Disk: cleaner}
		}
	}
	if got := chargedTo(0.001, 30*time.Second, calm(0.95), locked); got[Disk] > 0.3 {
		t.Errorf("the page cleaner made requests wait: %v", got)
	}
	if got := chargedTo(0.001, 30*time.Second, calm(0.05), locked); got[Disk] < 2 {
		t.Errorf("a disk that is used only while they wait: %v", got)
	}
}

// For 200 ms every 2 s nothing leaves the tier. The disk is to blame if a thread waits for it meanwhile and the
// processes were not stopped.
func TestStoppedByTheDisk(t *testing.T) {
	for _, tt := range []struct {
		name string
		work Work // while nothing leaves
		want Cause
	}{
		{"one writes, and the others wait for it", Work{Disk: 0.95, Asleep: 5}, Disk},
		{"a lock", Work{Asleep: 6}, Stopped},
		{"a page is written now and then", Work{Disk: 0.1, Asleep: 5.9}, Stopped},
		{"a signal, while a write ends", Work{Disk: 0.5, Stopped: 1}, Stopped},
	} {
		got := chargedTo(0.001, 0, nil, func(at int64) (Window, Work) {
			if at%40 < 4 {
				return Window{Queue: 1 + 2*float64(at%40)}, tt.work
			}
			return Window{Queue: 0.1, Completions: 3}, Work{Ran: 0.1}
		})
		if all := got[Disk] + got[Stopped]; all < 0.1 || got[tt.want] < 0.9*all {
			t.Errorf("%s: %v, want %s", tt.name, got, tt.want)
		}
	}
}
