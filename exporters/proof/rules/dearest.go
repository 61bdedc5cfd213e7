// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"slices"
	"time"

	v1 "github.com/prometheus/client_golang/api/prometheus/v1"

	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// dear is what the rules that record one name take: their evaluation time, as a share of the time.
type dear struct {
	name  string
	share float64
}

// dearest measures for a while which rules take most. A server tells the time of each rule's last evaluation only, so
// it is asked every five seconds, the shortest interval of a group of rules.
func dearest(server *bed.Prometheus, most int, measure time.Duration) ([]dear, error) {
	sums := make(map[string]float64)
	asked := 0
	for end := time.Now().Add(measure); time.Now().Before(end); asked++ {
		time.Sleep(5 * time.Second)
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		answer, err := server.API.Rules(ctx, nil)
		cancel()
		if err != nil {
			return nil, err
		}
		for _, group := range answer.Groups {
			for _, rule := range group.Rules {
				switch r := rule.(type) {
				case v1.RecordingRule:
					sums[r.Name] += r.EvaluationTime / group.Interval
				case v1.AlertingRule:
					sums[r.Name] += r.EvaluationTime / group.Interval
				}
			}
		}
	}
	var all []dear
	for name, sum := range sums {
		all = append(all, dear{name, sum / float64(asked)})
	}
	slices.SortFunc(all, func(a, b dear) int {
		return cmp.Or(cmp.Compare(b.share, a.share), cmp.Compare(a.name, b.name))
	})
	return all[:min(most, len(all))], nil
}

// noteDearest measures that for half a minute, and adds it to the report.
func noteDearest(r *figures.Report, server *bed.Prometheus, most int) error {
	rules, err := dearest(server, most, 30*time.Second)
	for _, rule := range rules {
		r.Note("%s: %.2f %%", rule.name, 100*rule.share)
	}
	return err
}
