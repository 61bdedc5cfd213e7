// SPDX-License-Identifier: Apache-2.0

// Package study judges metrics by a load experiment: which of them say, at a
// glance, that a server has reached its capacity?
//
// The number of clients is raised and the throughput measured. Up to one limit the clients are the
// bottleneck, from another limit on the server is, and a gray zone lies between. A metric is worth watching
// if it changes where the bottleneck shifts, and misleads if it changes elsewhere. The method is that of the
// thesis on reliable indicators of performance bottlenecks (section 3.3.2), made formal; docs/study.md has
// the definitions. The package is pure: numbers in, judgements out.
package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Metric is what is known about a metric besides its values.
type Metric struct {
	Name string `json:"name"`
	Tier string `json:"tier,omitempty"`
	// Type is one of the thesis's: RC, ITD, ER, QWT, QS, LY, PT, IOD, UC (table 3.2).
	Type string `json:"type,omitempty"`
	// Client says that the clients measure it and not the server.
	Client bool `json:"client,omitempty"`
	// Query gives the present value in Prometheus; empty if there is none.
	Query string `json:"query,omitempty"`
	Unit  string `json:"unit,omitempty"`
}

// Key distinguishes the metric from those of the same name in other tiers.
func (m *Metric) Key() string {
	if m.Tier == "" {
		return m.Name
	}
	return m.Tier + "/" + m.Name
}

// Point is what was measured under one number of clients.
type Point struct {
	Clients float64
	// Throughput of each repetition, in requests (or messages) per second.
	Throughput []float64
	// Values of each metric by its key, one per repetition. A metric that is
	// absent was not measured here.
	Values map[string][]float64
}

// Setup is one load experiment: the same system under more and more clients.
type Setup struct {
	Name   string
	Points []Point
	// Servers is how many servers share the work of the limiting kind; an
	// added one is one more. 0 means 1.
	Servers int
	// Added is the same experiment with one server more, nil if there is none.
	Added *Setup
}

// Sort orders the points by clients and returns an error if they can't be used.
func (s *Setup) Sort() error {
	slices.SortStableFunc(s.Points, func(a, b Point) int { return cmp.Compare(a.Clients, b.Clients) })
	for i, p := range s.Points {
		switch {
		case !(p.Clients > 0) || math.IsInf(p.Clients, 0):
			return fmt.Errorf("setup %s: %v clients; the number must be above 0", s.Name, p.Clients)
		case i > 0 && p.Clients == s.Points[i-1].Clients:
			return fmt.Errorf("setup %s: two points with %v clients; they are repetitions of one", s.Name, p.Clients)
		case len(p.Throughput) == 0:
			return fmt.Errorf("setup %s: no throughput at %v clients", s.Name, p.Clients)
		}
		for _, v := range p.Throughput {
			if !(v >= 0) || math.IsInf(v, 0) {
				return fmt.Errorf("setup %s: throughput %v at %v clients", s.Name, v, p.Clients)
			}
		}
	}
	if len(s.Points) == 0 {
		return fmt.Errorf("setup %s has no points", s.Name)
	}
	return nil
}

// evolution is a quantity over the number of clients.
type evolution struct {
	x []float64 // clients, ascending
	y []float64 // mean of the repetitions
	// e is the standard error of each mean.
	e []float64
}

// assumedNoise is the standard deviation of a run as a share of its value, if runs were not repeated: the
// thesis found less than 5 % (section 3.4.1.3).
const assumedNoise = 0.05

// newEvolution averages repetitions. The spread of few repetitions is itself uncertain. So each point's
// variance is drawn towards the variance of all points together, in proportion to their values.
func newEvolution(x []float64, repetitions [][]float64) evolution {
	v := evolution{x: x}
	largest := 0.0
	for _, r := range repetitions {
		v.y = append(v.y, mean(r))
		largest = max(largest, math.Abs(mean(r)))
	}
	relative, absolute, degrees, small := 0.0, 0.0, 0.0, 0.0
	for i, r := range repetitions {
		freedom := float64(len(r) - 1)
		if math.Abs(v.y[i]) > largest/10 {
			relative += freedom * variance(r) / (v.y[i] * v.y[i])
			degrees += freedom
		} else {
			absolute += freedom * variance(r)
			small += freedom
		}
	}
	relative = ratio(relative, degrees, assumedNoise*assumedNoise)
	absolute = ratio(absolute, small, 0)
	const prior = 4 // weight of all points together, in repetitions
	for i, r := range repetitions {
		all := max(absolute, relative*v.y[i]*v.y[i])
		freedom := float64(len(r) - 1)
		own := all
		if freedom > 0 {
			own = (prior*all + freedom*variance(r)) / (prior + freedom)
		}
		v.e = append(v.e, math.Sqrt(own/float64(len(r))))
	}
	return v
}

// span is the distance of the largest and the smallest mean.
func (v *evolution) span() float64 { return slices.Max(v.y) - slices.Min(v.y) }

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// variance of a sample; 0 for a single value.
func variance(values []float64) float64 {
	if len(values) < 2 {
		return 0
	}
	m, sum := mean(values), 0.0
	for _, v := range values {
		sum += (v - m) * (v - m)
	}
	return sum / float64(len(values)-1)
}

// ratio is a/b, or otherwise if b is 0.
func ratio(a, b, otherwise float64) float64 {
	if b == 0 {
		return otherwise
	}
	return a / b
}
