// SPDX-License-Identifier: Apache-2.0

package gc

import (
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
)

// readSafepoints adds what the machines tell since the scan before. Tiers without a machine are forgotten.
func (c *Machines) readSafepoints() {
	before := c.safepoints
	c.safepoints = make(map[discovery.TierName]time.Duration)
	for _, m := range c.machines {
		if m.jvm == nil {
			continue
		}
		d, ok, err := m.jvm.Safepoints()
		if err != nil || !ok { // one that is gone is found out by the next poll
			continue
		}
		if _, known := c.safepoints[m.tier]; !known {
			c.safepoints[m.tier] = before[m.tier]
		}
		c.safepoints[m.tier] += d - m.safepoints
		m.safepoints = d
	}
}

// Safepoints is for how long a tier's machines kept their threads at safepoints that were no collection, added up over
// machines, as of the last scan; false where none of them tells.
func (c *Machines) Safepoints(tier discovery.TierName) (time.Duration, bool) {
	d, ok := c.safepoints[tier]
	return d, ok
}
