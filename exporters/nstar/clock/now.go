// SPDX-License-Identifier: Apache-2.0

package clock

import "time"

// Two readings of the monotonic clock with one of the wall clock between them take much less than a microsecond, or a
// few microseconds if each is a system call. If they took longer than promptly, this thread may have been stopped
// between them.
const (
	promptly = 20 * time.Microsecond
	tries    = 10
)

// Now reads the wall clock and CLOCK_MONOTONIC (as Monotonic does) at one moment: a pause of this thread between the
// two would look as if the wall clock had been set.
func Now() (wall, monotonic time.Duration) { return now(Wall, Monotonic) }

// now takes the readings that took least, of a few at most; the wall clock was read half-way at the best guess.
func now(readWall, readMonotonic func() time.Duration) (wall, monotonic time.Duration) {
	var took time.Duration
	before := readMonotonic()
	for i := range tries {
		w := readWall()
		after := readMonotonic()
		if i == 0 || after-before < took {
			took = after - before
			wall, monotonic = w, before+took/2
		}
		if took <= promptly {
			break
		}
		before = after
	}
	return wall, monotonic
}
