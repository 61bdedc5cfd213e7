// SPDX-License-Identifier: Apache-2.0

package samples

import (
	"slices"
	"time"
)

// packed is a batch as a buffer stores it: all names together, which one batch shares with the next as long as they
// are the same, and the values in order. Otherwise names would take twice as much memory as values, and batches are
// most of the exporter's memory.
type packed struct {
	end        time.Duration
	names      *names
	tiers      [][samplesPerTier]float64
	edges      [][samplesPerEdge]float64
	states     []uint8
	stateEnds  []time.Duration // one, if all states are of the same window
	ratios     []float32       // of all causes, one behind the other
	causesEnds []time.Duration // as stateEnds
}

// Samples that a tier and an edge make of a batch, at most: their values.
const (
	samplesPerTier = 6
	samplesPerEdge = 6
)

// names are the names to which the values of a batch belong.
type names struct {
	tiers, states, causes []tierName
	edges                 []edgeName
	kinds                 [][]Cause // of each of causes
}

type tierName struct{ app, tier string }

type edgeName struct{ app, from, to string }

// pack packs a batch, with the names of the batch before if they are the same.
func pack(b Batch, before *names) packed {
	p := packed{
		end: b.End, names: before,
		tiers: make([][samplesPerTier]float64, len(b.Tiers)), edges: make([][samplesPerEdge]float64, len(b.Edges)),
		states: make([]uint8, len(b.States)),
	}
	if before == nil || !before.are(b) {
		p.names = namesOf(b)
	}
	for i, t := range b.Tiers {
		p.tiers[i] = [...]float64{t.Queue, t.Throughput, t.Residence, t.GC, t.Own, t.Connections}
	}
	for i, e := range b.Edges {
		p.edges[i] = [...]float64{e.Outstanding, e.Calls, e.Peak, e.Connections, e.Used, e.Gap}
	}
	for i, s := range b.States {
		p.states[i] = uint8(s.State)
	}
	n := 0
	for _, c := range b.Causes {
		n += len(c.Ratios)
	}
	p.ratios = make([]float32, 0, n)
	for _, c := range b.Causes {
		p.ratios = append(p.ratios, c.Ratios...)
	}
	p.stateEnds = endsOf(b.States, func(s State) time.Duration { return s.End })
	p.causesEnds = endsOf(b.Causes, func(c Causes) time.Duration { return c.End })
	return p
}

// unpack is the batch again.
func (p packed) unpack() Batch {
	b := Batch{
		End: p.end, Tiers: several[Tier](len(p.tiers)), Edges: several[Edge](len(p.edges)),
		States: several[State](len(p.states)), Causes: several[Causes](len(p.names.causes)),
	}
	for i, v := range p.tiers {
		name := p.names.tiers[i]
		b.Tiers[i] = Tier{name.app, name.tier, v[0], v[1], v[2], v[3], v[4], v[5]}
	}
	for i, v := range p.edges {
		name := p.names.edges[i]
		b.Edges[i] = Edge{name.app, name.from, name.to, v[0], v[1], v[2], v[3], v[4], v[5]}
	}
	for i, v := range p.states {
		name := p.names.states[i]
		b.States[i] = State{name.app, name.tier, p.stateEnds[min(i, len(p.stateEnds)-1)], int(v)}
	}
	ratios := p.ratios
	for i, name := range p.names.causes {
		kinds := p.names.kinds[i]
		b.Causes[i] = Causes{name.app, name.tier, p.causesEnds[min(i, len(p.causesEnds)-1)], kinds, ratios[:len(kinds)]}
		ratios = ratios[len(kinds):]
	}
	return b
}

// several is nil for none of them.
func several[T any](n int) []T {
	if n == 0 {
		return nil
	}
	return make([]T, n)
}

func unpackAll(all []packed) []Batch {
	out := make([]Batch, len(all))
	for i, p := range all {
		out[i] = p.unpack()
	}
	return out
}

func (p packed) samples() int {
	return samplesPerTier*len(p.tiers) + samplesPerEdge*len(p.edges) + len(p.states) + len(p.names.causes)
}

func namesOf(b Batch) *names {
	n := &names{
		tiers: make([]tierName, len(b.Tiers)), states: make([]tierName, len(b.States)),
		causes: make([]tierName, len(b.Causes)), edges: make([]edgeName, len(b.Edges)),
		kinds: make([][]Cause, len(b.Causes)),
	}
	for i, t := range b.Tiers {
		n.tiers[i] = tierName{t.App, t.Tier}
	}
	for i, e := range b.Edges {
		n.edges[i] = edgeName{e.App, e.From, e.To}
	}
	for i, s := range b.States {
		n.states[i] = tierName{s.App, s.Tier}
	}
	for i, c := range b.Causes {
		n.causes[i], n.kinds[i] = tierName{c.App, c.Tier}, c.Kinds
	}
	return n
}

// are reports whether these are the names of a batch. Kinds of causes are the same slice as long as they are the same.
func (n *names) are(b Batch) bool {
	return slices.EqualFunc(n.tiers, b.Tiers, func(n tierName, t Tier) bool { return n == tierName{t.App, t.Tier} }) &&
		slices.EqualFunc(n.edges, b.Edges,
			func(n edgeName, e Edge) bool { return n == edgeName{e.App, e.From, e.To} }) &&
		slices.EqualFunc(n.states, b.States, func(n tierName, s State) bool { return n == tierName{s.App, s.Tier} }) &&
		slices.EqualFunc(n.causes, b.Causes, func(n tierName, c Causes) bool { return n == tierName{c.App, c.Tier} }) &&
		slices.EqualFunc(n.kinds, b.Causes, func(k []Cause, c Causes) bool { return isSame(k, c.Kinds) })
}

func isSame(a, b []Cause) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || slices.Equal(a, b))
}

// endsOf are the ends of all, or only the first one if they are all the same.
func endsOf[T any](all []T, end func(T) time.Duration) []time.Duration {
	if len(all) == 0 {
		return nil
	}
	first := end(all[0])
	if !slices.ContainsFunc(all, func(v T) bool { return end(v) != first }) {
		return []time.Duration{first}
	}
	out := make([]time.Duration, len(all))
	for i, v := range all {
		out[i] = end(v)
	}
	return out
}
