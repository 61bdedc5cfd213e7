// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"fmt"
	"time"
)

// A rate over rateWindow is above zero for that long after the last answer. Nobody asks an application that has had no
// answers for silenceLeast since then, if unansweredLeast would have been usual in that time, and no request is there.
const (
	rateWindow      = 15 * time.Second
	silenceLeast    = 20 * time.Second
	unansweredLeast = 30
)

// silences reads since when applications have had no requests. Nothing is said of hosts whose exporter is gone.
func (q *querier) silences(apps map[string]*Application) {
	answers := q.selector("nstar:app_throughput:requests_per_second15s", "")
	last := q.lastSeen("app", answers+" > 0")
	for _, s := range q.vector(last + " and on (app) " + answers + " == 0 unless on (app) " +
		q.selector("nstar:app_queue_length:mean15s", "") + " > 0") {
		if a := apps[label(s.Metric, "app")]; a != nil {
			a.Silent = moment(s.Value).Add(-rateWindow)
		}
	}
}

// silent says since when there have been no requests, if that is unusual; empty otherwise.
func (d diagnosis) silent() string {
	if d.Silent.IsZero() {
		return ""
	}
	since := d.observed.To.Sub(d.Silent)
	if since < silenceLeast || since.Seconds()*d.Throughput < unansweredLeast {
		return ""
	}
	return fmt.Sprintf("%s has had no requests since about %s: all that is said here is about the time before.", d.Name,
		d.clock(d.Silent))
}
