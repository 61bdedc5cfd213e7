// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/nstar/clock"
)

// server starts a process that computes all the time.
func server(t *testing.T) int32 {
	t.Helper()
	c := exec.Command("sh", "-c", "while :; do :; done")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(c.Process.Pid, syscall.SIGCONT)
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	return int32(c.Process.Pid)
}

// watch polls a new collector of one tier for a while and returns its share of that time.
func watch(t *testing.T, open func(*shared) (Collector, error), pid int32, length time.Duration) float64 {
	t.Helper()
	s := &shared{options: Options{ProcRoot: "/proc"}, asked: asked(0)}
	c, err := open(s)
	if err != nil {
		t.Skip(err)
	}
	return look(s, c, pid, length)
}

// look does the same with a collector that already exists.
func look(s *shared, c Collector, pid int32, length time.Duration) float64 {
	s.asked[0] = clock.Monotonic()
	if f, ok := c.(follower); ok {
		f.Follow([]Tier{{App: "shop", Name: "web", PIDs: []int32{pid}}})
	}
	from := clock.Monotonic()
	c.(poller).Poll(from)
	for now := from; now < from+length; { // the last poll is after the end, however slow the machine is
		time.Sleep(20 * time.Millisecond)
		now = clock.Monotonic()
		c.(poller).Poll(now)
	}
	return c.Share(0, Window{From: from, To: from + length})
}

// into makes a control group of version 1 with a controller and puts a process into it.
func into(t *testing.T, controller string, pid int32) (dir string) {
	t.Helper()
	h := findHierarchies("/proc")
	top := h.v1[controller]
	if top == "" {
		t.Skipf("no hierarchy of version 1 for %s", controller)
	}
	dir, err := os.MkdirTemp(top, "nstar-test-")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() {
		_ = os.WriteFile(filepath.Join(top, "cgroup.procs"), []byte(strconv.Itoa(int(pid))), 0)
		if err := syscall.Rmdir(dir); err != nil {
			t.Error(err)
		}
	})
	if err := os.WriteFile(filepath.Join(dir, "cgroup.procs"), []byte(strconv.Itoa(int(pid))), 0); err != nil {
		t.Skip(err)
	}
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0); err != nil {
		t.Fatal(err)
	}
}

// waitFor waits until a file of the kernel contains a text, however slow the machine is.
func waitFor(t *testing.T, path, text string) {
	t.Helper()
	for end := clock.Monotonic() + 30*time.Second; ; time.Sleep(5 * time.Millisecond) {
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(got), text) {
			return
		}
		if clock.Monotonic() > end {
			t.Fatalf("%s says %q, not %q", path, got, text)
		}
	}
}

func TestStoppedBySignal(t *testing.T) {
	pid := server(t)
	if got := watch(t, openStopped, pid, 200*time.Millisecond); got != 0 {
		t.Errorf("stopped for %v of the time before it was", got)
	}
	if err := syscall.Kill(int(pid), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	waitFor(t, fmt.Sprintf("/proc/%d/status", pid), "State:\tT")
	if got := watch(t, openStopped, pid, 300*time.Millisecond); got < 0.8 {
		t.Errorf("stopped for %v of the time", got)
	}
}

// A debugger stops its process without a signal.
func TestStoppedByDebugger(t *testing.T) {
	pid := server(t)
	runtime.LockOSThread() // the thread that seizes a process is its debugger, and no other thread
	defer runtime.UnlockOSThread()
	if err := unix.PtraceSeize(int(pid)); err != nil {
		t.Skipf("no process may be debugged: %v", err)
	}
	if got := watch(t, openStopped, pid, 200*time.Millisecond); got != 0 {
		t.Errorf("stopped for %v of the time before it was", got)
	}
	if err := unix.PtraceInterrupt(int(pid)); err != nil {
		t.Fatal(err)
	}
	waitFor(t, fmt.Sprintf("/proc/%d/status", pid), "State:\tt")
	if got := watch(t, openStopped, pid, 300*time.Millisecond); got < 0.8 {
		t.Errorf("stopped for %v of the time", got)
	}
	var status unix.WaitStatus // a debugger hears of the stop before it lets its process go
	if _, err := unix.Wait4(int(pid), &status, unix.WALL, nil); err != nil || !status.Stopped() {
		t.Fatalf("the debugger hears %v, %v", status, err)
	}
	if err := unix.PtraceDetach(int(pid)); err != nil {
		t.Fatal(err)
	}
	if got := watch(t, openStopped, pid, 200*time.Millisecond); got > 0.1 {
		t.Errorf("stopped for %v of the time after it was let go", got)
	}
}

func TestFrozen(t *testing.T) {
	pid := server(t)
	s := &shared{options: Options{ProcRoot: "/proc"}, asked: asked(0)}
	c, err := openStopped(s)
	if err != nil {
		t.Fatal(err)
	}
	if got := look(s, c, pid, 200*time.Millisecond); got != 0 {
		t.Errorf("frozen for %v of the time in its first control group", got)
	}
	dir := into(t, "freezer", pid)
	if got := look(s, c, pid, 200*time.Millisecond); got != 0 {
		t.Errorf("frozen for %v of the time before it was", got)
	}
	write(t, filepath.Join(dir, "freezer.state"), "FROZEN")
	defer write(t, filepath.Join(dir, "freezer.state"), "THAWED")
	waitFor(t, filepath.Join(dir, "freezer.state"), "FROZEN")
	if got := look(s, c, pid, 300*time.Millisecond); got < 0.8 {
		t.Errorf("frozen for %v of the time", got)
	}
}

// The quota leaves a tenth of a processor. At least half of the time is taken from a process that wants a whole one,
// however busy the machine is otherwise.
func TestThrottledByQuota(t *testing.T) {
	pid := server(t)
	dir := into(t, "cpu", pid)
	if got := watch(t, openThrottled, pid, 200*time.Millisecond); got != 0 {
		t.Errorf("throttled for %v of the time before there was a quota", got)
	}
	write(t, filepath.Join(dir, "cpu.cfs_quota_us"), "2000") // so little that only the quota can be the reason
	if got := watch(t, openThrottled, pid, 2*time.Second); got < 0.5 || got > 1.1 {
		t.Errorf("throttled for %v of the time", got)
	}
}

// The host's own counters. Nothing can be provoked here, but they can be read and are no more than all of the time.
func TestHostCounters(t *testing.T) {
	pid := server(t)
	for name, open := range map[string]func(*shared) (Collector, error){"steal": openSteal, "memory": openMemory,
		"writeback": openWriteback, "frequency": openFrequency} {
		t.Run(name, func(t *testing.T) {
			if got := watch(t, open, pid, 400*time.Millisecond); math.IsNaN(got) || got < 0 || got > 1 {
				t.Errorf("%v of the time", got)
			}
		})
	}
}
