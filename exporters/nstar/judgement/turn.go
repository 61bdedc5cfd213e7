// SPDX-License-Identifier: Apache-2.0

package judgement

// turns counts how often the longer queue changes sides between a tier and one that it calls: RAB section 4 sees the
// bottleneck go from one to the other many times a minute.
type turns struct {
	behind bool // the longer one is there
	begun  bool // one was the longer at some time
	count  uint64
}

// look takes a window's own queue and the calls outstanding. The other side has its turn once its queue is twice as
// long and longer by four requests: what is too much by the rules that name a bottleneck. Short queues change sides by
// chance.
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
