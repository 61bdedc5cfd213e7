// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// visit is a request: when it came and when it was answered.
type visit struct{ from, to float64 }

// byWindow is the mean number of visits present in each of the first windows, and how many ended in it.
func byWindow(visits []visit, windows int) (queue, done []float64) {
	width := testWidth.Seconds()
	queue, done = make([]float64, windows), make([]float64, windows)
	for _, v := range visits {
		for i := int(v.from / width); i < windows && float64(i)*width < v.to; i++ {
			queue[i] += max(0, min(v.to, float64(i+1)*width)-max(v.from, float64(i)*width)) / width
		}
		if i := int(v.to / width); i < windows {
			done[i]++
		}
	}
	return queue, done
}

// line serves requests in the order in which they come, with so many places, each for a time.
func line(places int, serve func() float64) func(at float64) float64 {
	free := make([]float64, places)
	return func(at float64) float64 {
		k := slices.Index(free, slices.Min(free))
		free[k] = max(free[k], at) + serve()
		return free[k]
	}
}

// From the 30th second on requests sleep in a tier. 60 of them come a second, each with two short calls. If they wait
// in a line, they wait for a place, which is known after some seconds. If each sleeps independently, however long, the
// reason is not known.
func TestJam(t *testing.T) {
	for _, tt := range []struct {
		name string
		slow func(r *rand.Rand) func(at float64) float64
		want Cause // of most of the time from 15 seconds later on; empty: anything but a place
	}{
		{"three connections that are kept, nearly enough", func(r *rand.Rand) func(float64) float64 {
			return line(3, func() float64 { return 0.044 + 0.004*r.Float64() })
		}, SoftResource},
		{"two connections, too few", func(r *rand.Rand) func(float64) float64 {
			return line(2, func() float64 { return 0.035 + 0.01*r.Float64() })
		}, SoftResource},
		{"one in three waits for one place, which is not enough", func(r *rand.Rand) func(float64) float64 {
			wait := line(1, func() float64 { return 0.052 })
			return func(at float64) float64 {
				if r.Float64() < 1./3 {
					return wait(at)
				}
				return at + 0.005
			}
		}, SoftResource},
		{"one in three sleeps for a while", func(r *rand.Rand) func(float64) float64 {
			return func(at float64) float64 {
				if r.Float64() < 1./3 {
					return at + r.Float64()
				}
				return at + 0.005
			}
		}, ""},
		{"one in thirty sleeps for a second or two", func(r *rand.Rand) func(float64) float64 {
			return func(at float64) float64 {
				if r.Float64() < 1./30 {
					return at + 1 + r.Float64()
				}
				return at + 0.005
			}
		}, ""},
		{"a pause that is the same for all", func(*rand.Rand) func(float64) float64 {
			return func(at float64) float64 { return at + 0.3 }
		}, ""},
		{"a pause of any length", func(r *rand.Rand) func(float64) float64 {
			return func(at float64) float64 { return at + 0.6*r.Float64() }
		}, ""},
		{"a pause by an exponential distribution", func(r *rand.Rand) func(float64) float64 {
			return func(at float64) float64 { return at + 0.3*r.ExpFloat64() }
		}, ""},
		{"one in ten sleeps for a second", func(r *rand.Rand) func(float64) float64 {
			return func(at float64) float64 {
				if r.Float64() < 0.1 {
					return at + 1
				}
				return at + 0.005
			}
		}, ""},
		{"two of three sleep", func(r *rand.Rand) func(float64) float64 {
			return func(at float64) float64 {
				if r.Float64() < 0.67 {
					return at + 0.2 + 0.3*r.Float64()
				}
				return at + 0.005
			}
		}, ""},
		{"a long pause", func(*rand.Rand) func(float64) float64 {
			return func(at float64) float64 { return at + 5 }
		}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			const seeds = 8
			least, most, mean := 1., 0., 0.
			for seed := range uint64(seeds) {
				r := rand.New(rand.NewPCG(seed, 7))
				share := lineShare(r, tt.slow(r), tt.want != "")
				least, most, mean = min(least, share), max(most, share), mean+share/seeds
			}
			// A quarter is the least that is named. Without a line some of it is named, too, because by
			// chance the curve looks like that of a limit.
			if tt.want == SoftResource && (mean < 0.8 || least < 0.4) || tt.want == "" && (mean > 0.08 || most > 0.25) {
				t.Errorf("%.0f to %.0f %%, on average %.0f, are charged to a place", 100*least, 100*most, 100*mean)
			}
		})
	}
}

// A line whose times follow the number of requests closely is known after the least number of blocks. The first second
// does not count, and answers wait for the windows of their time.
func TestLineIsKnownSoon(t *testing.T) {
	var m waitingLine
	const second = int64(time.Second / testWidth)
	queues := []float64{2, 2, 3, 1.5, 2.5, 4, 2}
	for s, queue := range queues {
		for w := range second {
			m.add(int64(s)*second+w, queue)
		}
		if s == len(queues)-1 && m.there() {
			t.Error("known before there are enough blocks")
		}
		m.answered(Answers{To: int64(s+1) * second, Seconds: 1, Quick: 1.05 * queue,
			Alike: 150, Typical: 0.007 * queue}, true, true)
	}
	m.answered(Answers{Seconds: 1}, true, true)
	if !m.there() {
		t.Errorf("not known after %.1f blocks", m.many.blocks)
	}
}

// Twenty workers in front of a tier call it, and nobody else. If its requests take a little longer, a few more of the
// twenty are there, without any line.
func TestNumberThatHardlyVariesShowsNoLine(t *testing.T) {
	for spread, want := range map[float64]bool{0.05: false, 0.2: true} {
		var m waitingLine
		r := rand.New(rand.NewPCG(5, 3))
		const second = int64(time.Second / testWidth)
		there := false
		for s := range int64(60) {
			queue := 18 * math.Exp(spread*r.NormFloat64())
			for w := range second {
				m.add(s*second+w, queue)
			}
			m.answered(Answers{To: (s + 1) * second, Seconds: 1, Quick: queue, Alike: 120, Typical: 0.008 * queue,
				Center: math.Log(0.008 * queue), Chance: 1e-4, Effective: 120}, true, true)
			there = there || m.there()
		}
		if there != want {
			t.Errorf("a spread of %g: a line is there: %v, want %v", spread, there, want)
		}
	}
}

// lineShare is the share of the excess from second 45 to 90 that was charged to a place. inUse: the connections of a
// pool that is too small are all in use; otherwise they are not.
func lineShare(r *rand.Rand, slow func(float64) float64, inUse bool) (share float64) {
	const end, begin = 90., 30.
	var visits []visit
	for at := r.ExpFloat64() / 60; at < end; at += r.ExpFloat64() / 60 {
		to := at + 0.005
		if at >= begin {
			to = slow(at)
		}
		visits = append(visits, visit{at, to})
	}
	share, _ = sleepShare(visits, end, begin, hardlyWorks(0), func(done float64) []Calls {
		calls := Calls{To: "db", Outstanding: 0.1, Begun: 2 * done, Answered: 2 * done,
			Peak: float64(1 + r.IntN(3)), Connections: 3, Used: 1, Idle: 0.3}
		if inUse {
			calls.Used, calls.Idle = 3, 2.9
		}
		return []Calls{calls}
	})
	return share
}

// hardlyWorks is a tier in which all requests sleep but a tenth of one. Of those that sleep, the share locked waits for
// other threads.
func hardlyWorks(locked float64) func(window int64, queue float64) Work {
	return func(_ int64, queue float64) Work {
		asleep := max(0, queue-0.1)
		return Work{Ran: 0.1, Asleep: asleep, Locked: locked * asleep}
	}
}

// sleepShare is the share for visits that sleep, and the part of it for which the pool to db is named. calls returns
// the calls of a window, if there are any, by how many requests were answered in it. work is what threads did in a
// window, by the requests in it. Answers are told when they were given, and windows when they have settled.
func sleepShare(visits []visit, end, begin float64, work func(window int64, queue float64) Work,
	calls func(done float64) []Calls) (share, named float64) {
	width := testWidth.Seconds()
	windows := int(end / width)
	queue, done := byWindow(visits, windows)
	took := make([][]float64, int(end))
	for _, v := range visits {
		if int(v.to/width) < windows {
			took[int(v.to)] = append(took[int(v.to)], v.to-v.from)
		}
	}
	tier := NewTier(testWidth)
	tier.SetProcessors(2)
	second, lag, settled := int64(time.Second/testWidth), int64(lag/testWidth), int64(600*time.Millisecond/testWidth)
	places, pool, all := 0.0, 0.0, 0.0
	for i := range int64(windows) {
		if at := i - lag; at >= 0 {
			w := work(at, queue[at])
			w.Index = at
			tier.SetWork(w)
		}
		w := Window{Index: i, Queue: queue[i], Completions: done[i], GC: math.NaN()}
		if calls != nil {
			w.Calls = calls(done[i])
			for k := range w.Calls { // for requests alone
				w.Calls[k].Outstanding = min(w.Calls[k].Outstanding, queue[i])
			}
		}
		_, _, j, ok := tier.Add(w)
		if i%second == second-1 {
			tier.SetLoad(Load{From: i + 1 - second, To: i + 1, Cores: 0.1, Used: 0.05, Busy: 0.3, Thread: math.NaN()})
		}
		if known := i + 1 + settled; known%second == 0 && known/second <= int64(len(took)) {
			took := took[known/second-1]
			a := Answers{To: known, Seconds: 1}
			for _, v := range took {
				a.Quick += v
			}
			slices.Sort(took)
			if n := len(took); n >= 20 {
				a.Times = Times{Seconds: 1, Number: float64(n), Quartile: took[n/4], Median: took[n/2]}
			}
			rest := a.Quick / 2
			for k := len(took) - 1; k >= 0 && (a.Typical == 0 || took[k] >= a.Typical/2); k-- {
				a.Alike++
				if rest -= took[k]; rest <= 0 && a.Typical == 0 {
					a.Typical = took[k]
				}
			}
			for _, v := range took {
				a.Center += v / a.Quick * math.Log(v)
			}
			for _, v := range took {
				a.Chance += math.Pow(v/a.Quick*(math.Log(v)-a.Center), 2) + 1e-9
				a.Effective += v * v
			}
			a.Effective = a.Quick * a.Quick / a.Effective
			tier.SetAnswers(a)
		}
		if ok && j.Index >= int64((begin+15)/width) {
			for _, c := range j.Charges {
				if all += c.Queue; c.Cause == SoftResource {
					places += c.Queue
					if c.To != "" {
						pool += c.Queue
					}
				}
			}
		}
	}
	return places / max(all, 1e-9), pool / places
}

// There are always as many requests as may call at all, because each comes again as soon as it is answered. They wait
// for connections that are kept. The pool is named. If each worker has a connection of its own, the workers may be the
// limit.
func TestHeldConnections(t *testing.T) {
	for _, tt := range []struct {
		name     string
		requests int
		places   int
		locked   float64 // share of those that sleep
		want     float64 // least that is charged to a place
		pool     bool
	}{
		{"forty requests and two connections", 40, 2, 0.95, 0.9, true},
		{"forty requests that are slow for another reason", 40, 2, 0.5, 0, true},
		{"four requests and four connections", 4, 4, 0.95, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			const end, begin = 90., 30.
			r := rand.New(rand.NewPCG(3, 9))
			var visits []visit
			for at := r.ExpFloat64() / 60; at < begin; at += r.ExpFloat64() / 60 {
				visits = append(visits, visit{at, at + 0.005})
			}
			serve := line(tt.places, func() float64 { return 0.035 + 0.01*r.Float64() })
			again := make([]float64, tt.requests)
			for k := range again {
				again[k] = begin
			}
			for {
				k := slices.Index(again, slices.Min(again))
				if again[k] >= end {
					break
				}
				to := serve(again[k])
				visits = append(visits, visit{again[k], to})
				again[k] = to
			}
			share, named := sleepShare(visits, end, begin, hardlyWorks(tt.locked), func(done float64) []Calls {
				held := float64(tt.places)
				return []Calls{{To: "db", Outstanding: 0.1, Begun: 2 * done, Answered: 2 * done,
					Peak:        float64(1 + r.IntN(tt.places)),
					Connections: held, Used: held, Idle: held - 0.1}}
			})
			t.Logf("%.0f %% are charged to a place, %.0f %% of that to the pool", 100*share, 100*named)
			if share < tt.want || tt.want == 0 && share > 0.25 || share > 0 && (named > 0.9) != tt.pool {
				t.Errorf("%.0f %% are charged to a place, %.0f %% of that to the pool", 100*share, 100*named)
			}
		})
	}
}

// A service that calls no other tier sleeps for each request: for 50 ms, and from the 30th second on for 800. There is
// no limit. No worker is lacking, though more requests are there and no more are answered.
func TestSleepWithoutLimit(t *testing.T) {
	const seeds = 8
	mean := 0.
	for seed := range uint64(seeds) {
		r := rand.New(rand.NewPCG(seed, 9))
		const end, begin = 90., 30.
		var visits []visit
		for at := r.ExpFloat64() / 20; at < end; at += r.ExpFloat64() / 20 {
			to := at + 0.05
			if at >= begin {
				to = at + 0.8
			}
			visits = append(visits, visit{at, to})
		}
		share, _ := sleepShare(visits, end, begin, hardlyWorks(0), nil)
		mean += share / seeds
	}
	if mean > 0.25 { // until that is known
		t.Errorf("%.0f %% are charged to a place", 100*mean)
	}
}

// What refuted a line holds until a line is more likely than not.
func TestLineStaysRefuted(t *testing.T) {
	for _, tt := range []struct {
		name    string
		slope   float64
		noise   float64 // of the logarithms of the times
		refuted bool    // for the first time
		stays   bool
	}{
		{"no line", 0, 0.01, true, true},
		{"no line, and much noise", 0, 0.2, false, true},
		{"perhaps a line", 0.45, 0.1, false, false},
		{"a line", 1, 0.01, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := waitingLine{all: lineBlocks{blocks: 12}}
			for i := range 12 {
				x := 0.3 * float64(i%3-1)
				m.all.pairs.add(1, x, tt.slope*x+tt.noise*float64(i/3%2*2-1))
			}
			if got := m.refuted(); got != tt.refuted {
				t.Errorf("refuted: %v", got)
			}
			m.free = true
			if got := m.refuted(); got != tt.stays {
				t.Errorf("refuted before: %v", got)
			}
		})
	}
}

// 140 requests a second come to a service that calls no other tier. From the 30th second on each of them sleeps, in a
// line or by itself, or one thread computes for all of them. All the time threads work a little, or wait for a
// processor, beside those that sleep.
func TestLineOfTierWithoutCalls(t *testing.T) {
	for _, tt := range []struct {
		name  string
		slow  func(r *rand.Rand) func(at float64) float64
		works bool // one thread, for as long as a request is there
		least float64
		most  float64
	}{
		{"a lock, which is held for 6 ms each time", func(*rand.Rand) func(float64) float64 {
			return line(1, func() float64 { return 0.006 })
		}, false, 0.5, 1},
		{"two places of 12 ms", func(r *rand.Rand) func(float64) float64 {
			return line(2, func() float64 { return 0.01 + 0.004*r.Float64() })
		}, false, 0.4, 1},
		{"each sleeps for 30 ms", func(*rand.Rand) func(float64) float64 {
			return func(at float64) float64 { return at + 0.03 }
		}, false, 0, 0.1},
		{"each sleeps by itself, some for long", func(r *rand.Rand) func(float64) float64 {
			return func(at float64) float64 { return at + 0.02*r.ExpFloat64() }
		}, false, 0, 0.1},
		{"each sleeps for a time between 60 and 100 ms", func(r *rand.Rand) func(float64) float64 {
			return func(at float64) float64 { return at + 0.06 + 0.04*r.Float64() }
		}, false, 0, 0.1},
		{"each sleeps by itself, some for very long", func(r *rand.Rand) func(float64) float64 {
			return func(at float64) float64 { return at + 0.15*r.ExpFloat64() }
		}, false, 0, 0.1},
		{"one thread computes", func(*rand.Rand) func(float64) float64 {
			return line(1, func() float64 { return 0.006 })
		}, true, 0, 0.1},
		{"one thread computes, seldom and long", func(r *rand.Rand) func(float64) float64 {
			return line(1, func() float64 {
				if r.Float64() < 0.01 {
					return 0.3
				}
				return 0.001
			})
		}, true, 0, 0.1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			const seeds, end, begin = 8, 90., 30.
			mean := 0.
			for seed := range uint64(seeds) {
				r := rand.New(rand.NewPCG(seed, 11))
				slow := tt.slow(r)
				var visits []visit
				for at := r.ExpFloat64() / 140; at < end; at += r.ExpFloat64() / 140 {
					to := at + 0.001
					if at >= begin {
						to = slow(at + 0.001)
					}
					visits = append(visits, visit{at, to})
				}
				share, _ := sleepShare(visits, end, begin, func(_ int64, queue float64) Work {
					ran, waited := 0.1, 0.2
					if tt.works {
						ran, waited = min(1, queue), 0
					}
					return Work{Ran: ran, Waited: waited, Asleep: max(0, queue-ran-waited)}
				}, nil)
				mean += share / seeds
			}
			t.Logf("%.0f %% are charged to a place", 100*mean)
			if mean < tt.least || mean > tt.most {
				t.Errorf("%.0f %% are charged to a place", 100*mean)
			}
		})
	}
}

// Requests sleep in a line. If as many calls as there are requests outside of the line are at a tier that is slow, the
// line waits for that tier, whatever its places are. If that tier is as quick as ever, or hardly called, the line waits
// for a place.
func TestLine(t *testing.T) {
	for _, tt := range []struct {
		name              string
		outstanding, took float64 // calls, and seconds that each takes; it takes 1 ms with little load
		awake             float64 // requests in the tier that do not sleep
		want              Charge
	}{
		{"all that are not in the line wait for a slow tier", 10, 0.05, 1, Charge{Cause: Behind, To: "db"}},
		{"the tier behind is quick", 10, 0.001, 1, Charge{Cause: SoftResource}},
		{"more of them are at work here", 10, 0.05, 20, Charge{Cause: SoftResource}},
		{"a single call is slow", 1, 0.05, 0.5, Charge{Cause: SoftResource}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			const asleep = 30
			d := newDestination("db", testWidth)
			d.base, d.answered, d.waited = 0.001, 100, 100*tt.took
			tier := NewTier(testWidth)
			tier.destinations = []*destination{d}
			tier.level = asleep + tt.awake
			for range tier.contention.span {
				tier.contention.recent = append(tier.contention.recent, worked{Work: Work{Asleep: asleep}})
			}
			if got := tier.line(&pending{outstanding: []float64{tt.outstanding}}); got != tt.want {
				t.Errorf("charged to %+v, want %+v", got, tt.want)
			}
		})
	}
}
