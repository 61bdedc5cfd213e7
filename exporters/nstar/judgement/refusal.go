// SPDX-License-Identifier: Apache-2.0

package judgement

import "time"

// refusal tells a tier whose accept queue is full: connections wait in it until a worker takes them, and for more there
// is no room. Their packets are dropped, and sent again after a second, or three. Until then such a tier is at its
// limit, however much its workers sleep: they may have accepted a connection whose request has to be sent again. That
// is no stop, and nothing unknown.
type refusal struct{ left int } // windows

// add takes a window's work.
func (r *refusal) add(w Work, width time.Duration) {
	if w.Refused > 0 && w.Unaccepted >= 1 {
		r.left = int(sentAgain / width)
		return
	}
	r.left = max(0, r.left-1)
}

// now reports whether that is so.
func (r *refusal) now() bool { return r.left > 0 }

// takesNoMore reports whether connections wait to be accepted though the tier's processors have time: all of its
// workers are taken. How long requests take then says nothing of what they take without waiting.
func (t *Tier) takesNoMore(w Work) bool { return w.Unaccepted >= 1 && !t.filled.wants() }

// sentAgain is for how long what was refused may take to come again: Linux tries after one second, and after two more.
const sentAgain = 3 * time.Second
