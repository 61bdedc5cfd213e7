// SPDX-License-Identifier: Apache-2.0

package study

import (
	"cmp"
	"slices"
)

// Row is one metric over all setups.
type Row struct {
	Metric     Metric
	Judgements []Judgement // one per setup
}

// in reports whether the metric is of a category in a setup.
func (r *Row) in(c Category, setup int) bool { return r.Judgements[setup].Category == c }

// Count is the number of setups in which the metric is of a category.
func (r *Row) Count(c Category) int {
	n := 0
	for i := range r.Judgements {
		if r.in(c, i) {
			n++
		}
	}
	return n
}

// confidence is the mean of that of the setups in which the metric is reliable.
func (r *Row) confidence() float64 {
	sum := 0.0
	for i := range r.Judgements {
		if r.in(Reliable, i) {
			sum += r.Judgements[i].Confidence
		}
	}
	return ratio(sum, float64(r.Count(Reliable)), 0)
}

// Choice is a set of metrics that together cover setups: in each of those at
// least one of them is reliable.
type Choice struct {
	Rows    []*Row
	Covered []bool // by setup
}

// Covers is the number of setups covered.
func (c *Choice) Covers() int { return covered(c.Covered) }

// mostChosen bounds the exhaustive search; the thesis never needed more than three.
const mostChosen = 4

// choose finds the smallest set of candidates that covers as many setups as all
// of them do. Of equal sets it takes the one with most reliable judgements,
// then of most types, then of most partially reliable judgements, then the
// surest, then the first.
func choose(candidates []*Row, setups int) Choice {
	candidates = slices.DeleteFunc(slices.Clone(candidates), func(r *Row) bool { return r.Count(Reliable) == 0 })
	all := covers(candidates, setups)
	target := covered(all)
	best := Choice{Covered: make([]bool, setups)}
	for size := 1; size <= mostChosen && best.Covers() < target; size++ {
		combine(candidates, size, nil, func(set []*Row) {
			c := Choice{Rows: set, Covered: covers(set, setups)}
			if better(&c, &best) {
				c.Rows = slices.Clone(set)
				best = c
			}
		})
	}
	return best
}

// combine calls f with every set of the size that extends the given one.
func combine(rest []*Row, size int, set []*Row, f func([]*Row)) {
	if size == 0 {
		f(set)
		return
	}
	for i := range rest {
		if len(rest)-i < size {
			return
		}
		combine(rest[i+1:], size-1, append(set, rest[i]), f)
	}
}

func covers(rows []*Row, setups int) []bool {
	all := make([]bool, setups)
	for _, r := range rows {
		for i := range all {
			all[i] = all[i] || r.in(Reliable, i)
		}
	}
	return all
}

func covered(setups []bool) int {
	n := 0
	for _, c := range setups {
		if c {
			n++
		}
	}
	return n
}

// better compares sets; a set of another size only wins by covering more.
func better(a, b *Choice) bool {
	if d := cmp.Compare(a.Covers(), b.Covers()); d != 0 || len(a.Rows) != len(b.Rows) {
		return d > 0
	}
	merits := func(c *Choice) [4]float64 {
		var m [4]float64
		types := map[string]bool{}
		for _, r := range c.Rows {
			m[0] += float64(r.Count(Reliable))
			types[r.Metric.Type] = true
			m[2] += float64(r.Count(Partial))
			m[3] += r.confidence()
		}
		m[1] = float64(len(types))
		return m
	}
	x, y := merits(a), merits(b)
	return slices.Compare(x[:], y[:]) > 0
}

// companion is the best candidate of another type for a set that has only one: a verdict must not depend on
// one kind of metric alone. nil if there is none.
func companion(c *Choice, candidates []*Row) *Row {
	if len(c.Rows) == 0 {
		return nil
	}
	kind := c.Rows[0].Metric.Type
	if slices.ContainsFunc(c.Rows, func(r *Row) bool { return r.Metric.Type != kind }) {
		return nil
	}
	var best *Row
	for _, r := range candidates {
		if r.Metric.Type == kind || r.Count(Reliable) == 0 {
			continue
		}
		if best == nil || better(&Choice{Rows: []*Row{r}}, &Choice{Rows: []*Row{best}}) {
			best = r
		}
	}
	return best
}
