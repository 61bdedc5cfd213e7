// SPDX-License-Identifier: Apache-2.0

package judging

import "github.com/nstar-project/nstar/exporters/nstar/judgement"

// Throttled is the cause of waiting for processors that a CPU quota does not allow. It is added outside of the
// judgement, which does not know control groups. There this wait looks like more work than the tier can do, or like a
// stop.
const Throttled judgement.Cause = "throttled"

// chargeQuota moves a share of some charges to the tier's quota: charges for the tier's own work, for a stop, for
// others on its processors, and for too few workers of its own. Threads that the quota stops are ready to run all the
// same, and keep their requests.
func chargeQuota(j *judgement.Judged, share float64) {
	if share <= 0 {
		return
	}
	taken := 0.0
	for i := range j.Charges {
		c := &j.Charges[i]
		if c.To != "" { // the requests wait for another tier
			continue
		}
		switch c.Cause {
		case judgement.Demand, judgement.Slow, judgement.UnknownCause, judgement.Stopped, judgement.NoisyNeighbour,
			judgement.Starved, judgement.SoftResource:
			taken += share * c.Queue
			c.Queue -= share * c.Queue
		}
	}
	if taken > 0 {
		j.Charges = append(j.Charges, judgement.Charge{Cause: Throttled, Queue: taken})
	}
	for i := range j.Edges {
		if e := &j.Edges[i]; e.Cause == judgement.Stopped || e.Cause == judgement.NoisyNeighbour {
			j.Edges = append(j.Edges, judgement.EdgeCharge{To: e.To, Cause: Throttled, Queue: share * e.Queue})
			j.Edges[i].Queue -= share * j.Edges[i].Queue
		}
	}
}
