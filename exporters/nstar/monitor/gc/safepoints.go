// SPDX-License-Identifier: Apache-2.0

package gc

import (
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
)

// readSafepoints adds what the machines report since the last scan. Tiers without a machine are forgotten.
func (c *Machines) readSafepoints() {
	before := c.safepoints
	c.safepoints = make(map[discovery.TierName]time.Duration)
	for _, m := range c.machines {
		if m.jvm == nil {
			continue
		}
		d, ok, err := m.jvm.Safepoints()
		if err != nil || !ok { // if the machine is gone, the next poll notices
			continue
		}
		if _, known := c.safepoints[m.tier]; !known {
			c.safepoints[m.tier] = before[m.tier]
		}
		c.safepoints[m.tier] += d - m.safepoints
		m.safepoints = d
	}
}

// Safepoints is for how long a tier's machines kept their threads at safepoints that were no collection. It is added up
// over machines, as of the last scan; false if none of them reports it.
func (c *Machines) Safepoints(tier discovery.TierName) (time.Duration, bool) {
	d, ok := c.safepoints[tier]
	return d, ok
}
