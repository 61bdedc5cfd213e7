// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/nstar-project/nstar/exporters/nstar/cgroups"
)

// group is a control group that was made for a tier's processes, of whichever version the machine has.
type group struct {
	dir, top string
	first    bool // version 1
	pids     []int
}

// newGroup makes a group of a name below the root of a controller's hierarchy and moves processes into it.
func newGroup(controller, name string, pids []int) (*group, error) {
	top, first, err := hierarchy(controller)
	if err != nil {
		return nil, err
	}
	if enable := map[string]string{"cpu": "+cpu", "blkio": "+io"}[controller]; !first && enable != "" {
		if err := os.WriteFile(filepath.Join(top, "cgroup.subtree_control"), []byte(enable), 0); err != nil {
			return nil, err
		}
	}
	g := &group{dir: filepath.Join(top, "nstar-"+name), top: top, first: first, pids: pids}
	if err := os.Mkdir(g.dir, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, err
	}
	return g, g.move(g.dir)
}

// hierarchy finds where a controller is mounted.
func hierarchy(controller string) (top string, first bool, err error) {
	mounted, err := cgroups.Of("/proc/self")
	if err != nil {
		return "", false, err
	}
	if dir, ok := mounted.V1[controller]; ok {
		return dir, true, nil
	}
	if top = mounted.Top(); top == "" {
		return "", false, fmt.Errorf("no control groups for %s", controller)
	}
	return top, false, nil
}

func (g *group) move(to string) error {
	for _, pid := range g.pids {
		err := os.WriteFile(filepath.Join(to, "cgroup.procs"), []byte(fmt.Sprint(pid)), 0)
		if err != nil && !errors.Is(err, syscall.ESRCH) { // it ended
			return err
		}
	}
	return nil
}

// remove moves the processes back to the root, from where the proof started them.
func (g *group) remove() {
	_ = g.move(g.top)
	_ = os.Remove(g.dir)
}

// set writes one setting.
func (g *group) set(name, value string) error {
	return os.WriteFile(filepath.Join(g.dir, name), []byte(value), 0)
}

// quotaPeriod in microseconds is the kernel's own, and quotaLeast what it allows.
const (
	quotaPeriod = 100000
	quotaLeast  = 1000
)

// quota allows so many processors; 0 any.
func (g *group) quota(processors float64) error {
	allowed := max(quotaLeast, int(processors*quotaPeriod))
	switch {
	case g.first && processors == 0:
		return g.set("cpu.cfs_quota_us", "-1")
	case g.first:
		return g.set("cpu.cfs_quota_us", fmt.Sprint(allowed))
	case processors == 0:
		return g.set("cpu.max", "max")
	}
	return g.set("cpu.max", fmt.Sprintf("%d %d", allowed, quotaPeriod))
}

// weight gives the group's processes a share of the processors, from 1 to 10,000, beside other groups; 100 is the usual.
func (g *group) weight(n int) error {
	if g.first { // 1024 is the usual
		return g.set("cpu.shares", fmt.Sprint(n*1024/100))
	}
	return g.set("cpu.weight", fmt.Sprint(n))
}

// frozen stops the processes of the group, or lets them go on.
func (g *group) frozen(on bool) error {
	if g.first {
		return g.set("freezer.state", map[bool]string{true: "FROZEN", false: "THAWED"}[on])
	}
	return g.set("cgroup.freeze", map[bool]string{true: "1", false: "0"}[on])
}
