// SPDX-License-Identifier: Apache-2.0

package main

import (
	"container/heap"
	"math"
	"math/rand/v2"

	"github.com/nstar-project/nstar/exporters/nstar/saturation"
)

// width of the simulated windows in seconds: the exporter's default.
const width = 0.05

// server is one station. Its work is in seconds at speed 1.
type server struct {
	workers int                                     // at most this many requests are served at a time; 0: no limit
	work    func(rng *rand.Rand, t float64) float64 // of one request
	rate    func(requests int) float64              // instead of workers and work: completions/s, Markov
}

// load are its clients: independent callers at a rate, or users who wait for the answer and think.
type load struct {
	rate  func(t float64) float64 // requests/s; nil: users
	peak  float64                 // no rate is above
	users func(t float64) int
	think float64 // mean, exponential
}

// stop is a periodic stop of the whole server.
type stop struct {
	length, period float64
	known          bool // the judge reports the stop to the estimator
	recovery       bool // and of the recovery from it
}

// at reports whether the server stands still. Stops begin at any moment of a window.
func (s stop) at(t float64) bool {
	number := math.Floor(t / s.period)
	late := math.Mod(number*(math.Sqrt(5)-1)/2, 1) * width // spreads evenly over a window
	since := t - number*s.period - late
	return s.length > 0 && number > 0 && since >= 0 && since < s.length
}

// scenario is a server under a load on a machine whose speed varies.
type scenario struct {
	server server
	load   load
	speed  func(t float64) float64 // nil: 1
	stop   stop
}

type times []float64

func (h times) Len() int           { return len(h) }
func (h times) Less(i, j int) bool { return h[i] < h[j] }
func (h times) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *times) Push(x any)        { *h = append(*h, x.(float64)) }
func (h *times) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}

// tick is the step of the machine's speed.
const tick = 0.001

// simulation runs on two clocks: the wall's, and the work that the machine has done at its varying speed.
type simulation struct {
	scenario
	rng      *rand.Rand
	now      float64
	done     []float64 // work a worker could have done by each tick
	position int       // of now in done

	waiting  int       // not yet served
	work     times     // ends of the requests in service, on the machine's clock
	arrivals times     // of users who think
	next     float64   // arrival of an independent caller
	active   int       // users
	departs  float64   // next departure of a Markov server, on the machine's clock
	requests int       // in the server
	area     []float64 // of the queue, by window
	left     []float64 // completions, by window
}

// windows simulates this many seconds.
func (s scenario) windows(seed uint64, seconds float64) []saturation.Window {
	count := int(math.Round(seconds / width))
	m := &simulation{
		scenario: s, rng: rand.New(rand.NewPCG(seed, 1)), departs: math.Inf(1), next: math.Inf(1),
		area: make([]float64, count), left: make([]float64, count), done: make([]float64, int(seconds/tick)+2),
	}
	for i := 1; i < len(m.done); i++ {
		t, speed := float64(i-1)*tick, 1.0
		if s.speed != nil {
			speed = s.speed(t)
		}
		if s.stop.at(t + tick/2) {
			speed = 0
		}
		m.done[i] = m.done[i-1] + speed*tick
	}
	if s.load.rate != nil {
		m.next = m.independent(0)
	}
	for m.step(seconds) {
	}
	windows := make([]saturation.Window, count)
	for i := range windows {
		windows[i] = saturation.Window{Queue: m.area[i] / width, Completions: m.left[i], Clean: true}
	}
	if s.stop.known {
		s.stop.mark(windows)
	}
	return windows
}

// mark does what the judge does: windows that lie completely in a stop do not count; windows that lie partly in it
// cannot be told from others. If this is switched on, the recovery does not count either: it lasts until the queue
// is as before, at most ten times the stop or 1 s.
func (s stop) mark(windows []saturation.Window) {
	before, until := 0.0, 0.0
	for i := range windows {
		from, to := float64(i)*width, float64(i+1)*width
		switch {
		case s.at(from+tick/2) && s.at(to-tick/2):
			if windows[i].Clean = false; until < from {
				before = windows[max(i-1, 0)].Queue
			}
			until = to + max(10*s.length, 1)
		case s.recovery && to <= until && windows[i].Queue > max(before, 0.5):
			windows[i].Clean = false
		case to <= until:
			until = 0
		}
	}
}

// independent is the next arrival after t of a Poisson process with a varying rate, by thinning.
func (m *simulation) independent(t float64) float64 {
	for {
		t += m.rng.ExpFloat64() / m.load.peak
		if m.rng.Float64()*m.load.peak < m.load.rate(t) {
			return t
		}
	}
}

// machine is the machine's clock at a moment not before now.
func (m *simulation) machine(t float64) float64 {
	i := min(int(t/tick), len(m.done)-2)
	return m.done[i] + (t-float64(i)*tick)/tick*(m.done[i+1]-m.done[i])
}

// wall is when the machine's clock reaches c.
func (m *simulation) wall(c float64) float64 {
	if math.IsInf(c, 1) {
		return c
	}
	for m.position < len(m.done)-2 && m.done[m.position+1] < c {
		m.position++
	}
	a, b := m.done[m.position], m.done[m.position+1]
	if b < c {
		return math.Inf(1)
	}
	return (float64(m.position) + max(0, c-a)/(b-a)) * tick
}

// step goes to the next event; it reports whether there is one.
func (m *simulation) step(end float64) bool {
	departure := m.departs
	if m.server.rate == nil && len(m.work) > 0 {
		departure = m.work[0]
	}
	arrives := m.next
	if m.load.rate == nil {
		m.join()
		arrives = m.now + 0.05 // users may join before anything else happens
		if len(m.arrivals) > 0 {
			arrives = min(arrives, m.arrivals[0])
		}
	}
	position := m.position
	leaves := m.wall(departure)
	if leaves > arrives {
		m.position = position // a request that arrives may leave earlier
	}
	t := min(leaves, arrives, end)
	m.pass(t)
	switch {
	case t >= end:
		return false
	case leaves <= arrives:
		m.leave()
	case m.load.rate != nil:
		m.next = m.independent(m.now)
		m.arrive()
	case len(m.arrivals) > 0 && m.arrivals[0] <= t:
		heap.Pop(&m.arrivals)
		m.arrive()
	}
	return true
}

// join adds the users who are expected by now; they start by thinking.
func (m *simulation) join() {
	for m.active < m.load.users(m.now) {
		m.active++
		heap.Push(&m.arrivals, m.now+m.rng.ExpFloat64()*m.load.think)
	}
}

// pass adds the queue to the windows until t.
func (m *simulation) pass(t float64) {
	for m.now < t {
		i := int(m.now/width + 1e-9)
		to := min(t, float64(i+1)*width)
		if i < len(m.area) {
			m.area[i] += float64(m.requests) * (to - m.now)
		}
		m.now = to
	}
}

func (m *simulation) arrive() {
	m.requests++
	if m.server.rate != nil {
		m.schedule()
		return
	}
	m.waiting++
	m.serve()
}

func (m *simulation) serve() {
	for m.waiting > 0 && (m.server.workers == 0 || len(m.work) < m.server.workers) {
		m.waiting--
		heap.Push(&m.work, m.machine(m.now)+m.server.work(m.rng, m.now))
	}
}

// schedule draws the next departure of a Markov server again; it may do so because such a server has no memory.
func (m *simulation) schedule() {
	m.departs = math.Inf(1)
	if m.requests > 0 {
		m.departs = m.machine(m.now) + m.rng.ExpFloat64()/m.server.rate(m.requests)
	}
}

func (m *simulation) leave() {
	m.requests--
	if i := int(m.now / width); i < len(m.left) {
		m.left[i]++
	}
	if m.server.rate != nil {
		m.schedule()
	} else {
		heap.Pop(&m.work)
		m.serve()
	}
	if m.load.rate != nil {
		return
	}
	if m.active > m.load.users(m.now) {
		m.active--
		return
	}
	heap.Push(&m.arrivals, m.now+m.rng.ExpFloat64()*m.load.think)
}
