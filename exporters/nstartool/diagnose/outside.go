// SPDX-License-Identifier: Apache-2.0

package diagnose

import "fmt"

// Outside is a tier that the application calls, and that also works for clients that are no tiers: jobs, scripts, or
// programs on hosts without an exporter.
type Outside struct {
	Tier  string
	Share float64 // of its requests, as a mean over time, 0 to 1
}

// outsideLeast is the share of these clients from which on they are told of.
const outsideLeast = 0.25

// outside reads for which tiers that is so, of those where no request of the application enters. Clients that only wait
// for a job are not meant.
func (q *querier) outside(apps map[string]*Application) {
	mean := func(metric string) string { return "avg_over_time(" + q.over(metric, `of="all"`) + ")" }
	asked := q.selector("nstar:tier_called_share:ratio1m", "")
	behind := "(" + asked + " >= 0.05 > on (app) group_left () min by (app) (" + asked + "))"
	expr := fmt.Sprintf("(1 - %s / %s >= %g) and on (app, tier) %s unless on (app, tier) %s",
		mean("nstar:tier_called:mean15s"), mean("nstar:tier_requests:mean15s"), outsideLeast, behind,
		q.selector("nstar:tier_idle_clients:mean15s", ""))
	for key, share := range q.perTier(expr) {
		if a := apps[key[0]]; a != nil {
			a.Outside = append(a.Outside, Outside{key[1], min(share, 1)})
		}
	}
}

// forOthers says that a tier's part of the response time is not only that of the application's requests.
func (d diagnosis) forOthers() (notes []string) {
	for _, t := range d.Times {
		for _, o := range d.Outside {
			if o.Tier == t.Tier && d.influential(t.Tier) && o.Share*t.Own >= causeShare*d.total() {
				notes = append(notes, fmt.Sprintf("%s of what %s works on is for clients that are no tiers (jobs, "+
					"scripts, programs on other hosts). They are in its part of the response time here; of the "+
					"application's own requests it is %s.", percent(o.Share), t.Tier, millis((1-o.Share)*t.Own)))
			}
		}
	}
	return notes
}
