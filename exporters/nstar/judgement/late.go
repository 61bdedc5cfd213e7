// SPDX-License-Identifier: Apache-2.0

package judgement

import "math"

// Bounds of slowness. A tier at its limit has N/N* times its base residence. Between the two it may be either.
const (
	slow  = 4
	quick = 2
)

// late is why calls to a destination take longer than they should in a window: no answer came at all, beyond chance
// (Stalled), or answers take several times as long as they do when there is little to do (Behind). Untold, where they
// may: it has not been seen with little to do, more calls do not mean more answers, and they take longer than the first
// ones did. Empty, where they don't.
func (t *Tier) late(p *pending, i int) Cause {
	if i >= len(p.outstanding) {
		return ""
	}
	d := t.destinations[i]
	switch {
	case p.stalled[i]:
		return Stalled
	case d.tardiness() >= slow && p.outstanding[i] >= slow*(p.outstanding[i]-t.over(p, i, d.rested.base)):
		return Behind
	case math.IsNaN(d.base) && p.outstanding[i] >= 1 && !d.flow.proportional() && !d.onset.lasts():
		return Untold
	}
	return ""
}

// waitsBehind reports whether the requests wait in a tier behind that is slow or stands still.
func (t *Tier) waitsBehind(p *pending) bool {
	for i, n := range p.outstanding {
		if c := t.late(p, i); n >= 1 && (c == Stalled || c == Behind) {
			return true
		}
	}
	return false
}

// chargeLate says how many requests wait for the answers of a destination that come late, but for what a stop of this
// tier left behind there. The destination says so itself where it is measured; for one that nobody measures this is all
// that is known.
func (t *Tier) chargeLate(p *pending, j *Judged, i int) {
	cause := t.late(p, i)
	if cause == "" {
		return
	}
	to, late := t.destinations[i].to, t.over(p, i, t.destinations[i].rested.base)
	for _, s := range j.Waiting.Behind {
		if s.To == to {
			late = min(late, s.Queue)
		}
	}
	for _, e := range j.Edges {
		if e.To == to {
			late -= e.Queue
		}
	}
	if late > 0 {
		j.Edges = append(j.Edges, EdgeCharge{To: to, Cause: cause, Queue: late})
	}
}
