// SPDX-License-Identifier: Apache-2.0

package judgement

import "time"

// mute follows for how long a tier has given no answer though it has requests. A server all of whose threads wait for
// each other looks like one that has too few workers: all are taken and asleep, and connections wait to be accepted.
// But a limit lets requests through one after the other.
type mute struct {
	answered bool // at least once
	windows  int  // since then, with requests
}

// add takes a window's own queue and completions.
func (m *mute) add(own, completions float64) {
	switch {
	case completions > 0:
		m.answered, m.windows = true, 0
	case own > 0:
		m.windows++
	}
}

// hangs reports whether the tier gave no answer for so long that its workers are not at work on long requests.
func (m *mute) hangs(width time.Duration) bool { return time.Duration(m.windows)*width >= hangs }

// hangs is how long nothing must be answered: a limit would let one of many requests through in this time.
const hangs = 30 * time.Second
