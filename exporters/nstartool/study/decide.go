// SPDX-License-Identifier: Apache-2.0

package study

import (
	"math"
	"slices"
	"strings"
)

// decide applies the definitions of the categories, in this order: metrics that change nowhere; that change
// only in behaviour; that change at the shift, by their value or by their trend; that change elsewhere.
func (e *shape) decide(j *Judgement) {
	if len(j.Changes) == 0 {
		j.SubPattern = j.trends[0].String()
		return
	}
	j.SubPattern = e.name(j)
	at := slices.ContainsFunc(j.Changes, func(c Change) bool { return c.AtShift })
	client, server := e.before(), e.after()
	separate, low, high := e.separate(j)
	switch {
	case at && separate:
		j.Category, j.ClientBound, j.ServerBound = Reliable, low, high
	case e.onlyBehaviour():
		j.SubPattern = "change in behaviour but not in values"
	case !at:
		j.Category = Misleading
		j.SubPattern += e.misplaced(j)
	case client != server:
		j.Category = Partial
	default:
		j.SubPattern = "back to earlier values"
	}
}

// before is the trend under the clients' limit, next to the shift; after the
// one under the server's.
func (e *shape) before() trend { return e.trendAt(e.lo, -1) }
func (e *shape) after() trend  { return e.trendAt(e.hi+1, 1) }

// trendAt is the trend of the stretch with point i. A stretch that ends at the
// next point on the way is a ramp and does not count.
func (e *shape) trendAt(i, way int) trend {
	for k, s := range e.segments {
		if i < s.from || i > s.to {
			continue
		}
		next := k + way
		if way < 0 && s.from == i && next >= 0 || way > 0 && s.to == i && next < len(e.segments) {
			return e.segments[next].trend
		}
		return s.trend
	}
	return level
}

// onlyBehaviour reports whether the evolution keeps still and then leaves that
// value in spikes, to which it comes back again and again.
func (e *shape) onlyBehaviour() bool {
	last := e.segments[len(e.segments)-1]
	if last.trend != spikes || last.from == 0 {
		return false
	}
	left := e.segments[len(e.segments)-2]
	if left.trend == spikes {
		return false
	}
	// The value where the stretch ended, or to which it would have continued.
	near, far := left.at(e.v.x[left.to]), left.at(e.v.x[last.from])
	low, high := extremes(e.v.y[last.from : last.to+1])
	slack := clear * (high - low)
	meets := func(v float64) bool { return min(near, far)-slack <= v && v <= max(near, far)+slack }
	down := left.trend != rising && meets(low)
	up := left.trend == level && meets(high)
	return down || up
}

// separate reports whether one value separates the sides, with a gap of some width between them, and the
// values of the clients' side and of the server's side that are next to each other. It is unknown where the
// shift lies between two numbers of clients, so that one point next to it may be left out.
func (e *shape) separate(j *Judgement) (bool, float64, float64) {
	var client, server []float64
	for i, c := range e.class {
		switch c {
		case Client:
			client = append(client, j.Line[i])
		case Server:
			server = append(server, j.Line[i])
		}
	}
	wide := func(low, high float64) bool {
		return high-low >= min(gap*e.v.span(), clear*max(math.Abs(low), math.Abs(high)))
	}
	for _, sides := range [][2][]float64{{client, server}, {client, server[1:]}, {client[:len(client)-1], server}} {
		if len(sides[0]) < fewest || len(sides[1]) < fewest {
			continue
		}
		if low, high := slices.Max(sides[0]), slices.Min(sides[1]); low < high && wide(low, high) {
			return true, low, high
		}
		if low, high := slices.Min(sides[0]), slices.Max(sides[1]); high < low && wide(high, low) {
			return true, low, high
		}
	}
	return false, 0, 0
}

// name is the sub-pattern as the thesis names it: by the trends on both sides of the shift if the evolution
// changes there, otherwise by all its trends. A jump is a ramp between two points.
func (e *shape) name(j *Judgement) string {
	at := slices.ContainsFunc(j.Changes, func(c Change) bool { return c.AtShift })
	client, server := e.before(), e.after()
	if !at || client == level && server == level {
		var words []string
		for i, t := range j.trends {
			if i > 0 && t == level && j.trends[i-1] == level && i == len(j.trends)-1 {
				words = append(words, "linear")
			}
			words = append(words, t.String())
		}
		if at {
			return "constant-linear-constant"
		}
		return strings.Join(words, "-")
	}
	name := client.String() + "-" + server.String()
	if client == level && (server == rising || server == falling) && e.steps() {
		return "constant-" + name
	}
	return name
}

// steps reports whether the metric had another level before that, below the clients' limit.
func (e *shape) steps() bool {
	levels := 0
	for _, s := range e.segments {
		if s.trend == level && s.from <= e.lo {
			levels++
		}
	}
	return levels > 1
}

// misplaced says on which side of the shift the changes are.
func (e *shape) misplaced(j *Judgement) string {
	early, late := false, false
	for _, c := range j.Changes {
		if c.Low < e.v.x[e.lo] {
			early = true
		} else {
			late = true
		}
	}
	switch {
	case early && late:
		return ", too early and too late"
	case early:
		return ", too early"
	}
	return ", too late"
}
