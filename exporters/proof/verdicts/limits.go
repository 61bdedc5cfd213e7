// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/bed/group"
)

// observed is how long a tier is watched to see what it uses.
const observed = 2 * time.Second

// throttle gives a tier a CPU quota of a share of what it uses under the load, until the run ends.
func throttle(tier string, share float64) func(*stack) error {
	return func(s *stack) error {
		if realTime() > 0 {
			return errors.New("a CPU quota does not hold for real-time processes: run this without chrt")
		}
		g, err := s.group("cpu", tier)
		if err != nil {
			return err
		}
		if err := g.Quota(0, group.UsualPeriod); err != nil { // of an earlier run
			return err
		}
		used := func() (seconds float64) {
			for _, pid := range s.pids(tier) {
				seconds += known(bed.CPUSeconds(pid)) + known(bed.EndedChildrenSeconds(pid))
			}
			return seconds
		}
		before := used()
		time.Sleep(observed)
		return g.Quota(share*(used()-before)/observed.Seconds(), group.UsualPeriod)
	}
}

// slowDisk lets a tier's disk do a share of the reads that it does under the load, until the run ends.
func slowDisk(tier string, share float64) func(*stack) error {
	return func(s *stack) error {
		g, err := s.group("blkio", tier)
		if err != nil {
			return err
		}
		device, err := group.Device(s.dir)
		if err != nil {
			return err
		}
		if err := g.Reads(device, 0); err != nil { // of an earlier run
			return err
		}
		before, err := g.HasRead(device)
		if err != nil {
			return err
		}
		time.Sleep(observed)
		after, err := g.HasRead(device)
		if err != nil {
			return err
		}
		if after == before {
			return fmt.Errorf("%s reads nothing from its disk, so that a slow one would hurt nobody", tier)
		}
		return g.Reads(device, max(1, int(share*(after-before)/observed.Seconds())))
	}
}

// ungroup removes the control groups of tiers.
func (s *stack) ungroup() {
	for _, g := range s.groups {
		g.Remove()
	}
	s.groups = nil
}

// group moves a tier's processes into a control group that is removed when the servers have ended.
func (s *stack) group(controller, tier string) (*group.Group, error) {
	g, err := group.Of(controller, "verdicts-"+tier, s.pids(tier))
	if err == nil {
		s.groups = append(s.groups, g)
	}
	return g, err
}
