// SPDX-License-Identifier: Apache-2.0

// Package synthetic draws evolutions of metrics whose pattern is known, after the figures 3.8 to 3.12 of the
// thesis, to test the study against. Everything that the figures do not specify is random: how many points,
// where the bottleneck shifts, how long the gray zone is, levels, slopes, where a misleading metric changes,
// and the values in the gray zone.
package synthetic

import (
	"math"
	"math/rand/v2"

	"github.com/nstar-project/nstar/exporters/nstartool/study"
)

// Pattern is one sub-figure.
type Pattern struct {
	Figure   string
	Name     string
	Category study.Category
	// draw gives the value at a place: u goes from 0 at the first point to 1 at
	// the change and to 2 at the last point; at is the number of points since
	// the change, negative before.
	draw func(p *parameters, u float64, at int) float64
	// kink says that the change is at the last point of the old behaviour, not
	// at the first of the new.
	kink bool
	// misplaced by points: the change comes too early or too late.
	misplaced int
}

// parameters are what one evolution has drawn.
type parameters struct {
	v, w  float64 // levels; w is further from 0
	slope float64 // change per unit of u, as a share of w
	phase int
	mid   float64 // place of an earlier step
	swing float64
	place float64 // of the point among all, 0 to 1
}

// Patterns are all sub-patterns of the figures. The thesis's text, not every
// panel, says what is in them.
func Patterns() []Pattern {
	return append([]Pattern{
		{"3.8 a, b", "constant-linear-constant, up", study.Reliable, step(1), false, 0},
		{"3.8 d", "constant-linear-constant, down", study.Reliable, step(-1), false, 0},
		{"3.8 e", "constant-linear, up", study.Reliable, bend(1), true, 0},
		{"3.8 f", "constant-linear, down", study.Reliable, bend(-1), true, 0},
		{"3.8 c, g", "linear-constant, up", study.Reliable, flatten(1), false, 0},
		{"3.8 h", "linear-constant, down", study.Reliable, flatten(-1), false, 0},
		{"3.8 i", "constant-constant-linear, up", study.Reliable, steps(1), true, 0},
		{"3.9 a", "linear-periodic variation", study.Partial, shake, false, 0},
		{"3.9 b", "constant-constant-linear, down", study.Partial, steps(-1), true, 0},
		{"3.9 c", "linear-linear, up and down", study.Partial, roof(1), false, 0},
		{"3.9 d, e", "linear-linear, down and up", study.Partial, roof(-1), false, 0},
		{"3.10 a", "constant", study.NotReliable, func(p *parameters, _ float64, _ int) float64 { return p.v }, false,
			0},
		{"3.10 b", "periodic variation", study.NotReliable,
			func(p *parameters, _ float64, at int) float64 { return p.v + p.spike(at)*p.swing*p.v }, false, 0},
		{"3.10 c", "linear", study.NotReliable,
			func(p *parameters, _ float64, _ int) float64 { return p.w * (0.1 + p.slope*p.place) }, false, 0},
		{"3.10 d", "constant, then spikes from it", study.NotReliable, spikesFrom(0), false, 0},
		{"3.10 e", "falling, then spikes from there", study.NotReliable, spikesFrom(1), false, 0},
	}, misleading()...)
}

// misleading are the reliable and partially reliable shapes with their change
// at least three points away from the shift (figure 3.12).
func misleading() []Pattern {
	var all []Pattern
	for _, p := range []Pattern{
		{Name: "constant-linear-constant, up", draw: step(1)},
		{Name: "constant-linear-constant, down", draw: step(-1)},
		{Name: "constant-linear, up", draw: bend(1)},
		{Name: "constant-linear, down", draw: bend(-1)},
		{Name: "linear-constant, up", draw: flatten(1)},
		{Name: "linear-constant, down", draw: flatten(-1)},
		{Name: "linear-linear, up and down", draw: roof(1)},
		{Name: "linear-linear, down and up", draw: roof(-1)},
	} {
		p.Figure, p.Category = "3.12", study.Misleading
		early, late := p, p
		early.Name, early.misplaced = p.Name+", too early", -3
		late.Name, late.misplaced = p.Name+", too late", 3
		all = append(all, early, late)
	}
	return all
}

func step(way int) func(*parameters, float64, int) float64 {
	return func(p *parameters, _ float64, at int) float64 {
		if (at >= 0) == (way > 0) {
			return p.w
		}
		return p.v
	}
}

// bend is at its kink at the last point that it leaves alone.
func bend(way float64) func(*parameters, float64, int) float64 {
	return func(p *parameters, u float64, _ int) float64 {
		if way > 0 {
			return p.v + (p.w-p.v)*max(0, u-1)
		}
		return p.w - p.w*p.slope*max(0, u-1)
	}
}

func flatten(way float64) func(*parameters, float64, int) float64 {
	return func(p *parameters, u float64, _ int) float64 {
		if way > 0 {
			return p.w * (1 - p.slope*(1-min(u, 1)))
		}
		return p.v + (p.w-p.v)*(1-min(u, 1))
	}
}

func steps(way float64) func(*parameters, float64, int) float64 {
	return func(p *parameters, u float64, _ int) float64 {
		if u < p.mid {
			return p.v
		}
		if way > 0 {
			return p.w * (1 + 2*p.slope*max(0, u-1))
		}
		return p.w - (p.w-p.v/2)*max(0, u-1)
	}
}

func roof(way float64) func(*parameters, float64, int) float64 {
	return func(p *parameters, u float64, _ int) float64 {
		return p.w * (0.5 + way*p.slope*0.45*(1-math.Abs(u-1)) + (1-way)*0.3)
	}
}

func shake(p *parameters, u float64, at int) float64 {
	if at < 0 {
		return p.w * (0.1 + p.slope*u)
	}
	return p.w * (0.1 + p.slope) * (1 + p.spike(at)*(0.3+0.8*p.swing)) // down to the clients' value
}

func spikesFrom(fall float64) func(*parameters, float64, int) float64 {
	return func(p *parameters, u float64, at int) float64 {
		if at < 0 {
			return p.v * (1 + fall*p.slope*(1-u))
		}
		return p.v * (1 + p.swing*(1+p.spike(at)))
	}
}

// spike is up and down by turns.
func (p *parameters) spike(at int) float64 {
	if (at+p.phase)%2 == 0 {
		return 1
	}
	return -1
}

// Runs of each point, as in the thesis (section 3.4.1.3).
const Runs = 5

// Draw gives one evolution: clients, the values of the runs at each point, and
// the side of the bottleneck. Each run is off by a normal error of noise times
// its value.
func (s *Pattern) Draw(r *rand.Rand, noise float64) ([]float64, [][]float64, []study.Class) {
	clients, gray, server := 6+r.IntN(6), r.IntN(5), 6+r.IntN(4)
	if s.misplaced != 0 { // room for both behaviours on one side
		clients, server = clients+2, server+2
	}
	p := &parameters{phase: 1000 + r.IntN(2), mid: 0.3 + 0.25*r.Float64(), swing: 0.3 + 0.4*r.Float64(),
		slope: 0.6 + 0.4*r.Float64()}
	p.v = math.Exp(8*r.Float64() - 3)
	p.w = p.v * (1.5 + 3*r.Float64())
	n := clients + gray + server
	// The change comes between the last point of the clients and the first of
	// the server: there the new behaviour shows, or the old one ends.
	change := clients + r.IntN(gray+1)
	if s.kink {
		change--
	}
	switch {
	case s.misplaced < 0:
		change = 3 + r.IntN(clients-6)
	case s.misplaced > 0:
		change = clients + gray + 3 + r.IntN(server-6)
	}
	stride := float64(1 + r.IntN(4))
	var x []float64
	var runs [][]float64
	var class []study.Class
	for i := range n {
		x = append(x, stride*float64(i+1))
		u := float64(i) / float64(change)
		if i > change {
			u = 1 + float64(i-change)/float64(n-1-change)
		}
		p.place = float64(i) / float64(n-1)
		exact := s.draw(p, u, i-change)
		one := make([]float64, Runs)
		for k := range one {
			one[k] = exact * (1 + noise*r.NormFloat64())
		}
		runs = append(runs, one)
		switch {
		case i < clients:
			class = append(class, study.Client)
		case i < clients+gray:
			class = append(class, study.Gray)
		default:
			class = append(class, study.Server)
		}
	}
	return x, runs, class
}
