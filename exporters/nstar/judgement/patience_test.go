// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// pollServer is a server with a single thread. Some of its clients ask to be told when there is something new.
type pollServer struct {
	clients int // that poll
	users   int // that ask for something else
	think   time.Duration
	work    time.Duration // of a request; telling a poll takes a third of it
	wakes   float64       // times a second that there is something new, of which four clients are told
}

// polled is a request in the server, either a poll or another one.
type polled struct {
	begun, ends time.Duration // ends: of a poll's time
	client      bool
}

// windows runs the server, and passes on what is seen of it window by window, and what was answered in each.
func (s pollServer) windows(n int64, see func(Window, Work, Answers)) {
	const step = time.Millisecond
	random := rand.New(rand.NewPCG(1, 2))
	var polls, ready []polled  // waiting for something new; for the thread
	var later []time.Duration  // clients' next polls
	var asking []time.Duration // users' next requests
	pause := func() time.Duration { return time.Duration(random.ExpFloat64() * float64(s.think)) }
	for range s.clients {
		later = append(later, time.Duration(random.Float64()*float64(10*time.Second)))
	}
	for range s.users {
		asking = append(asking, pause())
	}
	left, now := time.Duration(0), time.Duration(0)
	for i := range n {
		w, work, a := Window{Index: i, GC: math.NaN()}, Work{Index: i}, Answers{Seconds: testWidth.Seconds()}
		for range testWidth / step {
			now += step
			woken := 0
			if random.Float64() < s.wakes*step.Seconds() {
				woken = 4
			}
			var waiting []polled
			for _, p := range polls {
				if p.ends <= now || woken > 0 && random.IntN(len(polls)) < 4 {
					woken--
					ready = append(ready, p)
				} else {
					waiting = append(waiting, p)
				}
			}
			polls = waiting
			var soon []time.Duration
			for _, at := range later {
				if at > now {
					soon = append(soon, at)
					continue
				}
				length := 10*time.Second + time.Duration(random.Float64()*float64(20*time.Second))
				polls = append(polls, polled{now, now + length, true})
			}
			later, soon = soon, nil
			for _, at := range asking {
				if at > now {
					soon = append(soon, at)
					continue
				}
				ready = append(ready, polled{begun: now})
			}
			asking = soon
			if len(ready) > 0 {
				work.Ran += step.Seconds() / testWidth.Seconds()
				if left == 0 {
					if left = s.work; ready[0].client {
						left = s.work / 3
					}
				}
				if left -= step; left <= 0 {
					left = 0
					p := ready[0]
					ready = ready[1:]
					w.Completions++
					took := now - p.begun
					if p.client && took >= 500*time.Millisecond || took >= 5*time.Second {
						a.Long += took.Seconds()
					} else {
						a.Quick += took.Seconds()
					}
					if p.client {
						later = append(later, now+200*time.Millisecond)
					} else {
						asking = append(asking, now+pause())
					}
				}
			}
			w.Queue += float64(len(polls)+len(ready)) * step.Seconds() / testWidth.Seconds()
		}
		work.Asleep = max(0, w.Queue-work.Ran)
		see(w, work, a)
	}
}

// Clients that wait for something new are no queue, at any load beside them. Other requests that wait are.
func TestPollsAreNoQueue(t *testing.T) {
	for _, tt := range []struct {
		name    string
		server  pollServer
		own     [2]float64 // of the requests that do not wait on purpose
		charged Cause      // with most of it; none if empty
	}{
		{"a quiet load beside them", pollServer{clients: 120, users: 50, think: 2 * time.Second,
			work: 12 * ms, wakes: 2},
			[2]float64{0.3, 6}, ""},
		{"a crowd beside them", pollServer{clients: 120, users: 40, think: 100 * ms, work: 12 * ms, wakes: 2},
			[2]float64{25, 60}, Demand},
		{"a crowd and no polls", pollServer{users: 40, think: 100 * ms, work: 12 * ms}, [2]float64{25, 40}, Demand},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tier := NewTier(testWidth)
			tier.SetProcessors(1)
			var works []Work
			answered, used := Answers{}, 0.0
			charges, own, patient, windows := make(map[Cause]float64), 0.0, 0.0, 0.0
			tt.server.windows(2400, func(w Window, work Work, a Answers) {
				works = append(works, work)
				answered = Answers{Seconds: answered.Seconds + a.Seconds, Quick: answered.Quick + a.Quick,
					Long: answered.Long + a.Long}
				used += work.Ran / 20
				if at := w.Index - int64(lag/testWidth); at >= 0 {
					tier.SetWork(works[at])
				}
				_, _, j, ok := tier.Add(w)
				if w.Index%20 == 19 {
					tier.SetAnswers(answered)
					tier.SetLoad(Load{From: w.Index - 19, To: w.Index + 1, Cores: used, Used: used, Busy: used +
						0.05, Others: 0.05})
					answered, used = Answers{}, 0
				}
				if !ok || j.Index < 1200 {
					return
				}
				windows++
				own += j.Own
				patient += j.Patient
				for _, c := range j.Charges {
					charges[c.Cause] += c.Queue
				}
			})
			own, patient = own/windows, patient/windows
			t.Logf("own %.2f, patient %.2f, charged %v, %+v", own, patient, charges, tier.Estimate())
			if own < tt.own[0] || own > tt.own[1] {
				t.Errorf("%.2f requests do not wait on purpose, want %v", own, tt.own)
			}
			for cause, v := range charges {
				if v /= windows; cause != tt.charged && v > 0.3*own {
					t.Errorf("%.2f of %.2f are charged to %s", v, own, cause)
				}
			}
			if tt.charged != "" && charges[tt.charged]/windows < 0.5*own {
				t.Errorf("%.2f of %.2f are charged to %s", charges[tt.charged]/windows, own, tt.charged)
			}
		})
	}
}

// Only requests that wait in the tier itself, asleep, are left out of its queue. If the answers do not account for most
// of the requests in the tier, these requests are not said to wait for a place.
func TestWhoIsPatientWhere(t *testing.T) {
	for _, tt := range []struct {
		name               string
		queue, own, asleep float64
		unaccepted         float64
		answers            Answers // of a second
		patient            float64
		unaccounted        bool
	}{
		{"polls of the tier", 100, 99.5, 99, 0, Answers{Seconds: 1, Quick: 1, Long: 98}, 99, false},
		{"of a tier behind", 100, 0.4, 0.3, 0, Answers{Seconds: 1, Quick: 1, Long: 98}, 0, false},
		{"threads that compute for long", 21, 21, 0.5, 0, Answers{Seconds: 1, Quick: 1, Long: 20}, 0.5, false},
		{"nobody is patient", 40, 40, 39, 0, Answers{Seconds: 1, Quick: 39, Long: 0}, 0, false},
		{"polls that have just begun", 100, 99.5, 99, 0, Answers{Seconds: 1, Quick: 1, Long: 0}, 0, true},
		{"nothing is known of the answers", 100, 99.5, 99, 0, Answers{}, 0, false},
		// three threads that are always taken, for 400 ms each, and three connections that wait for seconds
		{"a server that serves the connections it has first", 5.7, 5.7, 5.6, 2.8,
			Answers{Seconds: 1, Quick: 2.9, Long: 2.5}, 0, false},
		{"the same beside polls", 55.7, 55.7, 55.6, 2.8, Answers{Seconds: 1, Quick: 2.9, Long: 50}, 50, false},
	} {
		tier := NewTier(testWidth)
		p := &tier.patience
		for range 20 {
			p.add(tt.queue, tt.own, 2.5)
			p.sleeps(tt.asleep, tt.unaccepted)
		}
		if tt.answers.Seconds > 0 {
			tier.SetAnswers(tt.answers)
		}
		if math.Abs(p.now-tt.patient) > 0.1 || p.unaccounted() != tt.unaccounted {
			t.Errorf("%s: %.1f are patient, want %.1f; unaccounted %t", tt.name, p.now, tt.patient, p.unaccounted())
		}
	}
}

// Polls that have just begun are not a crowd in front of a pool that is too small: the requests that were answered
// meanwhile took next to no time.
func TestPollsThatHaveJustBegunWaitForNoPlace(t *testing.T) {
	for _, told := range []bool{false, true} {
		tier := NewTier(testWidth)
		tier.SetProcessors(1)
		waits, own := 0.0, 0.0
		for i := range int64(600) {
			polls := 0.0
			if i >= 100 {
				polls = 100
			}
			calls := Calls{To: "database", Outstanding: 0.6, Begun: 6, Answered: 6, Peak: 1, Connections: 1,
				Used: 1, Idle: 0.4}
			w := Window{Index: i, GC: math.NaN(), Queue: polls + 1, Completions: 2, Calls: []Calls{calls}}
			if i >= 40 {
				tier.SetWork(Work{Index: i - 40, Ran: 0.2, Asleep: max(0, 100*float64(min(1, max(0, i-139))))})
			}
			_, _, j, ok := tier.Add(w)
			if i%20 == 19 {
				tier.SetLoad(Load{From: i - 19, To: i + 1, Cores: 0.2, Used: 0.2, Busy: 0.3, Others: 0.05})
				if told {
					tier.SetAnswers(Answers{Seconds: 1, Quick: 1, Long: 0})
				}
			}
			if ok && j.Index >= 200 {
				own += j.Own
				for _, c := range j.Charges {
					if c.Cause == SoftResource || c.Cause == Place {
						waits += c.Queue
					}
				}
			}
		}
		if told != (waits < 0.01*own) {
			t.Errorf("answers told: %t; %.0f of %.0f wait for a place", told, waits, own)
		}
	}
}

// Three times as many requests come as a pool lets through, in their order: the answers account for what came since the
// last answered request did, and not only for as many as were answered.
func TestGrowingLineIsNotPatient(t *testing.T) {
	const served, asked = 20., 60. // a second
	tier := NewTier(testWidth)
	tier.SetProcessors(2)
	perWindow := testWidth.Seconds()
	waits, own := 0.0, 0.0
	for i := range int64(600) {
		at := float64(i) * perWindow
		queue := 8 + (asked-served)*at
		took := (1 - served/asked) * at
		calls := Calls{To: "database", Outstanding: 8, Begun: served * perWindow, Answered: served * perWindow, Peak: 8,
			Connections: 8, Used: 8}
		w := Window{Index: i, GC: math.NaN(), Queue: queue, Completions: served * perWindow, Calls: []Calls{calls}}
		if i >= 40 {
			tier.SetWork(Work{Index: i - 40, Ran: 0.05, Asleep: 8 + (asked-served)*(at-2) - 8})
		}
		_, _, j, ok := tier.Add(w)
		if i%20 == 19 {
			tier.SetLoad(Load{From: i - 19, To: i + 1, Cores: 0.05, Used: 0.05, Busy: 0.3, Others: 0.05})
			tier.SetAnswers(Answers{Seconds: 1, Long: served * took})
		}
		if ok && j.Index >= 200 {
			own += j.Own
			for _, c := range j.Charges {
				if c.Cause == SoftResource || c.Cause == Place {
					waits += c.Queue
				}
			}
		}
	}
	if waits < 0.9*own {
		t.Errorf("%.0f of %.0f wait for a place", waits, own)
	}
}
