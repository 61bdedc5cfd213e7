// SPDX-License-Identifier: Apache-2.0

package causes

import "github.com/nstar-project/nstar/exporters/nstar/window"

// CPU is the name of processor time.
const CPU = "cpu"

func init() {
	register(CPU, "Processor time of the tier's threads in the window, in seconds per second: 2 is two processors.",
		openCPU)
}

// cpu is the processor time of a tier's threads.
type cpu struct{ *shared }

func openCPU(s *shared) (Collector, error) {
	s, err := s.scheduler()
	return cpu{s}, err
}

func (c cpu) Share(tier window.Station, w Window) float64 { return c.ratio(c.times(tier, w.Index).Ran) }
