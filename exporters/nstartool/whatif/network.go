// SPDX-License-Identifier: Apache-2.0

package whatif

import (
	"cmp"
	"math"
	"slices"
)

// network is the application as a network of stations.
type network struct {
	stations []station
	links    []link
	machines []machine
	front    int
	width    float64 // of a window
}

// station is a tier, or a destination of calls that is not measured.
type station struct {
	name string
	// base is R0 in seconds per visit; half of a visit's work is done before a
	// call and so on: it is divided into as many parts as there are calls, plus one.
	base float64
	// processor is the part of it for which it computes, in seconds; 0 if that is not known.
	processor float64
	// servers is N*, as the number of requests that are worked on at once; infinite if no limit is known.
	servers  float64
	measured bool // it is a tier, not a destination that is not measured
	known    bool // R0 is known
	// limited is the queue of a station that stayed at its limit, of which no R0
	// is known: only its TPmax is, and N* is anything from 1 to that queue.
	limited float64
	stops   []stop
	speed   []float64 // in each window, relative to the mean; nil if it is steady
	peak    float64   // visits per second in the best second
	// others is the rate of visits from elsewhere than the tiers in front.
	others float64
	out    []int // its links
	calls  float64
}

// link is the calls of one station to another.
type link struct {
	from, to int
	calls    float64 // per visit of from
	places   int     // cap of the calls outstanding; 0 for none
	// hold is how long a place stays taken after an answer, in seconds: a
	// connection that its holder has not used or given back yet.
	hold float64
}

const (
	// quick is the residence time of a station that is too fast to be measured:
	// queue lengths are recorded to 1/64.
	quick = 1e-6
	// minor is the share of the response time below which it does not matter if R0 of a tier isn't known:
	// the recorded time is used as R0.
	minor = 0.05
)

// networkOf builds the network of a trace.
func networkOf(t Trace) (*network, error) {
	front, err := t.check()
	if err != nil {
		return nil, err
	}
	n := &network{front: front, width: t.Width, machines: machinesOf(t)}
	total := 0.0
	for _, u := range t.Tiers {
		total += sum(u.Own)
	}
	for _, u := range t.Tiers {
		s, err := stationOf(t, u, sum(u.Own)/max(total, quick))
		if err != nil {
			return nil, err
		}
		n.stations = append(n.stations, s)
	}
	for _, e := range t.Edges {
		from, to := t.tier(e.From), t.tier(e.To)
		calls := sum(e.Calls)
		if calls == 0 || sum(t.Tiers[from].Completions) == 0 {
			continue
		}
		if to < 0 {
			to = len(n.stations)
			n.stations = append(n.stations, station{name: e.To, servers: math.Inf(1), peak: peak(e.Calls, t.Width),
				base: max(quick, sum(e.Outstanding)*t.Width/calls)})
		}
		l := link{from: from, to: to, calls: calls / sum(t.Tiers[from].Completions)}
		if e.Limit > 0 {
			l.places = placesOf(e)
			l.hold = holdOf(t.Tiers[from], e, l.places, n.stations[from].base, t.Width)
		}
		n.stations[from].out = append(n.stations[from].out, len(n.links))
		n.stations[from].calls += l.calls
		n.links = append(n.links, l)
	}
	return n, n.connect(t)
}

// stationOf makes a station of a tier whose share of the response time is given.
func stationOf(t Trace, u Tier, share float64) (station, error) {
	s := station{name: u.Name, base: u.Base, processor: u.Processor, servers: math.Inf(1), measured: true,
		known: u.Base > 0, peak: peak(u.Completions, t.Width)}
	departures := slices.Clone(u.Completions)
	capped := t.capped(u.Name)
	for _, e := range t.Edges {
		if e.From == u.Name {
			for k, c := range e.Calls {
				departures[k] += c
			}
		}
	}
	s.stops = stopsOf(u, t.Width, departures)
	rate, queue, flat := busy(u, t.Width)
	switch {
	case s.known && u.Knee > 0 && s.peak*u.Base < contradicted*max(1, u.Knee):
		s.servers = max(1, u.Knee)
	case s.known && !capped && queue > contradicted*u.Base*rate:
		// Requests took a multiple of R0, so this is more than the knee, and the
		// throughput is TPmax.
		s.servers = max(1, u.Base*rate)
	case s.known:
	case share <= minor:
		s.base = max(quick, sum(u.Own)*t.Width/max(1, sum(u.Completions)))
	case flat && queue > contradicted && !capped:
		s.limit(rate, queue)
	default:
		return s, unfit("the base residence time of %s, where %.0f %% of the response time is spent, is not known%s",
			u.Name, share*100, because(u.Learning))
	}
	if !capped {
		s.speed = speedOf(u, s, t.Width)
	}
	return s, nil
}

// capped reports whether calls of a tier were seen at a cap: its own queue may
// wait for a place then.
func (t Trace) capped(tier string) bool {
	return slices.ContainsFunc(t.Edges, func(e Edge) bool { return e.From == tier && e.Limit > 0 })
}

// limit makes it a station that stays at its limit. Its knee may be anywhere between one and the whole queue:
// that doesn't matter as long as the queue stays (see uncertain).
func (s *station) limit(rate, queue float64) {
	s.known, s.limited = false, queue
	s.servers = math.Sqrt(queue)
	s.base = s.servers / rate
}

// contradicted is the factor by which windows have to differ from what was learned to count as a
// contradiction: more than the speed of a machine drifts.
const contradicted = 2.0

// busy is the queue that three quarters of a tier's windows exceed, and the throughput in those windows. It
// also reports whether throughput in these does not rise with the queue. Only windows with a queue, and
// without a stop, count.
func busy(u Tier, width float64) (rate, queue float64, flat bool) {
	var working []int
	for k, own := range u.Own {
		if own > 0 && !u.Frozen[k] && (u.Collection == nil || u.Collection[k] == 0) {
			working = append(working, k)
		}
	}
	if len(working) < 4 {
		return 0, 0, false
	}
	slices.SortFunc(working, func(a, b int) int { return cmp.Compare(u.Own[a], u.Own[b]) })
	working = working[len(working)/4:]
	of := func(windows []int) (rate float64) {
		for _, k := range windows {
			rate += u.Completions[k] / width / float64(len(windows))
		}
		return rate
	}
	half := len(working) / 2
	return of(working), u.Own[working[0]], of(working[half:]) < flatness*of(working[:half])
}

// flatness is how much more throughput the half of the windows with longer queues may have: a machine's speed
// drifts by more than that, but not with the queue.
const flatness = 1.1

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return " (" + reason + ")"
}

// connect gives stations the visits that come from none of the tiers in front,
// and refuses calls that go in a circle.
func (n *network) connect(t Trace) error {
	depth := make([]int, len(n.stations))
	for range n.stations {
		for _, l := range n.links {
			depth[l.to] = max(depth[l.to], depth[l.from]+1)
		}
	}
	if slices.Max(depth) >= len(n.stations) {
		return unfit("the calls between the tiers of %s go in a circle", t.App)
	}
	for i := range n.stations {
		s := &n.stations[i]
		if !s.measured || i == n.front {
			continue
		}
		own := sum(t.Tiers[i].Completions) / t.Span()
		called := 0.0
		for _, l := range n.links {
			if l.to == i {
				called += l.calls * sum(t.Tiers[l.from].Completions) / t.Span()
			}
		}
		// Below a fiftieth it is the calls at both ends of the range.
		if own-called > own/50 {
			s.others = own - called
		}
	}
	return nil
}

// peak is the greatest number per second over any second.
func peak(counts []float64, width float64) float64 {
	per := max(1, int(math.Round(1/width)))
	best, run := 0.0, 0.0
	for k, c := range counts {
		run += c
		if k >= per {
			run -= counts[k-per]
		}
		best = max(best, run/(float64(per)*width))
	}
	return best
}

// placesOf is the number of places of an edge with a cap. The largest number
// outstanding was in all of them at once; the mean of a window that the cap was
// learned from stays below, because a connection between two calls holds a
// place. One window in a thousand may have seen more, while connections were
// replaced.
func placesOf(e Edge) int {
	places := e.Limit
	if e.OutstandingMax != nil {
		sorted := slices.Sorted(slices.Values(e.OutstandingMax))
		places = max(places, sorted[len(sorted)-1-len(sorted)/1000])
	}
	return max(1, int(math.Round(places)))
}

// holdOf is how long a place stays taken after an answer while others wait for it: Little's law for the
// places without a call, in windows in which the tier was not stopped and had no free place.
func holdOf(from Tier, e Edge, places int, base, width float64) float64 {
	empty, calls := 0.0, 0.0
	for k, o := range e.Outstanding {
		waiting := from.Own[k] - base*from.Completions[k]/width
		if from.Frozen[k] || from.Collection != nil && from.Collection[k] > 0 || waiting < max(1, float64(places)/4) {
			continue
		}
		empty += max(0, float64(places)-o) * width
		calls += e.Calls[k]
	}
	if calls == 0 {
		return 0
	}
	return empty / calls
}
