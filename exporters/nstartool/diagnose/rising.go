// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"fmt"
	"time"

	"github.com/prometheus/common/model"
)

// A verdict is about a minute, so that it takes a while to see what has just begun.
const (
	// risen is the multiple of the mean response time, and risenAtAll the number of seconds more, from which on the
	// last seconds are worth a sentence. A smaller multiple (risenLess) is enough if the difference is large
	// (risenMuch).
	risen, risenAtAll    = 3, 0.01
	risenLess, risenMuch = 2, 0.025
)

// latest reads how long requests took in the last 15 s, or in the 10 s of the newest windows, which are a few seconds
// newer than what is recorded, if that is more.
func (q *querier) latest(apps map[string]*Application) {
	through := " / sum by (app) (" + q.selector("nstar:app_throughput:requests_per_second15s", "") + " > 0)"
	for _, queue := range []string{
		"sum by (app) (" + q.selector("nstar:app_queue_length:mean15s", "") + ")",
		// without those that no request of the application waits for, such as workers that ask for a job
		"sum by (app) (avg_over_time(" + q.selector("nstar_window_own_queue_length", "") + "[10s])" +
			" * on (app, tier) group_left () " + q.selector("nstar:tier_asked:ratio15s", "") + ")",
	} {
		for _, s := range q.vector(queue + through) {
			if a := apps[label(s.Metric, "app")]; a != nil {
				a.Latest = max(a.Latest, float64(s.Value))
			}
		}
	}
	queue := q.selector("nstar_window_own_queue_length", "")
	for _, s := range q.vector("sum by (app) (avg_over_time(" + queue + "[5s])) < 0.5 * sum by (app) (avg_over_time(" +
		queue + "[15s]))") {
		if a := apps[label(s.Metric, "app")]; a != nil {
			a.Passed = true
		}
	}
}

// rising reports whether requests take far longer now than while it was healthy.
func (d diagnosis) rising() bool {
	total := d.total()
	more := d.Latest - total
	return total > 0 && !d.Passed && (d.Latest >= risen*total && more >= risenAtAll ||
		d.Latest >= risenLess*total && more >= risenMuch)
}

// lately is the sentence about such a rise.
func (d diagnosis) lately() string {
	return fmt.Sprintf("%s: something has just begun, and Nstar does not know yet what it is. In the last 15 seconds "+
		"requests took %s, %s as long as before.", d.Name, millis(d.Latest), times(d.Latest/d.total()))
}

// justNamed says what is named now, if that was not so for long enough to be the verdict in place of healthy; otherwise
// it is empty.
func (d diagnosis) justNamed() string {
	last, found := d.last()
	if d.finding.Verdict != Healthy || !found || last.Verdict == Healthy || last.Verdict == Learning {
		return ""
	}
	what := words(last.Finding)
	if t, _ := d.time(last.Tier); last.Cause == causeDemand && t.dearBelowLimit() {
		what = "the requests of " + last.Tier + " take " + times(t.Cost.times()) + " the processor time"
	}
	return fmt.Sprintf("%s: %s, for %s so far, which is too short to be sure.", d.Name, what,
		model.Duration(max(time.Second, lastly(d.Evaluations))))
}
