// SPDX-License-Identifier: Apache-2.0

package causes

import "github.com/nstar-project/nstar/exporters/nstar/window"

func init() {
	register("disk", "Time that the tier's threads waited for a disk in the window, in seconds per second: 2 is two "+
		"threads.", openDisk)
}

// disk is the time that a tier's threads wait for block devices: the kernel's in_iowait, which also counts
// delayacct_blkio_ticks.
type disk struct{ *shared }

func openDisk(s *shared) (Collector, error) {
	s, err := s.scheduler()
	return disk{s}, err
}

func (c disk) Share(tier window.Station, w Window) float64 {
	return c.ratio(c.times(tier, w.Index).Disk)
}
