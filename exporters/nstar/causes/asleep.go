// SPDX-License-Identifier: Apache-2.0

package causes

import "github.com/nstar-project/nstar/exporters/nstar/window"

// Asleep is the name of the cause.
const Asleep = "asleep"

func init() {
	register(Asleep, "Requests in the tier, on average over the time in the window, that wait for no tier behind and "+
		"on which no thread works: none of its threads runs for them, wants a processor or waits for a disk.",
		openAsleep)
}

// asleep is the number of requests for which no thread does anything but sleep: for a lock, for something outside that
// is not measured, or because no worker has taken them yet. It is not known which thread works on which request, so
// each thread is assumed to work on one.
type asleep struct{ *shared }

func openAsleep(s *shared) (Collector, error) {
	s, err := s.scheduler()
	return asleep{s}, err
}

func (c asleep) Share(tier window.Station, w Window) float64 { return c.asleep(tier, w) }

// asleep is the own queue without as many requests as there are threads that work or want to.
func (s *shared) asleep(tier window.Station, w Window) float64 {
	t := s.times(tier, w.Index)
	return max(0, w.Own-s.ratio(t.Ran+t.Waited+t.Disk))
}
