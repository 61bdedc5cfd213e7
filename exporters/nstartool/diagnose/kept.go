// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"fmt"
	"math"
)

// keeps finds a pool that may limit the calls that requests in the bottleneck wait for, although the pool leads to
// another tier. It has as many connections as calls are under way at most, while more connections are open to the tier
// that is called. If a tier keeps a connection to one tier (as for a transaction) while it calls another one, it makes
// no more calls at a time than it has of those connections.
func (d diagnosis) keeps() (calls, pool Edge, ok bool) {
	calls, _ = d.place()
	most := calls.Peak
	if calls.Limit != nil {
		most = *calls.Limit
	}
	if calls.To == "" || calls.Connections == nil || most < 1 || *calls.Connections < 1.5*most {
		return calls, pool, false
	}
	for _, e := range d.Edges {
		if e.From == calls.From && e.To != calls.To && e.Connections != nil && *e.Connections == math.Round(most) &&
			e.Peak <= *e.Connections && // otherwise requests share them
			e.asOften(calls) {
			return calls, e, true
		}
	}
	return calls, pool, false
}

// asOften reports whether requests use these connections about as often as they make the other calls, as far as is
// known: all that call keep a connection.
func (e Edge) asOften(calls Edge) bool {
	return e.Calls == nil || calls.Calls == nil || e.Calls.Now >= calls.Calls.Now/2
}

// blameKept says that a pool is kept while another tier is called.
func (d diagnosis) blameKept(calls, pool Edge) string {
	return fmt.Sprintf("%s hardly ever has more than %s to %s under way, though %.0f connections are open and %s has "+
		"time. It has the same number of connections to %s, and may keep one of them while it calls %s: %s",
		calls.From, atATime(*pool.Connections), calls.To, *calls.Connections, calls.To, pool.To, calls.To,
		d.cost("in "+calls.From+" for a connection to "+pool.To, ""))
}

// cureKept is what helps against such a pool.
func (d diagnosis) cureKept(calls, pool Edge) string {
	set := ""
	if p := d.Programs[calls.From]; p.Pool != "" {
		set = fmt.Sprintf(" (in %s: %s)", p.in(calls.From), p.Pool)
	}
	return fmt.Sprintf("Raise the pool of connections from %s to %s%s, of which there are %.0f now, or keep none of "+
		"them while %s is called. If this pool is not the limit, it is the number of worker threads of %s. More "+
		"connections to %s gain nothing.",
		calls.From, pool.To, set, *pool.Connections, calls.To, calls.From, calls.To)
}
