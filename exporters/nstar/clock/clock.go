// SPDX-License-Identifier: Apache-2.0

// Package clock keeps the window clock: the kernel's monotonic clock plus an offset that follows the wall clock, so
// that windows end on wall-clock multiples of their width and agree between hosts.
package clock

import (
	"time"

	"golang.org/x/sys/unix"
)

// Slew is the rate at which the offset follows small corrections of the wall clock: slow enough that no window's width
// is off by more than half a thousandth.
const Slew = 0.0005

// Step is the difference from which the offset jumps instead: the wall clock was set.
const Step = 500 * time.Millisecond

// Offset is the distance between the window clock and CLOCK_MONOTONIC.
type Offset struct {
	value   time.Duration
	updated time.Duration // monotonic
}

// NewOffset starts at the wall clock.
func NewOffset(wall, monotonic time.Duration) *Offset {
	return &Offset{value: wall - monotonic, updated: monotonic}
}

// Value is the current offset.
func (o *Offset) Value() time.Duration { return o.value }

// Follow moves the offset towards the wall clock and reports whether it had to jump.
func (o *Offset) Follow(wall, monotonic time.Duration) (stepped bool) {
	limit := time.Duration(float64(monotonic-o.updated) * Slew)
	o.updated = monotonic
	diff := wall - monotonic - o.value
	if diff >= Step || diff <= -Step {
		o.value += diff
		return true
	}
	o.value += min(max(diff, -limit), limit)
	return false
}

// Monotonic reads CLOCK_MONOTONIC as the kernel programs do, outside of all time namespaces.
func Monotonic() time.Duration {
	var ts unix.Timespec
	// CLOCK_MONOTONIC always exists
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts)
	return time.Duration(ts.Nano()) - namespaceOffset()
}

// Wall reads the time since the epoch.
func Wall() time.Duration { return time.Duration(time.Now().UnixNano()) }
