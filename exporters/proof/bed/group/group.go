// SPDX-License-Identifier: Apache-2.0

// Package group makes control groups for the servers of a proof, of whichever version the machine has, to take
// processor time or a disk from them, or to stop them.
package group

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/nstar-project/nstar/exporters/nstar/cgroups"
)

// Group is a control group of one controller.
type Group struct {
	dir, top string
	first    bool // version 1
}

// New makes a group of a name below the root of a controller's hierarchy: cpu, blkio (io in version 2) or freezer. One
// that is there already is taken.
func New(controller, name string) (*Group, error) {
	top, first, err := hierarchy(controller)
	if err != nil {
		return nil, err
	}
	if enable := map[string]string{"cpu": "+cpu", "blkio": "+io"}[controller]; !first && enable != "" {
		if err := os.WriteFile(filepath.Join(top, "cgroup.subtree_control"), []byte(enable), 0); err != nil {
			return nil, fmt.Errorf("no control groups for %s: %w", controller, err)
		}
	}
	g := &Group{dir: filepath.Join(top, "nstar-"+name), top: top, first: first}
	if err := os.Mkdir(g.dir, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, err
	}
	return g, nil
}

// Of makes a group and moves processes into it.
func Of(controller, name string, pids []int) (*Group, error) {
	g, err := New(controller, name)
	if err != nil {
		return nil, err
	}
	return g, move(g.dir, pids)
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

const members = "cgroup.procs"

func move(to string, pids []int) error {
	for _, pid := range pids {
		err := os.WriteFile(filepath.Join(to, members), []byte(strconv.Itoa(pid)), 0)
		if err != nil && !errors.Is(err, syscall.ESRCH) { // it ended
			return err
		}
	}
	return nil
}

// Enter is put before a command line so that it runs in the group from its first instruction on.
func (g *Group) Enter() []string {
	return []string{"sh", "-c", "echo $$ >'" + filepath.Join(g.dir, members) + `' && exec "$@"`, "sh"}
}

// Processes are those that are in the group.
func (g *Group) Processes() (pids []int, err error) {
	text, err := os.ReadFile(filepath.Join(g.dir, members))
	if err != nil {
		return nil, err
	}
	for _, field := range strings.Fields(string(text)) {
		pid, _ := strconv.Atoi(field)
		pids = append(pids, pid)
	}
	return pids, nil
}

// Remove moves the processes to the root, from where a proof starts them, and ends the group.
func (g *Group) Remove() {
	pids, _ := g.Processes()
	_ = move(g.top, pids)
	_ = os.Remove(g.dir) // an empty group that stays costs nothing
}

// set writes one setting.
func (g *Group) set(name, value string) error {
	if err := os.WriteFile(filepath.Join(g.dir, name), []byte(value), 0); err != nil {
		return fmt.Errorf("%s: %w", value, err)
	}
	return nil
}
