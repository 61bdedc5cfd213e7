// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"fmt"
	"math"
)

// Accept is the connections that wait until a tier accepts them, of all its servers together.
type Accept struct {
	Tier    string
	Waiting float64 // on average
	Limit   float64 // most that may wait; 0 if unknown
	Refused float64 // packets that were dropped because the queue was full
	Now     float64 // that wait in the last 15 s: the average hides a queue that has just filled
}

// worthAccepting is the number of connections that wait, on average, from which they are told of. While a server
// accepts, a connection waits for less than a millisecond.
const worthAccepting = 1

// accepts reads the accept queues.
func (q *querier) accepts(apps map[string]*Application) {
	refused := q.perTier(q.growth("nstar_tier_accept_overflows_total"))
	limits := q.perTier("sum by (app, tier) (last_over_time(" +
		q.over("nstar_tier_accept_queue_limit_connections", "") + "))")
	now := q.perTier("sum by (app, tier) (rate(" + q.selector("nstar_tier_accept_queue_seconds_total", "") + "[15s]))")
	waiting := fmt.Sprintf("sum by (app, tier) (rate(%s)) >= %d", q.over("nstar_tier_accept_queue_seconds_total", ""),
		worthAccepting)
	for _, s := range q.vector(waiting) {
		key := tierOf(s)
		if a := apps[key[0]]; a != nil {
			a.Accepts = append(a.Accepts, Accept{key[1], float64(s.Value), limits[key], refused[key], now[key]})
		}
	}
}

// hardlyAccepts reports whether the tier never accepted most of the requests that are in the tier itself. They wait
// for a worker. Each worker may have a call under way, so that the calls look like a pool at its cap.
func (d diagnosis) hardlyAccepts(tier string) bool {
	for _, a := range d.Accepts {
		if t, ok := d.time(tier); a.Tier == tier && ok {
			return a.Waiting >= t.Own*d.Throughput/2
		}
	}
	return false
}

// unaccepted says how many connections wait for a worker of the tier; empty if these are few or not measured.
func (d diagnosis) unaccepted(tier string) string {
	for _, a := range d.Accepts {
		if a.Tier != tier {
			continue
		}
		n := math.Round(a.Waiting)
		text := fmt.Sprintf("on average %.0f connections wait to be accepted", n)
		if n == 1 {
			text = "on average one connection waits to be accepted"
		}
		if a.Limit > 0 {
			text += fmt.Sprintf(", of at most %.0f", a.Limit)
		}
		if a.Refused >= 1 {
			text += fmt.Sprintf("; further connections were refused %.0f times", a.Refused)
		}
		return text
	}
	return ""
}
