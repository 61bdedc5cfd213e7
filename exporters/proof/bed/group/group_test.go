// SPDX-License-Identifier: Apache-2.0

package group

import (
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"
	"time"
)

// A program runs in its groups from its first instruction on, takes limits, and outlives the groups.
func TestGroups(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root makes control groups")
	}
	for _, controller := range []string{"cpu", "blkio", "freezer"} {
		t.Run(controller, func(t *testing.T) {
			g, err := New(controller, "proof-test")
			if err != nil {
				t.Skip(err)
			}
			defer g.Remove()
			argv := append(g.Enter(), "sh", "-c", "echo here; exec sleep 60")
			c := exec.Command(argv[0], argv[1:]...)
			out, err := c.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() {
				_ = c.Process.Kill()
				_ = c.Wait()
			}()
			if _, err := out.Read(make([]byte, 8)); err != nil {
				t.Fatal(err)
			}
			if pids, err := g.Processes(); err != nil || !slices.Equal(pids, []int{c.Process.Pid}) {
				t.Errorf("processes %v (%v), want %d", pids, err, c.Process.Pid)
			}
			limit(t, controller, g)
			g.Remove()
			if _, err := os.Stat(g.dir); err == nil {
				t.Error("the group is still there")
			}
			if err := c.Process.Signal(syscall.Signal(0)); err != nil {
				t.Error("the program has ended with its group: ", err)
			}
		})
	}
}

// limit sets a controller's limits, others, and none.
func limit(t *testing.T, controller string, g *Group) {
	t.Helper()
	var errs []error
	switch controller {
	case "cpu":
		errs = append(errs, g.Quota(0.02, 5*time.Millisecond), g.Quota(2, UsualPeriod),
			g.Quota(0.5, 5*time.Millisecond),
			g.Quota(0, UsualPeriod), g.Weight(1), g.Weight(10000))
	case "blkio":
		device, err := Device("/")
		_, read := g.HasRead(device)
		errs = append(errs, err, read, g.Reads(device, 100), g.Writes(device, 100), g.Reads(device, 0),
			g.Writes(device, 0))
	case "freezer":
		errs = append(errs, g.Freeze(true), g.Freeze(false))
	}
	for _, err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
}
