// SPDX-License-Identifier: Apache-2.0

package judgement

import "slices"

// Forget drops a destination to which no connection leads any more, with all that was learned of it, because new
// destinations may appear every minute.
func (t *Tier) Forget(to string) {
	at := slices.IndexFunc(t.destinations, func(d *destination) bool { return d.to == to })
	if at < 0 {
		return
	}
	t.destinations = slices.Delete(t.destinations, at, at+1)
	delete(t.calls, to)
	for i := range t.pending {
		p := &t.pending[i]
		p.outstanding, p.calls = without(p.outstanding, at), without(p.calls, at)
		p.stalled, p.unpromisedCalls = without(p.stalled, at), without(p.unpromisedCalls, at)
	}
}

// without drops an element. Windows that came before a destination have no element for it.
func without[T any](of []T, at int) []T {
	if at >= len(of) {
		return of
	}
	return slices.Delete(of, at, at+1)
}
