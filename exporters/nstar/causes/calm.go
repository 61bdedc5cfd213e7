// SPDX-License-Identifier: Apache-2.0

package causes

import "time"

// calm lets a counter that has not moved for long be read less often. The kernel adds up meanwhile: of the first that
// happens then only the moment is known less well, to calmInterval.
type calm struct {
	moved time.Duration // when it moved last, or was first read
	next  time.Duration
}

const (
	calmAfter    = 10 * time.Second
	calmInterval = 100 * time.Millisecond
)

// due reports whether it is time to read the counter.
func (c *calm) due(now time.Duration) bool { return now >= c.next }

// note takes a reading.
func (c *calm) note(now time.Duration, moved bool) {
	if moved || c.moved == 0 {
		c.moved = now
	}
	if c.next = now; now-c.moved > calmAfter {
		c.next = now + calmInterval
	}
}
