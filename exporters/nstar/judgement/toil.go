// SPDX-License-Identifier: Apache-2.0

package judgement

// toil is whether a tier was at work in the two windows that were judged last, with what its callers wait for: a long
// statement of a database, of which one is there at a time, gives no answer for a while, beyond what is known of the
// short ones. That is no stall.
type toil struct {
	last   int64
	worked [2]bool // in that window, and in the one before
}

func (t *toil) note(index int64, worked bool) {
	before := t.worked[0] && index == t.last+1
	t.last, t.worked = index, [2]bool{worked, before}
}

// in reports whether it was at work in a window, or in the one before where that is the last one judged.
func (t *toil) in(index int64) bool {
	switch index - t.last {
	case 0, 1:
		return t.worked[0]
	case -1:
		return t.worked[1]
	}
	return false
}

// SetJudges says where the judges of other tiers are found, by their names; nil where this exporter has none.
func (t *Tier) SetJudges(of func(tier string) *Tier) { t.judgeOf = of }

// behind is the judge of a tier behind; nil where this exporter has none.
func (t *Tier) behind(to string) *Tier {
	if t.judgeOf == nil {
		return nil
	}
	return t.judgeOf(to)
}

// isFull reports whether a tier behind is known to have all the processor time that it can have.
func (t *Tier) isFull(to string) bool {
	behind := t.behind(to)
	return behind != nil && behind.filled.now()
}

// isAtWork reports whether a tier behind is known to have been at work in a window. It may be judged before or after
// this one.
func (t *Tier) isAtWork(to string, index int64) bool {
	behind := t.behind(to)
	return behind != nil && behind.toiled.in(index)
}
