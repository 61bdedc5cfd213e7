// SPDX-License-Identifier: Apache-2.0

package judgement

import "time"

// refusal finds a tier whose accept queue is full: connections wait in it until a worker takes them, and there is no
// room for more. The packets of further connections are dropped, and sent again after a second, or after three. Until
// then the tier is at its limit, however much its workers sleep: they may have accepted a connection whose request has
// to be sent again. That is neither a stop nor an unknown cause.
type refusal struct{ left int } // windows

// add takes a window's work.
func (r *refusal) add(w Work, width time.Duration) {
	if w.Refused > 0 && w.Unaccepted >= 1 {
		r.left = int(sentAgain / width)
		return
	}
	r.left = max(0, r.left-1)
}

// now reports whether the tier refuses connections, or did so within sentAgain.
func (r *refusal) now() bool { return r.left > 0 }

// takesNoMore reports whether connections wait to be accepted though the tier's processors have time: all of its
// workers are taken. The time that requests take then does not show what they take without waiting.
func (t *Tier) takesNoMore(w Work) bool { return w.Unaccepted >= 1 && !t.filled.wants() }

// sentAgain is how long it may take until something that was refused is sent again: Linux tries after one second, and
// again after two more.
const sentAgain = 3 * time.Second
