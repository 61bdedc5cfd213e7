// SPDX-License-Identifier: Apache-2.0

package judgement

// recentWork remembers whether a tier was at work in the two windows that were judged last, on the requests for which
// its callers wait. A long statement of a database, one at a time, gives no answer for a while, longer than is usual
// for the short statements. That is no stall. It also remembers whether the tier is known to have stood still, as when
// the kernel has seen that a signal stopped it: then its callers need not find that out themselves.
type recentWork struct {
	last  int64
	noted [2]doing // in the window last, and in the one before
}

// doing is what a tier did in a window.
type doing struct{ worked, stood bool }

func (t *recentWork) note(index int64, now doing) {
	var before doing
	if index == t.last+1 {
		before = t.noted[0]
	}
	t.last, t.noted = index, [2]doing{now, before}
}

// in is what the tier did in a window. For the window after the last one judged, the last one counts.
func (t *recentWork) in(index int64) doing {
	switch index - t.last {
	case 0, 1:
		return t.noted[0]
	case -1:
		return t.noted[1]
	}
	return doing{}
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
	return behind != nil && behind.recentWork.in(index).worked
}

// stood reports whether a tier behind is known to have stood still in a window.
func (t *Tier) stood(to string, index int64) bool {
	behind := t.behind(to)
	return behind != nil && behind.recentWork.in(index).stood
}
