// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"path"
	"strings"
)

// code reads what the tiers' interpreters and virtual machines run.
func (q *querier) code(apps map[string]*Application) {
	for _, s := range q.vector("group by (app, tier, code) (last_over_time(" +
		q.over("nstar_tier_code_info", "") + "))") {
		if a := apps[label(s.Metric, "app")]; a != nil {
			if a.Code == nil {
				a.Code = map[string]string{}
			}
			a.Code[label(s.Metric, "tier")] = label(s.Metric, "code")
		}
	}
}

// writeCode says what the tiers of the first table run: of several tiers named java, which is which.
func writeCode(e *sticky, a Answer) {
	if a.ResponseTime == nil {
		return
	}
	var runs []string
	for _, t := range a.ResponseTime.Mean.Tiers {
		if code := a.Code[t.Tier]; code != "" && !a.folded[t.Tier] && path.Base(code) != t.Tier {
			runs = append(runs, t.Tier+" runs "+code)
		}
	}
	if len(runs) > 0 {
		e.printf("Of these, %s.\n", strings.Join(runs, "; "))
	}
}
