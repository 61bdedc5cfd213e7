// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/proof/bed"
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
		if err := g.quota(0); err != nil { // of an earlier run
			return err
		}
		used := func() (seconds float64) {
			for _, pid := range s.pids(tier) {
				seconds += known(bed.CPUSeconds(pid))
			}
			return seconds
		}
		before := used()
		time.Sleep(observed)
		return g.quota(share * (used() - before) / observed.Seconds())
	}
}

// slowDisk lets a tier's disk do a share of the reads that it does under the load, until the run ends.
func slowDisk(tier string, share float64) func(*stack) error {
	return func(s *stack) error {
		g, err := s.group("blkio", tier)
		if err != nil {
			return err
		}
		var stat unix.Stat_t
		if err := unix.Stat(s.dir, &stat); err != nil {
			return err
		}
		device := fmt.Sprintf("%d:%d", unix.Major(stat.Dev), unix.Minor(stat.Dev))
		if err := g.readsPerSecond(device, 0); err != nil { // of an earlier run
			return err
		}
		before, err := g.reads(device)
		if err != nil {
			return err
		}
		time.Sleep(observed)
		after, err := g.reads(device)
		if err != nil {
			return err
		}
		if after == before {
			return fmt.Errorf("%s reads nothing from its disk, so that a slow one would hurt nobody", tier)
		}
		return g.readsPerSecond(device, max(1, int(share*(after-before)/observed.Seconds())))
	}
}

// group moves a tier's processes into a control group that is removed when the servers have ended.
func (s *stack) group(controller, tier string) (*group, error) {
	g, err := newGroup(controller, "verdicts-"+tier, s.pids(tier))
	if err == nil {
		s.groups = append(s.groups, g)
	}
	return g, err
}

// readsPerSecond allows the group so many reads from a device; 0 any.
func (g *group) readsPerSecond(device string, n int) error {
	if g.first {
		return g.set("blkio.throttle.read_iops_device", fmt.Sprintf("%s %d", device, n))
	}
	allowed := "max"
	if n > 0 {
		allowed = strconv.Itoa(n)
	}
	return g.set("io.max", fmt.Sprintf("%s riops=%s", device, allowed))
}

// reads are how many the group has done from a device.
func (g *group) reads(device string) (float64, error) {
	name := "io.stat"
	if g.first {
		name = "blkio.throttle.io_serviced"
	}
	text, err := os.ReadFile(filepath.Join(g.dir, name))
	if err != nil {
		return 0, err
	}
	return readsOf(string(text), device), nil
}

// readsOf finds them in a file of version 1 ("254:0 Read 12") or 2 ("254:0 rbytes=8 rios=12 ...").
func readsOf(text, device string) float64 {
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) < 3 || fields[0] != device {
			continue
		}
		if fields[1] == "Read" {
			n, _ := strconv.ParseFloat(fields[2], 64)
			return n
		}
		for _, f := range fields[1:] {
			if n, found := strings.CutPrefix(f, "rios="); found {
				out, _ := strconv.ParseFloat(n, 64)
				return out
			}
		}
	}
	return 0
}
