// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// lacking reads how many connections the bottleneck had, and how many calls were under way at most: the median of the
// time in which it was named for a pool or a limit. A pool that has been raised since was too small then.
func (q *querier) lacking(apps map[string]*Application) {
	q.whileNamed(apps, causePlace, func(a *Application, tier string, then *querier) {
		median := func(metric string, take func(e *Edge, value float64)) {
			for _, s := range then.median("sum by (to) (" + then.selector(metric, "from="+strconv.Quote(tier)) + ")") {
				for i := range a.Edges {
					if e := &a.Edges[i]; e.From == tier && e.To == label(s.Metric, "to") {
						take(e, float64(s.Value))
					}
				}
			}
		}
		median("nstar_window_edge_connections", func(e *Edge, n float64) { e.Connections = &n })
		median("nstar:edge_peak:mean15s", func(e *Edge, n float64) { e.Peak = n })
	})
}

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
	pool, ok = d.poolOf(most, calls)
	return calls, pool, ok
}

// poolOf finds connections from the caller to another tier, as many as these calls are under way at most. Requests that
// wait to make such a call may wait for one of these connections.
func (d diagnosis) poolOf(most float64, calls Edge) (pool Edge, ok bool) {
	for _, e := range d.Edges {
		if e.From == calls.From && e.To != calls.To && e.Connections != nil && *e.Connections == math.Round(most) &&
			e.Peak <= *e.Connections && // otherwise requests share them
			e.asOften(calls) {
			return e, true
		}
	}
	return pool, false
}

// mayKeep names the other tiers that the requests that wait call, whose connections they may keep: a pool may be the
// limit though more connections than that are open, some of which are not of this pool.
func (d diagnosis) mayKeep(calls Edge) string {
	var others []string
	for _, e := range d.Edges {
		if e.From == calls.From && e.To != calls.To && e.asOften(calls) && e.Connections != nil &&
			*e.Connections >= *calls.Limit {
			others = append(others, e.To)
		}
	}
	if len(others) == 0 {
		return ""
	}
	return fmt.Sprintf(", or a pool of connections to %s that are kept while %s is called",
		strings.Join(others, " or "), calls.To)
}

// asOften reports whether requests use these connections about as often as they make the other calls, as far as is
// known: all that call keep a connection.
func (e Edge) asOften(calls Edge) bool {
	return e.Calls == nil || calls.Calls == nil || e.Calls.Now >= calls.Calls.Now/2
}

// blameKept says that a pool is kept while another tier is called.
func (d diagnosis) blameKept(calls, pool Edge) string {
	return fmt.Sprintf("%s hardly ever has more than %s to %s under way, though %.0f connections are open and %s has "+
		"time. It has just as many connections to %s as calls under way, %.0f, and may keep one of them while it "+
		"calls %s: %s",
		calls.From, atATime(*pool.Connections), calls.To, *calls.Connections, calls.To, pool.To, *pool.Connections,
		calls.To,
		d.cost("in "+calls.From+" for a connection to "+pool.To, ""))
}

// cureKept is what helps against such a pool.
func (d diagnosis) cureKept(calls, pool Edge) string {
	set := ""
	if pool := d.poolTo(calls.From, pool.To); pool != "" {
		set = fmt.Sprintf(" (in %s: %s)", d.Programs[calls.From].in(calls.From), pool)
	}
	return fmt.Sprintf("Raise the pool of connections from %s to %s%s, of which there are %.0f now, or keep none of "+
		"them while %s is called. If this pool is not the limit, it is the number of worker threads of %s. More "+
		"connections to %s gain nothing.",
		calls.From, pool.To, set, *pool.Connections, calls.To, calls.From, calls.To)
}
