// SPDX-License-Identifier: Apache-2.0

package judgement

// recentWork remembers whether a tier was at work in the two windows that were judged last, on the requests for which
// its callers wait. A long statement of a database, one at a time, gives no answer for a while, longer than is usual
// for the short statements. That is no stall.
type recentWork struct {
	last   int64
	worked [2]bool // in the window last, and in the one before
}

func (t *recentWork) note(index int64, worked bool) {
	before := t.worked[0] && index == t.last+1
	t.last, t.worked = index, [2]bool{worked, before}
}

// in reports whether the tier was at work in a window. For the window after the last one judged, the last one counts.
func (t *recentWork) in(index int64) bool {
	switch index - t.last {
	case 0, 1:
		return t.worked[0]
	case -1:
		return t.worked[1]
	}
	return false
}

// SetJudges sets how to find the judges of other tiers by name; the function returns nil if this exporter has none.
func (t *Tier) SetJudges(of func(tier string) *Tier) { t.judgeOf = of }

// behind is the judge of a tier behind; nil if this exporter has none.
func (t *Tier) behind(to string) *Tier {
	if t.judgeOf == nil {
		return nil
	}
	return t.judgeOf(to)
}

// isFull reports whether a tier behind is known to have all the processor time that it can get.
func (t *Tier) isFull(to string) bool {
	behind := t.behind(to)
	return behind != nil && behind.filled.now()
}

// isAtWork reports whether a tier behind is known to have been at work in a window. That tier may be judged before or
// after this one.
func (t *Tier) isAtWork(to string, index int64) bool {
	behind := t.behind(to)
	return behind != nil && behind.recentWork.in(index)
}
