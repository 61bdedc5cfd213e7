// SPDX-License-Identifier: Apache-2.0

package study

import (
	"math"
	"slices"
)

// Category is how far a metric can be relied on (thesis, section 3.3.2.6).
type Category string

// The categories, by the letters of the thesis's tables 3.11 and 5.5.
const (
	Reliable     Category = "R"  // one value tells the side
	Partial      Category = "PR" // two consecutive values, the trend, tell it
	NotReliable  Category = "NR" // it does not change, or without any break
	Misleading   Category = "M"  // it changes clearly, but elsewhere
	Unidentified Category = "-"  // the experiment does not show both sides
)

// Name is the category in words.
func (c Category) Name() string {
	switch c {
	case Reliable:
		return "reliable"
	case Partial:
		return "partially reliable"
	case NotReliable:
		return "not reliable"
	case Misleading:
		return "misleading"
	}
	return "unidentified"
}

// Class says which side is the bottleneck at a point.
type Class int

// The classes, in the order in which more clients reach them.
const (
	Client Class = iota // more clients would gain throughput
	Gray                // more clients would, and more servers as well
	Server              // the server has reached its capacity
)

var classNames = [...]string{"client", "gray", "server"}

func (c Class) String() string { return classNames[c] }

// Change is a break in the evolution of a metric.
type Change struct {
	// Low and High are the numbers of clients before and after it.
	Low, High float64
	AtShift   bool
}

// Judgement is what the study says about one metric in one setup.
type Judgement struct {
	Category   Category
	SubPattern string
	// Confidence is the share of resampled experiments that give the same category.
	Confidence float64
	// ClientBound and ServerBound are the values of both sides that are next to
	// each other; only of reliable metrics.
	ClientBound, ServerBound float64
	Changes                  []Change
	// Line is the evolution without noise, one value per point.
	Line []float64
	// Clients, Class, Mean and Error of the points at which it was measured.
	Clients     []float64
	Class       []Class
	Mean, Error []float64

	trends []trend
}

// fewest points on either side without which nothing can be said.
const fewest = 3

// judge puts an evolution into its category. class has the bottleneck's side of
// each point, in the order client, gray, server.
func judge(v evolution, class []Class) Judgement {
	j := Judgement{Mean: v.y, Error: v.e, Line: slices.Clone(v.y), Category: Unidentified, Confidence: 1,
		ClientBound: math.NaN(), ServerBound: math.NaN()}
	clients := count(class, Client)
	if clients < fewest || count(class, Server) < fewest {
		return j
	}
	j.Category, j.SubPattern = NotReliable, level.String()
	largest := max(math.Abs(slices.Max(v.y)), math.Abs(slices.Min(v.y)))
	if v.span() <= negligible*largest {
		for i := range j.Line {
			j.Line[i] = mean(v.y)
		}
		return j
	}
	noise := make([]float64, len(v.y))
	for i := range noise {
		noise[i] = math.Hypot(v.e[i], curvature*v.span())
	}
	e := &shape{v: &v, class: class, lo: clients - 1, hi: slices.Index(class, Server) - 1}
	e.segments = segments(&v, noise)
	settle(&v, noise, e.segments, e.lo, e.hi)
	e.simplify()
	for _, s := range e.segments {
		for i := s.from; i <= s.to && s.trend != spikes; i++ {
			j.Line[i] = s.at(v.x[i])
		}
	}
	j.Changes, j.trends = e.changes()
	e.decide(&j)
	return j
}

func count(class []Class, c Class) int {
	n := 0
	for _, one := range class {
		if one == c {
			n++
		}
	}
	return n
}
