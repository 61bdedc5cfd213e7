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
		share := d.forOutside(t.Tier)
		if share > 0 && d.influential(t.Tier) && share*t.Own >= causeShare*d.total() {
			notes = append(notes, fmt.Sprintf("%s of what %s works on is for clients that are no tiers (jobs, "+
				"scripts, programs on other hosts). They are in its part of the response time here; of the "+
				"application's own requests it is %s.", percent(share), t.Tier, millis((1-share)*t.Own)))
		}
	}
	return notes
}

// ofOthers is the part of the response time that is not of the application's requests; 0 if it is small.
func (d diagnosis) ofOthers() float64 {
	sum := 0.0
	for _, t := range d.Times {
		sum += d.forOutside(t.Tier) * t.Own
	}
	if sum < causeShare*d.total() {
		return 0
	}
	return sum
}

// forOutside is the share of a tier's requests that is for such clients; 0 if it is not told of. Requests that callers
// gave up look the same while the tier still has them, as those of a server that hung and was started again: a few of
// them are enough, if they take longest.
func (d diagnosis) forOutside(tier string) float64 {
	if t, _ := d.time(tier); t.GivenUp >= mayBeGivenUp || d.startedAnew(tier) || d.keepsGivenUp(tier) {
		return 0
	}
	for _, o := range d.Outside {
		if o.Tier == tier {
			return o.Share
		}
	}
	return 0
}

// keepsGivenUp reports whether a tier may still have requests that its callers gave up, though none of them is counted
// as such: it lets them wait, and there are errors. What it answers to a caller that has gone is an answer.
func (d diagnosis) keepsGivenUp(tier string) bool {
	return d.bottleneck() && d.finding.Tier == tier && len(d.Errors) > 0 &&
		(d.finding.Cause == causeStopped || d.finding.Cause == causePlace)
}

// mayBeGivenUp is the share of a tier's requests from which on those that were given up may be most of its work.
const mayBeGivenUp = 0.005

// mostOutside is the share of a tier's work from which on those clients are looked at first.
const mostOutside = 0.5

// clientsOf is where programs show what each of their clients asks for.
var clientsOf = map[string]string{"mariadb": "SHOW FULL PROCESSLIST", "mysql": "SHOW FULL PROCESSLIST",
	"postgres": "pg_stat_activity", "redis": "CLIENT LIST", "derby": "SYSCS_DIAG.TRANSACTION_TABLE",
	"h2": "INFORMATION_SCHEMA.SESSIONS", "hsqldb": "INFORMATION_SCHEMA.SYSTEM_SESSIONS",
	"firebird": "MON$ATTACHMENTS", "clickhouse": "system.processes", "cassandra": "nodetool clientstats"}

// askedByOthers is what to do if most of the bottleneck's work is for clients that are no tiers; empty if it is not.
func (d diagnosis) askedByOthers() string {
	tier, shows := d.finding.Tier, ""
	share := d.forOutside(tier)
	if share < mostOutside {
		return ""
	}
	if words := clientsOf[d.Programs[tier].Name]; words != "" {
		shows = ", which " + words + " shows"
	}
	return fmt.Sprintf("Look at the clients of %s that are no tiers (jobs, scripts, programs on other hosts), and at "+
		"what they ask for%s: %s of its work is for them. "+fewerOthers, tier, shows, percent(share), tier)
}

// theyWait is what to do if they wait in a tier, and hardly anybody else.
func theyWait(tier string) string {
	return fmt.Sprintf("Nothing now: what waits in %s is nearly all of clients that are no tiers. If pages become "+
		"slower, too: "+fewerOthers, tier, tier)
}

// fewerOthers is what helps against them.
const fewerOthers = "Let fewer of them ask at a time, or at another time, or a copy of %s."
