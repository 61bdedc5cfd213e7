// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// Requests of a service take 20 ms, of which it sleeps 15. After 60 s they take 300 ms: the service has become slow,
// even if clients sent more requests before. The same holds if it calls other tiers, once a line is refuted. It has not
// become slow if expensive requests come beside the others, if the others come less often, if a thread works all the
// time, or if it was like this from the beginning.
func TestSlowed(t *testing.T) {
	const rate = 60.
	ordinary := []float64{0.010, 0.020, 0.030}
	slowed := []float64{0.250, 0.300, 0.400}
	for _, tt := range []struct {
		name          string
		before, after []float64 // times that requests take, all equally often
		rate          float64   // afterwards
		work          Work      // beside requests that sleep
		want          bool
	}{
		{"slow", ordinary, slowed, rate, Work{Ran: 0.1}, true},
		{"slow, and less is asked", ordinary, slowed, rate / 3, Work{Ran: 0.1}, true},
		{"slow, but some stay quick", ordinary, []float64{0.010, 0.010, 0.300, 0.300, 0.300, 0.300, 0.300, 0.300}, rate,
			Work{Ran: 0.1}, true},
		{"few requests, of short statements that sleep now", []float64{0.0005}, []float64{0.024, 0.027}, rate,
			Work{Ran: 0.1}, true},
		{"as before", ordinary, ordinary, rate, Work{Ran: 0.1}, false},
		{"twice as slow", ordinary, []float64{0.020, 0.040, 0.060}, rate, Work{Ran: 0.1}, false},
		{"others that take long come beside them", ordinary, slices.Concat(ordinary, slowed, slowed, slowed, slowed),
			5 * rate, Work{Ran: 0.1}, false},
		{"of some that took long only these still come", slices.Concat(ordinary, slowed), slowed, rate / 2,
			Work{Ran: 0.1}, false},
		// All that is there waits for that thread, which does not sleep.
		{"its only thread waits for a processor", ordinary, slowed, rate, Work{Ran: 0.02, Waited: 0.86}, false},
		{"some threads wait for a processor, too", ordinary, slowed, rate, Work{Ran: 0.3, Waited: 0.6}, true},
		{"a thread works", ordinary, slowed, rate, Work{Ran: 6, Waited: 12}, false},
		// A worker of Puma, which takes the next request when it is done with one.
		{"its only thread works, and the others are not accepted", ordinary, slowed, rate,
			Work{Ran: 0.64, Waited: 0.36, Unaccepted: 1000}, false},
		{"from the beginning", slowed, slowed, rate, Work{Ran: 0.1}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := service{tier: NewTier(testWidth), rng: rand.New(rand.NewPCG(1, 2))}
			s.run(60*time.Second, rate, tt.before, Work{Ran: 0.1})
			if s.charged[Slow] > 0 {
				t.Fatalf("before: charged %v", s.charged)
			}
			s.charged = nil
			s.run(20*time.Second, tt.rate, tt.after, tt.work)
			all := s.all()
			if got := s.charged[Slow]; tt.want && got < 0.6*all || !tt.want && got > 0 || tt.want && all == 0 {
				t.Errorf("charged %v", s.charged)
			}
		})
	}
}

// A second with many requests, by chance, takes nothing away from what is known of a slow service.
func TestSlowedBesideChance(t *testing.T) {
	const rate = 60.
	slowed := []float64{0.250, 0.300, 0.400}
	s := service{tier: NewTier(testWidth), rng: rand.New(rand.NewPCG(1, 2))}
	s.run(60*time.Second, rate, []float64{0.010, 0.020, 0.030}, Work{Ran: 0.1})
	s.run(15*time.Second, rate, slowed, Work{Ran: 0.1})
	s.charged = nil
	s.run(time.Second, 2*rate, slowed, Work{Ran: 0.1})
	s.run(5*time.Second, rate, slowed, Work{Ran: 0.1})
	all := s.all()
	if s.charged[Slow] < 0.95*all || all == 0 {
		t.Errorf("charged %v", s.charged)
	}
}

// A service has a connection to a broker, and becomes slow. Messages come from there: if there are few for each request
// that it answers, and as many as before, most requests can't wait for them.
func TestSlowedBesideABroker(t *testing.T) {
	const rate = 12.
	for _, tt := range []struct {
		name          string
		before, after float64 // messages a second
		tells, want   bool
	}{
		{"few messages, as before", 2, 2, true, true},
		{"as many as requests", rate, rate, true, false},
		{"few, and none while it is slow", 2, 0, true, false},
		{"few, and half of them while it is slow", 2, 1, true, false},
		{"it is not known how many", 0, 0, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := service{tier: NewTier(testWidth), rng: rand.New(rand.NewPCG(1, 2))}
			s.tier.SetTells(tt.tells)
			messages := tt.before
			s.calls = func(i int64) Calls {
				c := toBroker(i)
				each := messages * testWidth.Seconds()
				c.Told = math.Floor(float64(i+1)*each) - math.Floor(float64(i)*each)
				return c
			}
			s.run(60*time.Second, rate, []float64{0.010, 0.020, 0.030}, Work{Ran: 0.1})
			messages = tt.after
			s.run(15*time.Second, rate, []float64{0.290, 0.300, 0.310}, Work{Ran: 0.1})
			s.charged = nil
			s.run(20*time.Second, rate, []float64{0.290, 0.300, 0.310}, Work{Ran: 0.1})
			all := s.all()
			if got := s.charged[Slow]; tt.want && got < 0.6*all || !tt.want && got > 0 || all == 0 {
				t.Errorf("charged %v", s.charged)
			}
		})
	}
}

// service is a tier without a limit, in which each request sleeps for as long as it takes, independently of the others.
type service struct {
	tier    *Tier
	rng     *rand.Rand
	window  int64
	leave   []float64 // when the present requests will leave, in seconds
	times   []float64 // of those answered in this second
	works   []Work
	charged map[Cause]float64
	calls   func(window int64) Calls // nil if it calls nobody
}

// all is what was charged, to any cause.
func (s *service) all() (sum float64) {
	for _, queue := range s.charged {
		sum += queue
	}
	return sum
}

func (s *service) run(lasts time.Duration, rate float64, takes []float64, work Work) {
	if s.charged == nil {
		s.charged = make(map[Cause]float64)
	}
	const width = float64(testWidth) / float64(time.Second)
	for range lasts / testWidth {
		from := float64(s.window) * width
		w := Window{Index: s.window, GC: math.NaN()}
		if s.calls != nil {
			w.Calls = []Calls{s.calls(s.window)}
		}
		for at := from + s.rng.ExpFloat64()/rate; at < from+width; at += s.rng.ExpFloat64() / rate {
			took := takes[s.rng.IntN(len(takes))]
			s.leave = append(s.leave, at+took)
			s.times = append(s.times, took)
			w.Queue -= (at - from) / width
		}
		s.leave = slices.DeleteFunc(s.leave, func(at float64) bool {
			if at >= from+width {
				w.Queue++
				return false
			}
			w.Completions++
			w.Queue += (at - from) / width
			return true
		})
		work.Index = s.window
		work.Asleep = max(0, w.Queue-work.Ran-work.Waited)
		work := work
		work.Unaccepted = min(work.Unaccepted, work.Asleep)
		s.works = append(s.works, work)
		if lag := len(s.works) - 1 - int(lag/testWidth); lag >= 0 {
			s.tier.SetWork(s.works[lag])
		}
		if s.window++; s.window%int64(time.Second/testWidth) == 0 && len(s.times) > 0 {
			slices.Sort(s.times)
			n, all := len(s.times), 0.0
			for _, took := range s.times {
				all += took
			}
			s.tier.SetAnswers(Answers{Seconds: 1, Quick: all,
				Times: Times{Seconds: 1, Number: float64(n), Quartile: s.times[n/4], Median: s.times[n/2]}})
			s.times = s.times[:0]
		}
		if _, _, j, ok := s.tier.Add(w); ok {
			for _, c := range j.Charges {
				s.charged[c.Cause] += c.Queue
			}
		}
	}
}

// Answers of a service take 28 ms, of which 24 pass in a call, and then 90 ms: three times as long, but twenty times as
// long in the service itself. If all take about as long, though now more and now fewer are there, they stand in no
// line. Nothing can be told of that if always as many are there.
func TestSlowedBesideCalls(t *testing.T) {
	for _, tt := range []struct {
		name             string
		quartile, median float64
		always           bool // as many requests
		own              float64
		slow, byItself   bool
	}{
		{"each by itself", 0.081, 0.096, false, 1.8, true, true},
		{"in a line", 0.060, 0.096, false, 1.8, false, false},
		{"always as many", 0.081, 0.096, true, 1.8, false, false},
		{"always as many, all alike", 0.096, 0.096, true, 1.8, false, false},
		{"always as many, and much longer", 0.150, 0.160, true, 1.8, true, false},
		{"the call takes longer", 0.081, 0.096, false, 0.3, false, false},
		{"hardly longer", 0.045, 0.055, false, 1.8, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var s slowed
			rng := rand.New(rand.NewPCG(1, 2))
			second := func(own float64, a Times) {
				for range int(time.Second / testWidth) {
					n := own
					if !tt.always {
						n = own * rng.ExpFloat64()
					}
					s.add(n, Work{Asleep: 0.95 * n})
				}
				a.Seconds, a.Number = 1, 28+5*rng.NormFloat64()
				s.answered(a)
			}
			for range 30 {
				second(0.1, Times{Quartile: 0.024, Median: 0.028})
			}
			if s.holds() || s.eachByItself() {
				t.Error("before")
			}
			for range 10 {
				second(tt.own, Times{Quartile: tt.quartile, Median: tt.median})
			}
			if s.holds() != tt.slow || s.eachByItself() != tt.byItself {
				t.Errorf("slow %v, by itself %v", s.holds(), s.eachByItself())
			}
		})
	}
}

// visits are those of clients to a service in which each request takes as long. So many are there at a time that their
// number differs little by chance. If there are places they stand in a line for one of these.
type visits struct {
	rng         *rand.Rand
	come, leave []float64
	free        []float64 // when each place is free
}

func newVisits(seed uint64, rate, takes, lasts float64, places int) *visits {
	c := &visits{rng: rand.New(rand.NewPCG(seed, 2)), free: make([]float64, places)}
	for at := 0.; at < lasts; at += c.rng.ExpFloat64() / rate {
		end := at + takes
		if places > 0 {
			next := slices.Index(c.free, slices.Min(c.free))
			end = max(at, c.free[next]) + takes
			c.free[next] = end
		}
		c.come, c.leave = append(c.come, at), append(c.leave, end)
	}
	return c
}

// second tells of one second, with times in the steps of the histogram from which they are read.
func (c *visits) second(from float64, to *slowed) {
	const width = float64(testWidth) / float64(time.Second)
	for at := from; at < from+1-width/2; at += width {
		n := 0.
		for i := range c.come {
			n += max(0, min(c.leave[i], at+width)-max(c.come[i], at)) / width
		}
		to.add(n, Work{Asleep: n})
	}
	var times []float64
	for i := range c.leave {
		if c.leave[i] >= from && c.leave[i] < from+1 {
			times = append(times, c.leave[i]-c.come[i])
		}
	}
	slices.Sort(times)
	step := func(x float64) float64 { return math.Pow(1.19, math.Round(math.Log(x)/math.Log(1.19))) }
	if n := len(times); n > 0 {
		to.answered(Times{Seconds: 1, Number: float64(n), Quartile: step(times[n/4]), Median: step(times[n/2])})
	}
}

// If each of eight requests at a time sleeps for 60 ms instead of half a millisecond, they stand in no line. If they
// take as long as before, and wait for one of few places that are nearly always or always taken, they do: that is never
// taken for sleep, although their times are alike now and then.
func TestAlikeAmongMany(t *testing.T) {
	const rate, runs = 143., 20
	for _, tt := range []struct {
		places        int // 0: no line
		before, takes float64
	}{
		{0, 0.0005, 0.060},
		{1, 0.98 / rate, 0.98 / rate}, {1, 1.02 / rate, 1.02 / rate}, {4, 3.92 / rate, 3.92 / rate},
		{4, 4.08 / rate, 4.08 / rate}, {8, 7.84 / rate, 7.84 / rate}, {8, 8.16 / rate, 8.16 / rate},
	} {
		slow, byItself := 0, 0
		for seed := range uint64(runs) {
			var s slowed
			calm := newVisits(seed, rate, tt.before, 31, 0)
			for second := range 30 {
				calm.second(float64(second), &s)
			}
			c := newVisits(seed, rate, tt.takes, 26, tt.places)
			seen, ever := false, false
			for second := range 25 {
				c.second(float64(second), &s)
				seen, ever = seen || s.holds(), ever || s.eachByItself()
			}
			if seen {
				slow++
			}
			if ever {
				byItself++
			}
		}
		if tt.places == 0 && byItself < runs || tt.places > 0 && byItself > 0 || slow == 0 {
			t.Errorf("%+v: slow in %d, each by itself in %d of %d runs", tt, slow, byItself, runs)
		}
	}
}
