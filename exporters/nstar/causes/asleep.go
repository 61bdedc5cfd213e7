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

// asleep are the requests that all threads sleep on: for a lock, for something outside that is not measured, or because
// no worker has taken them yet. Which of the threads works on which request is not known, so each works on one.
type asleep struct{ *shared }

func openAsleep(s *shared) (Collector, error) {
	s, err := s.scheduler()
	return asleep{s}, err
}

func (c asleep) Share(tier window.Station, w Window) float64 { return c.asleep(tier, w) }

// asleep is the own queue less the threads that work or would like to.
func (s *shared) asleep(tier window.Station, w Window) float64 {
	t := s.times(tier, w.Index)
	return max(0, w.Own-s.ratio(t.Ran+t.Waited+t.Disk))
}
