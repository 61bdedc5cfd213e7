// SPDX-License-Identifier: Apache-2.0

package hsperf

import (
	"fmt"
	"time"
)

// safepoints follows for how long the machine's threads were kept at safepoints that are no collection, as for thread
// and heap dumps, new code of a debugger or an agent, or code that has to be compiled again.
type safepoints struct {
	begun bool
	// base is the difference of the two counters when they were read first, most the largest one since.
	base, most int64
}

// observe takes the time at safepoints, and in collections, so far. The one that goes on is added to each when it is
// over, to the collections first; so the difference is read when it is largest.
func (s *safepoints) observe(stopped, collecting int64) {
	d := stopped - collecting
	if !s.begun {
		s.begun, s.base, s.most = true, d, d
	}
	s.most = max(s.most, d)
}

// Safepoints reads for how long the machine's threads were held at safepoints without a collection since Open, up to
// the last one that is over (sun.rt.safepointTime minus the pauses of all collectors); false if the machine does not
// report it. In JDK 17 and 21 the time until all threads have stopped is not included: it is in
// sun.rt.safepointSyncTime.
func (j *JVM) Safepoints() (time.Duration, bool, error) {
	if j.layout.safepointAt == 0 || j.layout.countAt > 0 { // its collections can't be told from the others
		return 0, false, nil
	}
	// The value that is written last is read first: a collection that ends between the two readings makes the
	// difference too small, and not too large.
	var b [8]byte
	if n, err := j.file.ReadAt(b[:], int64(j.layout.safepointAt)); n < len(b) {
		return 0, false, fmt.Errorf("%w: cut short: %w", ErrMalformed, err)
	}
	if n, err := j.file.ReadAt(j.buf, int64(j.layout.begin)); n < len(j.buf) {
		return 0, false, fmt.Errorf("%w: cut short: %w", ErrMalformed, err)
	}
	var collecting int64
	for i := range j.collectors {
		collecting += j.layout.counters(j.buf, i).time
	}
	j.safepoints.observe(j.layout.scale(int64(j.layout.order.Uint64(b[:]))), collecting)
	return time.Duration(j.safepoints.most - j.safepoints.base), true, nil
}
