// SPDX-License-Identifier: Apache-2.0

package judgement

import "math"

// Bounds of slowness. At its limit a tier takes N/N* times its base residence. Between the two bounds a tier may be at
// its limit or not.
const (
	slow  = 4
	quick = 2
)

// late is the reason why calls to a destination take longer in a window than they should. Stalled: no answer came at
// all, for longer than chance explains. Behind: answers take several times as long as they do when there is little to
// do. UnknownCause: they may take too long, because the destination was never seen with little to do, more calls do not
// bring more answers, and answers take longer than the first ones did. Empty: calls do not take too long.
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
	case math.IsNaN(d.base) && p.outstanding[i] >= 1 && !d.flow.proportional() && !d.onset.asQuickAsFirst():
		return UnknownCause
	}
	return ""
}

// waitsBehind reports whether requests wait in a tier behind that is slow or stands still.
func (t *Tier) waitsBehind(p *pending) bool {
	for i, n := range p.outstanding {
		if c := t.late(p, i); n >= 1 && (c == Stalled || c == Behind) {
			return true
		}
	}
	return false
}

// chargeLate adds how many requests wait for answers of a destination that come late, without those that a stop of this
// tier left behind there. If the destination is measured, its own exporter reports the same. If it is not, this is all
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
