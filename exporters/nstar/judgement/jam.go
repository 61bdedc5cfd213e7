// SPDX-License-Identifier: Apache-2.0

package judgement

import "time"

// jam finds a tier of which all places are taken for good. Its requests waited for places (a pool, workers, a lock),
// and then nothing goes on any more, while all of them sleep. A stop from outside looks the same. But it would be an
// accident if it came just then, and the kernel sees most of these.
type jam struct {
	places, all float64 // excess of the last seconds that waited for a place, and all of it; decayed
	to          string  // where the places are
}

// add takes the charges of a window in which the tier did not stand still.
func (m *jam) add(charges []Charge, width time.Duration) {
	keep := remaining(width, jamMemory)
	m.places, m.all = m.places*keep, m.all*keep
	for _, c := range charges {
		m.all += c.Queue
		if c.Cause == SoftResource || c.Cause == Place {
			m.places += c.Queue
			m.to = c.To
		}
	}
}

// jammed reports whether a tier that seems to stand still waits for places instead.
func (t *Tier) jammed(p *pending, work Work) bool {
	m := &t.jam
	return p.frozen == Stopped && p.stopped < pauseShare && work.Asleep >= hardlyAnyWork*p.own &&
		m.places*t.width.Seconds() >= leastPlaced && m.places >= jamShare*m.all
}

const (
	jamMemory = 2 * time.Second // half-life
	jamShare  = 0.5
)
