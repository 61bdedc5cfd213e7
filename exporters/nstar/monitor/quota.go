// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/judgement"
)

// Throttled is the cause of waiting for processors that a CPU quota does not allow. It is told from outside of the
// judgement, which knows of no control groups: whatever looks there like more work than the tier can do, or like a
// stop.
const Throttled judgement.Cause = "throttled"

const (
	// throttledSpan is a span over which a quota is looked at: ten of its usual periods.
	throttledSpan = time.Second
	// throttledWholly is the share of that span from which all such waiting is the quota's fault: a tier that was
	// throttled for a tenth of the time has used up its quota in one period after another, or in one of them early.
	throttledWholly = 0.1
)

// throttle takes the next window's share.
func (w *whys) throttle(share float64) {
	w.throttled = append(w.throttled, share)
	if over := len(w.throttled) - max(1, int(throttledSpan/w.width)); over > 0 {
		w.throttled = w.throttled[over:]
	}
}

// quota is the share of the tier's waiting that a quota is to blame for, in the window that is judged now: causes are
// read when states are known.
func (w *whys) quota() float64 {
	sum := 0.0
	for _, share := range w.throttled {
		sum += share
	}
	return min(1, sum/throttledSpan.Seconds()*w.width.Seconds()/throttledWholly)
}

// chargeQuota moves a share of what looks like the tier's own work, a stop, or others on its processors to its quota:
// threads that may not run are ready to all the same.
func chargeQuota(j *judgement.Judged, share float64) {
	if share <= 0 {
		return
	}
	taken := 0.0
	for i := range j.Charges {
		switch c := &j.Charges[i]; c.Cause {
		case judgement.Demand, judgement.Untold, judgement.Stopped, judgement.NoisyNeighbour, judgement.Starved:
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
