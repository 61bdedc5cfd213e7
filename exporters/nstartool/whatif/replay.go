// SPDX-License-Identifier: Apache-2.0

package whatif

import (
	"math"
	"math/rand/v2"
)

// run is one replay of a part of the trace.
type run struct {
	begin, length float64 // of the part that counts, in seconds of the trace
	warm          float64 // replayed before it and not counted
	seed          uint64
	arrivals      arriving
}

// arriving is the load of a run: users who wait for answers, or requests as
// they were recorded.
type arriving struct {
	width    float64   // seconds per value of either
	users    []float64 // closed: users there are
	reaction float64   // closed: requests per second of each user who thinks
	counts   []float64 // open: requests per window
	load     float64   // factor on either
}

// outcome is what a run measured.
type outcome struct {
	throughput float64   // completions of the front per second
	offered    float64   // arrivals per second
	response   float64   // seconds per request of the front (Little's law)
	own        []float64 // mean own queue of each station
	quiet      []float64 // the same while no stop was felt
	felt       []float64 // and while one was
	visits     []float64 // visits per second of each station
	overload   bool      // the queue only grew
}

// job is one visit of a request to a station.
type job struct {
	parent  int32 // the visit that made this call; none at the front
	link    int32
	station int32
	left    int32 // calls still to make
}

const none = -1

// mostJobs ends a run in which the queue grows without end.
const mostJobs = 50_000

// replay is the state of a run: a Markov chain in continuous time between the
// fixed moments at which stops begin and end and recorded requests arrive.
// Work is exponential and shared among the requests of a station, for which the
// mean queue doesn't depend on how work is distributed (Baskett, Chandy, Muntz
// and Palacios 1975).
type replay struct {
	*network
	run
	random *rand.Rand
	now    float64
	jobs   []job
	free   []int32
	calls  []int32 // calls left per job and outgoing link
	row    int     // length of a row of calls
	window int     // of the trace, now
	active [][]int32
	own    []int
	halt   []halting
	pools  []pool
	inside int // requests between arrival and answer at the front
	open   openArrivals

	rates, speeds      []float64
	area, quiet        []float64
	quietFrom          float64 // when the latest stop is no longer felt
	quietTime          float64
	insideArea         float64
	visits             []int
	completed, arrived int
}

// pool is the state of a link with a cap.
type pool struct {
	taken, held int
	waiting     []int32
}

func (n *network) replay(r run) outcome {
	p := &replay{network: n, run: r, random: rand.New(rand.NewPCG(r.seed, 1)), now: r.begin - r.warm}
	for _, s := range n.stations {
		p.row = max(p.row, len(s.out))
		p.halt = append(p.halt, newHalting(s.stops, p.now))
	}
	p.active = make([][]int32, len(n.stations))
	p.own = make([]int, len(n.stations))
	p.pools = make([]pool, len(n.links))
	p.rates = make([]float64, 2*len(n.stations)+len(n.links)+1)
	p.speeds = make([]float64, len(n.stations))
	p.reset()
	p.open = newOpenArrivals(r.arrivals, p.now)
	p.until(r.begin)
	p.reset()
	before := p.inside
	p.until(r.begin + r.length)
	return p.outcome(before)
}

func (p *replay) reset() {
	p.area, p.insideArea = make([]float64, len(p.stations)), 0
	p.quiet, p.quietTime = make([]float64, len(p.stations)), 0
	p.visits, p.completed, p.arrived = make([]int, len(p.stations)), 0, 0
}

func (p *replay) outcome(before int) outcome {
	o := outcome{throughput: float64(p.completed) / p.length, offered: float64(p.arrived) / p.length}
	o.response = p.insideArea / max(1, float64(p.completed))
	for i := range p.stations {
		o.own = append(o.own, p.area[i]/p.length)
		o.quiet = append(o.quiet, p.quiet[i]/max(p.quietTime, quick))
		o.felt = append(o.felt, (p.area[i]-p.quiet[i])/max(p.length-p.quietTime, quick))
		o.visits = append(o.visits, float64(p.visits[i])/p.length)
	}
	// More than a twentieth of the arrivals stayed, and more than chance keeps.
	grown := float64(p.inside - before)
	o.overload = p.arrivals.users == nil && (len(p.jobs)-len(p.free) >= mostJobs ||
		grown > float64(p.arrived)/20 && grown > 5*math.Sqrt(float64(p.arrived)))
	return o
}

// until runs to a time.
func (p *replay) until(end float64) {
	for p.now < end {
		p.window = int(p.now/p.width + 0.5e-6)
		fixed, who := min(end, float64(p.window+1)*p.width), none
		for i := range p.halt {
			if p.halt[i].next < fixed {
				fixed, who = p.halt[i].next, i
			}
		}
		arrival := p.open.next < fixed
		if arrival {
			fixed = p.open.next
		}
		switch p.between(fixed) {
		case overfull:
			return
		case stopBegun:
			p.feel()
			continue
		}
		switch {
		case arrival:
			p.open.advance(p.random)
			p.arrive()
		case who != none:
			p.halt[who].turn(p.now)
			p.feel()
		}
	}
}

// feel takes note of the stops that last now.
func (p *replay) feel() {
	for _, h := range p.halt {
		if h.stopped && h.next-p.now >= p.width {
			p.quietFrom = max(p.quietFrom, h.next+aftermath)
		}
	}
}

// why the chain stands still.
type why int

const (
	reached   why = iota // the fixed moment
	stopBegun            // after which another moment may come first
	overfull
)

// between lets the chain jump until a fixed moment, or until a stop begins.
func (p *replay) between(fixed float64) why {
	for {
		total := p.setRates()
		dt := math.Inf(1)
		if total > 0 {
			dt = p.random.ExpFloat64() / total
		}
		if p.now+dt >= fixed {
			p.elapse(fixed - p.now)
			p.now = fixed
			return reached
		}
		p.elapse(dt)
		p.now += dt
		if p.jump(p.random.Float64() * total) {
			return stopBegun
		}
		if len(p.jobs)-len(p.free) >= mostJobs {
			return overfull
		}
	}
}

func (p *replay) elapse(dt float64) {
	if p.now >= p.quietFrom {
		p.quietTime += dt
		for i, own := range p.own {
			p.quiet[i] += float64(own) * dt
		}
	}
	for i, own := range p.own {
		p.area[i] += float64(own) * dt
	}
	p.insideArea += float64(p.inside) * dt
}

// setRates sets the rates of all events: work done at each station, visits from elsewhere, places given back,
// users who ask.
func (p *replay) setRates() (total float64) {
	k := 0
	set := func(rate float64) {
		p.rates[k] = rate
		k++
		total += rate
	}
	p.slow(p.speeds, p.working)
	for i := range p.stations {
		s := &p.stations[i]
		rate := 0.0
		if n := p.working(i); n > 0 {
			rate = n * (1 + s.calls) / s.base * p.speeds[i]
			if p.window < len(s.speed) {
				rate *= s.speed[p.window]
			}
		}
		set(rate)
	}
	for i := range p.stations {
		set(p.stations[i].others)
	}
	for i := range p.links {
		rate := 0.0
		if held := p.pools[i].held; held > 0 && !p.halt[p.links[i].from].stopped {
			rate = float64(held) / max(p.links[i].hold, quick)
		}
		set(rate)
	}
	rate := 0.0
	if p.arrivals.users != nil {
		step := min(max(int(p.now/p.arrivals.width), 0), len(p.arrivals.users)-1)
		rate = max(0, p.arrivals.users[step]*p.arrivals.load-float64(p.inside)) * p.arrivals.reaction
	}
	set(rate)
	return total
}

// working is how many requests are worked on at a station.
func (p *replay) working(station int) float64 {
	if p.halt[station].stopped {
		return 0
	}
	return min(float64(len(p.active[station])), p.stations[station].servers)
}

// jump does what was drawn and reports whether a stop has begun with it.
func (p *replay) jump(draw float64) bool {
	k := 0
	for ; k < len(p.rates)-1; k++ {
		if draw -= p.rates[k]; draw < 0 {
			break
		}
	}
	n := len(p.stations)
	switch {
	case k < n:
		return p.worked(k)
	case k < 2*n:
		p.begin(job{parent: none, link: none, station: int32(k - n)})
	case k < 2*n+len(p.links):
		p.pools[k-2*n].held--
		p.vacate(k - 2*n)
	default:
		p.arrive()
	}
	return false
}

func (p *replay) arrive() {
	p.inside++
	p.arrived++
	p.begin(job{parent: none, link: none, station: int32(p.front)})
}
