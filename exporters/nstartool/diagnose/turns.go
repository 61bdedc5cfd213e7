// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"fmt"
	"slices"
)

// oftenTurns is how often a minute the longer queue has to change sides to be told of: a queue that is twice as long as
// the other and longer by four requests is none of chance.
const oftenTurns = 6

// taking says that the queue of a single bottleneck takes turns with that of a neighbour, although the two do not
// move against each other enough for a verdict: requests that one tier holds back come to the other all at once.
func (d diagnosis) taking() string {
	if d.finding.Verdict != SingleBottleneck {
		return ""
	}
	minutes := d.observed.To.Sub(d.observed.From).Minutes()
	var turns []Edge
	for _, e := range d.Edges {
		if e.Turns >= oftenTurns*minutes && (e.From == d.finding.Tier || e.To == d.finding.Tier) {
			turns = append(turns, e)
		}
	}
	if len(turns) == 0 {
		return ""
	}
	e := slices.MaxFunc(turns, func(a, b Edge) int { return cmp.Compare(a.Turns, b.Turns) })
	words := fmt.Sprintf("The longer queue changes sides between %s and %s %.0f times a minute", e.From, e.To,
		e.Turns/minutes)
	if e.Pearson != nil {
		words += fmt.Sprintf(" (correlation %.2f)", *e.Pearson)
	}
	if e.From != d.finding.Tier {
		return words + "."
	}
	while := ""
	switch d.finding.Cause {
	case causeNeighbour:
		var names []string
		for _, n := range d.noise() {
			names = append(names, n.called())
		}
		switch len(names) {
		case 0:
			while = " while something else has its processors"
		case 1:
			while = " while " + names[0] + " has its processors"
		default:
			while = " while " + list(names) + " have its processors"
		}
	case causeCollection, causeStopped, causeThrottled, causeDisk:
		while = " while it is held up"
	}
	return fmt.Sprintf("%s. The requests that pile up in %s%s come to %s all at once.", words, e.From, while, e.To)
}
