// SPDX-License-Identifier: Apache-2.0

package diagnose

import "fmt"

// farMoreAsked is how many times as many requests as usual are worth a sentence.
const farMoreAsked = 1.5

// usualAfter is how many evaluations of the throughput it takes to know which one is usual: two minutes.
const usualAfter = 24

// usualLoad reads how many requests a second are usual.
func (q *querier) usualLoad(apps map[string]*Application) {
	expr := fmt.Sprintf("%s and count_over_time(%s[1h]) >= %d",
		q.selector("nstar:app_usual_throughput:requests_per_second", ""),
		q.selector("nstar:app_throughput:requests_per_second15s", ""), usualAfter)
	for _, s := range q.vector(expr) {
		if a := apps[label(s.Metric, "app")]; a != nil {
			a.UsualThroughput = float64(s.Value)
		}
	}
}

// moreAsked says that far more requests come than usual, if something is wrong; empty otherwise.
func (d diagnosis) moreAsked() string {
	if d.finding.Verdict == Healthy || d.UsualThroughput <= 0 || d.Throughput < farMoreAsked*d.UsualThroughput {
		return ""
	}
	return fmt.Sprintf("%s serves %s; %s is usual, so that the load may be the reason.", d.Name, per(d.Throughput),
		per(d.UsualThroughput))
}
