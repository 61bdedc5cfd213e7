// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"fmt"
	"slices"
)

// clients reads which programs that are no tiers hold connections to tiers.
func (q *querier) clients(apps map[string]*Application) {
	for _, s := range q.vector("group by (app, tier, client) (last_over_time(" + q.over("nstar_tier_client_info", "") +
		"))") {
		if a := apps[label(s.Metric, "app")]; a != nil {
			if a.Clients == nil {
				a.Clients = make(map[string][]string)
			}
			client := label(s.Metric, "client")
			a.Clients[client] = append(a.Clients[client], label(s.Metric, "tier"))
			slices.Sort(a.Clients[client])
		}
	}
}

// mayBeWorkers says which of the neighbours of the given names hold connections to tiers: they may be the application's
// own workers, whose work is no noise. It is empty if none does.
func (d diagnosis) mayBeWorkers(names []string) string {
	for _, name := range names {
		if tiers := d.Clients[name]; tiers != nil {
			return fmt.Sprintf(" A program %s holds connections to %s: if it is a worker of %s, it needs processors, "+
				"too. Then more of them help, or fewer workers.", name, list(tiers), d.Name)
		}
	}
	return ""
}
