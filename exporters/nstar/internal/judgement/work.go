// SPDX-License-Identifier: Apache-2.0

package judgement

import "time"

// Work is what the threads of a tier did in a window, as the kernel's scheduler tells it: seconds per second, so that 2 is two
// threads.
type Work struct {
	Index       int64
	Ran, Waited float64 // on a processor; ready to run, without one
	Taken       float64 // of Waited, while another application had that processor
	Unaccepted  float64 // connections that were established, and the tier had not accepted them
}

// SetWork tells what the threads did in the window that is judged next. It is told for every window or for none.
func (t *Tier) SetWork(w Work) { t.contention.next, t.contention.told = w, true }

// contention holds the work of the last second against the excess queue of the same windows.
type contention struct {
	next   Work
	told   bool // at all
	span   int  // windows in a second
	recent []struct {
		Work
		excess float64
	}
}

func newContention(width time.Duration) contention {
	return contention{span: max(int(time.Second/width), 1)}
}

// add takes the excess queue of the window that is judged. It reports whether its work is known; if not, the second begins anew.
func (c *contention) add(index int64, excess float64) bool {
	if !c.told || c.next.Index != index {
		c.recent = c.recent[:0]
		return false
	}
	c.recent = append(c.recent, struct {
		Work
		excess float64
	}{c.next, excess})
	if len(c.recent) > c.span {
		c.recent = c.recent[1:]
	}
	return true
}

// share is the part of the excess that others are to blame for: each thread that waits because they have its processor is a
// request that waits. Where at least one thread always wants to run, as that of a server with a single one, the other requests
// wait for that thread, and they have the part of the time that it wants.
func (c *contention) share() float64 {
	var sum Work
	excess := 0.0
	for _, r := range c.recent {
		sum.Ran += r.Ran
		sum.Waited += r.Waited
		sum.Taken += r.Taken
		excess += r.excess
	}
	if sum.Taken <= 0 || excess <= 0 {
		return 0
	}
	share := sum.Taken / excess
	if c.always() {
		share = max(share, sum.Taken/(sum.Ran+sum.Waited))
	}
	return min(1, share)
}

// always reports whether a thread of the tier wants to run all the time, and does, but for the time in which others have its
// processor. Then requests wait for that thread, and not for a place to call.
func (c *contention) always() bool {
	n, busy := 0, 0.0
	for _, r := range c.recent {
		if r.Ran+r.Waited >= alwaysWanted {
			n++
		}
		busy += r.Ran + r.Taken
	}
	windows := float64(len(c.recent))
	return n > 0 && float64(n) >= mostWindows*windows && busy >= mostWindows*windows
}

// lengthened is the part of a pause in this window by which others made it longer: the threads that collect garbage had to wait for
// processors. What is less than a third may be the requests' threads that waited for the collection to end.
func (c *contention) lengthened() float64 {
	if len(c.recent) == 0 {
		return 0
	}
	w := c.recent[len(c.recent)-1]
	if wanted := w.Ran + w.Waited; wanted > 0 && w.Taken/wanted >= starved {
		return min(1, w.Taken/wanted)
	}
	return 0
}
