// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// 50 requests come a second and sleep for 25 ms each in a tier. From the 30th second on it has only two workers, so
// that a request waits for one now and then, before anybody reads it. Which requests are not read is looked at only
// twice a second. If nobody looks, or if all are read, it is not known what they wait for.
func TestFewWorkersThatSleep(t *testing.T) {
	for _, tt := range []struct {
		name        string
		workers     int
		read        bool // by a thread that only hands requests over
		least, most float64
	}{
		{"two workers", 2, false, 0.6, 1},
		{"two workers, and another thread reads", 2, true, 0, 0.3},
		{"workers enough", 50, false, 0, 0.3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			const seeds = 5
			mean := 0.
			for seed := range uint64(seeds) {
				mean += fewWorkers(seed, tt.workers, tt.read) / seeds
			}
			t.Logf("%.0f %% of the excess are charged to a place", 100*mean)
			if mean < tt.least || mean > tt.most {
				t.Errorf("%.0f %% of the excess are charged to a place", 100*mean)
			}
		})
	}
}

// fewWorkers is the share of the excess that is charged to a place, from the 40th second on.
func fewWorkers(seed uint64, workers int, read bool) float64 {
	const end, begin, rate, took = 90., 30., 50., 0.025
	r := rand.New(rand.NewPCG(seed, 3))
	free := make([]float64, workers)
	var visits []visit
	var starts []float64 // when a worker takes it
	for at := r.ExpFloat64() / rate; at < end; at += r.ExpFloat64() / rate {
		from := at
		if at >= begin {
			k := slices.Index(free, slices.Min(free))
			from = max(free[k], at)
			free[k] = from + took*(0.8+0.4*r.Float64())
			visits = append(visits, visit{at, free[k]})
		} else {
			visits = append(visits, visit{at, at + took*(0.8+0.4*r.Float64())})
		}
		starts = append(starts, from)
	}
	width := testWidth.Seconds()
	windows := int(end / width)
	queue, done := byWindow(visits, windows)
	tier := NewTier(testWidth)
	tier.SetProcessors(2)
	second, lag := int64(time.Second/testWidth), int64(lag/testWidth)
	places, all, unread := 0., 0., 0.
	for i := range int64(windows) {
		if at := i - lag; at >= 0 {
			if at%(second/2) == 0 && !read {
				now := float64(at) * width
				unread = 0
				for k, v := range visits {
					if v.from <= now && now < starts[k] {
						unread++
					}
				}
			}
			tier.SetWork(Work{Index: at, Ran: 0.05, Asleep: max(0, queue[at]-0.05), Unread: unread})
		}
		_, _, j, ok := tier.Add(Window{Index: i, Queue: queue[i], Completions: done[i], GC: math.NaN()})
		if i%second == second-1 {
			tier.SetLoad(Load{From: i + 1 - second, To: i + 1, Cores: 0.05, Used: 0.03, Busy: 0.3, Thread: math.NaN()})
		}
		if ok && float64(j.Index)*width >= begin+10 {
			for _, c := range j.Charges {
				all += c.Queue
				if c.Cause == SoftResource {
					places += c.Queue
				}
			}
		}
	}
	if all == 0 {
		return 0
	}
	return places / all
}

// A server starts a process for each of its 20 connections a second, which takes 10 ms of work. A process of it has
// asked another one for something, and never gets an answer. The connections do not wait for a worker that this one
// holds.
func TestUnbegunWhileItCallsItself(t *testing.T) {
	for _, itself := range []bool{true, false} {
		tier := NewTier(testWidth)
		tier.SetProcessors(2)
		places := 0.0
		for i := range int64(1200) {
			queue := 1.15
			work := Work{Index: i - int64(lag/testWidth), Ran: 0.3}
			if i >= 600 {
				queue, work.Unaccepted = 1.4, 0.25
			}
			calls := Calls{To: "auth", Itself: itself, Outstanding: 1, Connections: 5, Used: 5}
			tier.SetWork(work)
			_, _, j, _ := tier.Add(Window{Index: i, Queue: queue, Completions: 6, GC: math.NaN(),
				Calls: []Calls{calls}})
			if i%20 == 19 {
				tier.SetLoad(Load{From: i - 19, To: i + 1, Cores: 0.3, Used: 0.15, Busy: 0.4, Thread: math.NaN()})
			}
			for _, c := range j.Charges {
				if c.Cause == SoftResource || c.Cause == Place {
					places += c.Queue
				}
			}
		}
		if itself != (places == 0) {
			t.Errorf("it calls itself: %v; %.1f of the queue waits for a worker", itself, places)
		}
	}
}

// Each two seconds a tier computes for 250 ms and does nothing else, so that connections wait to be accepted. They do
// not wait for workers.
func TestUnbegunWhileOneThreadComputes(t *testing.T) {
	for _, computes := range []bool{true, false} {
		c, u := newContention(testWidth), newUnbegun(testWidth)
		for i := range int64(400) {
			w := Work{Index: i, Ran: 0.3}
			own, excess, halted := 0.5, 0.0, false
			if i%40 < 5 {
				n := 4 * float64(i%40+1)
				w.Ran, w.Asleep, w.Unaccepted = 0.1, n/2, n/2
				own, excess, halted = n, n, true
				if computes {
					w.Ran = 1
				}
			}
			c.next, c.told = w, true
			c.add(i, own, 0, excess, halted)
			u.add(c.recent[len(c.recent)-1])
		}
		if share := u.share(); computes != (share == 0) {
			t.Errorf("computes: %v; %.2f of the excess waits for a worker", computes, share)
		}
	}
}

// Two interpreters share two processors with other programs. Each of them always has a thread that runs or wants to,
// and requests wait to be read because their threads wait for these. If the processors have time, workers are lacking.
func TestUnbegunWhileProcessorsLack(t *testing.T) {
	for _, busy := range []float64{0.98, 0.5} {
		tier := NewTier(testWidth)
		tier.SetProcessors(2)
		tier.Give(0.01, 40)
		second, lag := int64(time.Second/testWidth), int64(lag/testWidth)
		charged := make(map[Cause]float64)
		for i := range int64(30 * time.Second / testWidth) {
			if at := i - lag; at >= 0 { // in some of the seconds fewer threads are seen to wait
				waited := 1.9
				if at/second%3 == 0 {
					waited = 1
				}
				tier.SetWork(Work{Index: at, Ran: 0.5, Waited: waited, Asleep: 17.6, Unread: 15})
			}
			_, _, j, ok := tier.Add(Window{Index: i, Queue: 20, Completions: 3, GC: math.NaN()})
			if i%second == second-1 {
				tier.SetLoad(Load{From: i + 1 - second, To: i + 1, Cores: 0.5, Used: 0.25, Busy: busy, Waiting: 1.6,
					Others: busy - 0.3, Thread: 0.4, Processes: 2})
			}
			if ok && j.Index >= 10*second {
				for _, c := range j.Charges {
					charged[c.Cause] += c.Queue
				}
			}
		}
		if lack := part(charged, SoftResource); (busy > busyProcessors) != (lack < 0.35) {
			t.Errorf("processors busy for %v: charged %v", busy, charged)
		}
	}
}
