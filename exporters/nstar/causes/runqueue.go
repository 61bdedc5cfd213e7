// SPDX-License-Identifier: Apache-2.0

package causes

import "github.com/nstar-project/nstar/exporters/nstar/window"

func init() {
	register("runqueue", "Time that the tier's threads were ready to run in the window and waited for a processor, "+
		"in seconds per second: 2 is two threads.", openRunQueue)
}

// runqueue is the time that a tier's threads wait for a processor.
type runqueue struct{ *shared }

func openRunQueue(s *shared) (Collector, error) {
	s, err := s.scheduler()
	return runqueue{s}, err
}

func (c runqueue) Share(tier window.Station, w Window) float64 {
	return c.ratio(c.times(tier, w.Index).Waited)
}
