// SPDX-License-Identifier: Apache-2.0

package judgement

// unseen follows a destination whose calls may be out of sight: a broker of messages, or several requests at once
// inside TLS. Requests that wait there are taken for the caller's own.
type unseen struct {
	given    bool    // a connection turned out to be of that kind
	answered float64 // calls that were seen to be answered since
	open     float64 // connections
}

// add takes the calls of a window.
func (u *unseen) add(c Calls) {
	u.open = c.Connections
	if c.Unmeasured > 0 {
		u.given, u.answered = true, 0
		return
	}
	u.answered += c.Answered
}

// seen calls say that a destination is called over other connections, and only some of them, as tunnels for browsers,
// can't be measured.
const seen = 3

// hides reports whether calls to the destination are out of sight.
func (u *unseen) hides() bool { return u.given && u.open > 0 && u.answered < seen }

// mayWaitUnseen is how many of a window's requests may wait for an answer that can't be seen: those that sleep, where
// the tier has a connection of that kind and no thread is busy for which they could wait instead.
func (t *Tier) mayWaitUnseen(p *pending) float64 {
	hidden := false
	for _, d := range t.destinations {
		hidden = hidden || d.unseen.hides()
	}
	if !hidden {
		return 0
	}
	if w, ok := t.contention.of(p.Index); ok {
		if w.Ran+w.Waited >= runs {
			return 0
		}
		return min(w.Asleep, p.own)
	}
	if l := t.load(p.Index); l != nil && l.sleepy() {
		return p.own
	}
	return 0
}
