// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
)

// block is one start of the servers: a setup, as it is or with a tier bigger, under all its numbers of clients once.
type block struct {
	setup setup
	grown string // the tier that is bigger; empty for none
	run   int    // the repetition, from 1
}

// point is one number of clients in a block.
type point struct {
	setup, grown string
	run, clients int
}

// order is all blocks of a campaign, repetition by repetition, with bigger tiers in the first ones, so that an
// interrupted one has whole repetitions; in each the order is random, but the same for the same seed and setups. With
// the seed alone, campaigns of one setup each would all have the same order, and measure one of the blocks always last.
func order(setups []setup, names []string, o options) []block {
	var out []block
	seed := fnv.New64a()
	for _, s := range setups {
		fmt.Fprintln(seed, s.name)
	}
	for run := 1; run <= o.repetitions; run++ {
		var round []block
		for _, s := range setups {
			round = append(round, block{s, "", run})
			for _, name := range names {
				if run <= o.growths {
					round = append(round, block{s, name, run})
				}
			}
		}
		shuffle(round, o.seed^seed.Sum64(), run)
		out = append(out, round...)
	}
	return out
}

func shuffle[T any](list []T, seed uint64, run int) {
	r := rand.New(rand.NewPCG(seed, uint64(run)))
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}

// points are those of the block in random order: every level of the setup as it is; if a tier is bigger, only levels
// beyond the capacity, because there its gain shows which tier limits.
func (b block) points(levels []int, seed uint64) []point {
	if b.grown != "" {
		levels = beyond(levels)
	}
	var out []point
	for _, n := range levels {
		out = append(out, point{b.setup.name, b.grown, b.run, n})
	}
	shuffle(out, seed, b.run)
	return out
}

// remaining are the points of the block that were not measured yet.
func (b block) remaining(s *store, o options) []point {
	return slices.DeleteFunc(b.points(s.levels(b.setup.name), o.seed), s.has)
}

// beyond are two levels far beyond the capacity.
func beyond(levels []int) []int {
	n := len(levels)
	if n < 2 {
		return levels
	}
	return levels[n-2:]
}

// usualLevels is about how many levels a setup has, before it was calibrated.
const usualLevels = 15

// missing counts the points that are left to measure.
func missing(blocks []block, s *store, o options) int {
	n := 0
	for _, b := range blocks {
		switch {
		case len(s.levels(b.setup.name)) > 0:
			n += len(b.remaining(s, o))
		case b.grown != "":
			n += len(beyond(make([]int, usualLevels)))
		case o.levels > 0:
			n += o.levels
		default:
			n += usualLevels
		}
	}
	return n
}

// series are the numbers of clients that any setup may have, each a fifth more than the one before: setups share them,
// so that a number can be left out of all.
var series = []int{1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82, 100, 120, 150, 180, 220, 270,
	330,
	390, 470, 560, 680, 820, 1000}

// around selects the levels of a setup that saturates at about this number of clients: all levels near to it, where
// the shift is, and every second one below and beyond, from a tenth of it to six times as many. With four times as
// many, seven of 14 setups of a real application had only two points on the server's side, and three are the minimum.
func around(saturating float64, most int) []int {
	var out []int
	skipped := 0
	for _, n := range series {
		at := float64(n) / saturating
		apart := 1
		switch {
		case at < 0.1 || at > 6.2:
			continue
		case at < 0.5, at > 1.5:
			apart = 2
		}
		if skipped++; len(out) > 0 && skipped < apart {
			continue
		}
		out, skipped = append(out, n), 0
	}
	return thin(out, most)
}

// thin keeps this many levels, evenly, with the first and the last; all for 0.
func thin(levels []int, most int) []int {
	if most <= 1 || len(levels) <= most {
		return levels
	}
	var out []int
	for i := range most {
		out = append(out, levels[int(math.Round(float64(i*(len(levels)-1))/float64(most-1)))])
	}
	return slices.Compact(out)
}
