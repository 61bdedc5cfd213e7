// SPDX-License-Identifier: Apache-2.0

package load

import (
	"os"
	"os/exec"
	"testing"
	"time"
)

// What a process starts counts even if it ends before anything reads it. What was read while it lived counts only once.
func TestUsedOfWhatHasEnded(t *testing.T) {
	l := New("/proc")
	me := int32(os.Getpid())
	read := func(pids ...int32) float64 {
		last := make(map[int32]spent)
		used := l.used(pids, last)
		l.last = last
		return used
	}
	computes := func() *exec.Cmd {
		t.Helper()
		c := exec.Command("sh", "-c", "i=0; while [ $i -lt 1000000 ]; do i=$((i+1)); done; sleep 0.5")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		return c
	}
	ends := func(c *exec.Cmd) float64 {
		t.Helper()
		if err := c.Wait(); err != nil {
			t.Fatal(err)
		}
		return (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
	}
	const (
		mine = 0.15 // what this test uses itself, at most
		tick = 0.03 // each of several sums is rounded
	)
	read(me)
	took := ends(computes())
	if took < 4*tick {
		t.Skipf("the child took %v s only", took)
	}
	if got := read(me); got < took-tick || got > took+mine {
		t.Errorf("%v s used, the child alone took %v", got, took)
	}

	c := computes()
	read(me, int32(c.Process.Pid))
	sum := 0.0
	for end := time.Now().Add(20 * time.Second); l.last[int32(c.Process.Pid)].own < 2*mine && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
		sum += read(me, int32(c.Process.Pid))
	}
	took = ends(c)
	sum += read(me, int32(c.Process.Pid)) // the scan has not noticed yet that it is gone
	sum += read(me)
	if sum > took+mine {
		t.Errorf("%v s used, the child took %v", sum, took)
	}
}
