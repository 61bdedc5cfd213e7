// SPDX-License-Identifier: Apache-2.0

package judgement

// turns counts how often the longer queue changes sides between a tier and one that it calls. In RAB section 4 the
// bottleneck moves from one to the other many times a minute.
type turns struct {
	behind bool // the longer queue is at the tier behind
	begun  bool // one of the two was longer at some time
	count  uint64
}

// look takes a window's own queue and the calls outstanding. The turn goes to the other side when its queue is twice as
// long and longer by four requests. The rules that name a bottleneck call the same too much. Short queues change sides
// by chance.
func (t *turns) look(own, outstanding float64) {
	var behind bool
	switch {
	case own >= 2*outstanding && own-outstanding >= turnRequests:
	case outstanding >= 2*own && outstanding-own >= turnRequests:
		behind = true
	default:
		return
	}
	if t.begun && behind != t.behind {
		t.count++
	}
	t.behind, t.begun = behind, true
}

const turnRequests = 4

// Turns is how often the longer queue has changed sides between this tier and the calls to a destination.
func (t *Tier) Turns(to string) uint64 {
	for _, d := range t.destinations {
		if d.to == to {
			return d.turns.count
		}
	}
	return 0
}
