// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"fmt"
	"math"
)

// Unread is the requests that a tier has accepted and not begun to read, of all its servers together.
type Unread struct {
	Tier    string
	Waiting float64 // connections that hold some, on average
}

// worthReading is the number of them, on average, from which they are told of. While a server reads, one waits for less
// than a millisecond.
const worthReading = 1

// unread reads them.
func (q *querier) unread(apps map[string]*Application) {
	q.growing(apps, "nstar_tier_unread_seconds_total", worthReading, func(a *Application, tier string, rate float64) {
		a.Unread = append(a.Unread, Unread{tier, rate})
	})
}

// whyUnread is why a tier reads nothing: it does not run, if that is most of what is charged to it, and as much as
// the waiting.
func (d diagnosis) whyUnread(u Unread) string {
	var most Excess
	for _, e := range d.Blame {
		if e.Tier == u.Tier && e.Seconds > most.Seconds && e.Seconds*d.Throughput >= u.Waiting/2 {
			most = e
		}
	}
	switch most.Cause {
	case causeStopped:
		if d.halves() && u.Tier == d.finding.Tier {
			return "the process that has them is stopped"
		}
		return "meanwhile it stands still"
	case causeThrottled:
		return "meanwhile its CPU quota is used up"
	case causeCollection:
		return "meanwhile it collects garbage"
	case causeNeighbour:
		return "meanwhile something else has its processors"
	}
	return "its threads are all taken or wait for processors, or its event loop is busy"
}

// unbegun says for which tiers requests wait in that way. The reason is left out if the sentence about the accept queue
// already has it.
func (d diagnosis) unbegun() (notes []string) {
	for _, u := range d.Unread {
		// More than are in the tier on average: they were there before the time that the table tells of.
		if t, _ := d.time(u.Tier); !d.influential(u.Tier) || u.Waiting > 2*t.Own*d.Throughput {
			continue
		}
		n := math.Round(u.Waiting)
		text := fmt.Sprintf("%s: on average %.0f requests are accepted, but the server has not begun to read them",
			u.Tier, n)
		if n == 1 {
			text = u.Tier + ": on average one request is accepted, but the server has not begun to read it"
		}
		if !d.overflows(u.Tier) {
			text += ": " + d.whyUnread(u)
			if more := d.unaccepted(u.Tier); more != "" {
				text += "; " + more
			}
		}
		notes = append(notes, text+".")
	}
	return notes
}
