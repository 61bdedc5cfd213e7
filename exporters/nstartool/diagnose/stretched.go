// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"fmt"
	"slices"
)

// Stretched is a tier in which requests have taken far longer than usual for half a minute. If few requests of the
// application need it, its mean response time hardly shows that, while some users wait.
type Stretched struct {
	Tier string
	// Now and Usual are in seconds for a request of the tier.
	Now, Usual float64
	// Visits are requests of the tier for one of the application.
	Visits float64
}

const (
	stretchedTimes   = 3.    // as long as usual
	stretchedSeconds = 0.010 // longer
	hardlyShows      = 0.1   // of the mean response time
)

// stretched reads which tiers those are.
func (q *querier) stretched(apps map[string]*Application) {
	own := "min by (app, tier) (min_over_time(" + q.selector("nstar:tier_own_time:mean15s", "") + "[30s]))"
	usual := "min by (app, tier) (" + q.selector("nstar:tier_usual_own_residence:seconds", "") + ")"
	visits := "(sum by (app, tier) (" + q.selector("nstar:tier_throughput:requests_per_second15s", "") +
		") / on (app) group_left () " + q.selector("nstar:app_throughput:requests_per_second15s", "") + " > 0)"
	took := q.perTier(fmt.Sprintf("%s / %s >= %g * %s", own, visits, stretchedTimes, usual))
	if len(took) == 0 { // mostly so
		return
	}
	usually, visited := q.perTier(usual), q.perTier(visits)
	for key, now := range took {
		s := Stretched{Tier: key[1], Now: now, Usual: usually[key], Visits: visited[key]}
		if a := apps[key[0]]; a != nil && s.Usual > 0 && s.Now-s.Usual >= stretchedSeconds {
			a.Stretched = append(a.Stretched, s)
		}
	}
	for _, a := range apps {
		slices.SortFunc(a.Stretched, func(x, y Stretched) int {
			return cmp.Or(cmp.Compare(y.Now-y.Usual, x.Now-x.Usual), cmp.Compare(x.Tier, y.Tier))
		})
	}
}

// someWait says that requests take far longer than usual in a tier that few of them need; empty if they don't.
func (d diagnosis) someWait() string {
	if len(d.Stretched) == 0 {
		return ""
	}
	s := d.Stretched[0]
	if d.forOutside(s.Tier) >= mostOutside {
		return theyWait(s.Tier)
	}
	few := ""
	if s.Visits < 1 {
		few = fmt.Sprintf(" Only %s of the requests need it", percent(s.Visits))
		if s.Visits*(s.Now-s.Usual) < hardlyShows*d.total() {
			few += ", so that the mean response time hardly shows this"
		}
		few += "."
	}
	look := "Look at what its threads wait for (a lock, a connection of a pool: a thread dump tells), its log, and " +
		"what was changed there."
	if t, _ := d.time(s.Tier); t.Cost.times() >= grown {
		look = d.askWhy([]string{capital(t.takesMore()) + "."})
	}
	return fmt.Sprintf("Nothing is known to be at its limit. But each request of %s takes %s there now, %s as long as "+
		"usual.%s %s", s.Tier, millis(s.Now), times(s.Now/s.Usual), few, look)
}
