// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// cgroup gives a tier its share of the processors, and of the disk: one directory per controller in cgroup
// v1, one for both in v2.
type cgroup struct {
	processors, disk string // directories; no disk where the controller is not there
	unified          bool
}

// root of the control groups.
const cgroups = "/sys/fs/cgroup"

// leastPeriod is short, so that a tier that has used its share waits for milliseconds, not for whole windows. Linux
// takes no quota below leastQuota, so that small shares need longer periods.
const (
	leastPeriod = 5 * time.Millisecond
	leastQuota  = time.Millisecond
)

// quota is a share of so many processors as a time in each period, in microseconds.
func quota(share float64, processors int) (us, period int64) {
	all := share * float64(processors)
	length := max(leastPeriod, time.Duration(float64(leastQuota)/all))
	return max(leastQuota.Microseconds(), int64(all*float64(length.Microseconds()))), length.Microseconds()
}

// newCgroup makes a group of its own below the root.
func newCgroup(name string) (*cgroup, error) {
	g := &cgroup{}
	if controllers, err := os.ReadFile(filepath.Join(cgroups, "cgroup.controllers")); err == nil {
		if !strings.Contains(string(controllers), "cpu") {
			return nil, fmt.Errorf("%s has no controller cpu", cgroups)
		}
		for _, c := range []string{"+cpu", "+io"} { // they may be there already
			_ = os.WriteFile(filepath.Join(cgroups, "cgroup.subtree_control"), []byte(c), 0)
		}
		g.unified = true
		g.processors = filepath.Join(cgroups, name)
		if strings.Contains(string(controllers), "io") {
			g.disk = g.processors
		}
		return g, os.MkdirAll(g.processors, 0o755)
	}
	g.processors = filepath.Join(cgroups, "cpu", name)
	if err := os.MkdirAll(g.processors, 0o755); err != nil {
		return nil, fmt.Errorf("no control groups for shares of processors: %w", err)
	}
	if disk := filepath.Join(cgroups, "blkio", name); os.MkdirAll(disk, 0o755) == nil {
		g.disk = disk
	}
	return g, nil
}

// share is how much of so many processors the group may use.
func (g *cgroup) share(of float64, processors int) error {
	us, period := quota(of, processors)
	if g.unified {
		return write(g.processors, "cpu.max", fmt.Sprintf("%d %d", us, period))
	}
	// A quota of an earlier period may be too much for a shorter one.
	if err := write(g.processors, "cpu.cfs_quota_us", "-1"); err != nil {
		return err
	}
	if err := write(g.processors, "cpu.cfs_period_us", fmt.Sprint(period)); err != nil {
		return err
	}
	return write(g.processors, "cpu.cfs_quota_us", fmt.Sprint(us))
}

// disks limits the operations per second on the device that holds a directory.
func (g *cgroup) disks(limits disk, directory string) error {
	if g.disk == "" {
		return fmt.Errorf("no control group for disks")
	}
	var stat unix.Stat_t
	if err := unix.Stat(directory, &stat); err != nil {
		return err
	}
	device := fmt.Sprintf("%d:%d", unix.Major(stat.Dev), unix.Minor(stat.Dev))
	for _, limit := range []struct {
		perSecond int
		v1, v2    string // the file, and the key
	}{
		{limits.reads, "blkio.throttle.read_iops_device", "riops"},
		{limits.writes, "blkio.throttle.write_iops_device", "wiops"},
	} {
		file, text := limit.v1, fmt.Sprintf("%s %d", device, limit.perSecond)
		if g.unified {
			file, text = "io.max", fmt.Sprintf("%s %s=%d", device, limit.v2, limit.perSecond)
		}
		if limit.perSecond == 0 {
			continue
		}
		if err := write(g.disk, file, text); err != nil {
			return err
		}
	}
	return nil
}

// enter is put before a command line so that it runs in the group from its first instruction on.
func (g *cgroup) enter() []string {
	script := "echo $$ >'" + filepath.Join(g.processors, "cgroup.procs") + "'"
	if g.disk != "" && g.disk != g.processors {
		script += " && echo $$ >'" + filepath.Join(g.disk, "cgroup.procs") + "'"
	}
	return []string{"sh", "-c", script + ` && exec "$@"`, "sh"}
}

// remove ends the group; its processes have ended.
func (g *cgroup) remove() {
	for _, directory := range []string{g.processors, g.disk} {
		if directory != "" {
			_ = os.Remove(directory) // an empty group that stays costs nothing
		}
	}
}

func write(directory, file, text string) error {
	if err := os.WriteFile(filepath.Join(directory, file), []byte(text), 0); err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	return nil
}
