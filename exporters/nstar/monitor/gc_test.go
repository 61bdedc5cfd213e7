// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
)

// fakeMachine writes what a Java virtual machine of this process id would show.
func fakeMachine(t *testing.T, procRoot string, pid int32, counters []byte) {
	t.Helper()
	dir := filepath.Join(procRoot, fmt.Sprint(pid))
	data := filepath.Join(dir, "root", "tmp", "hsperfdata_x")
	if err := os.MkdirAll(data, 0o755); err != nil {
		t.Fatal(err)
	}
	status := fmt.Sprintf("NSpid:\t%d\nUid:\t%[2]d\t%[2]d\t%[2]d\t%[2]d\n", pid, os.Getuid())
	for path, text := range map[string][]byte{
		filepath.Join(dir, "status"): []byte(status), filepath.Join(data, fmt.Sprint(pid)): counters,
	} {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// followed is how many machines are read, and how many times a file was opened for each of the others.
func (c *collections) followed() (n, tries int) {
	for _, m := range c.machines {
		if m.jvm != nil {
			n++
		}
		tries = max(tries, m.tries)
	}
	return n, tries
}

// Any number of processes that look like Java virtual machines costs a bounded amount, and is counted.
func TestManyMachines(t *testing.T) {
	real, err := os.ReadFile("../hsperf/testdata/jdk17-g1.hsperf")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	tier := discovery.Tier{App: "a", Name: "java", JVM: true}
	for pid := range int32(200) {
		fakeMachine(t, root, pid+1, real)
		tier.PIDs = append(tier.PIDs, pid+1)
	}
	c := newCollections(root, slog.New(slog.DiscardHandler))
	defer c.close()
	found := discovery.Snapshot{Tiers: []discovery.Tier{tier}}
	now := time.Hour
	for scan := 1; scan <= 40; scan++ {
		c.follow(found, now)
		now += scanInterval
		n, _ := c.followed()
		if n > scan*mostOpened {
			t.Fatalf("%d machines after scan %d", n, scan)
		}
	}
	bytes := 0
	for _, m := range c.machines {
		if m.jvm != nil {
			bytes += m.jvm.PollBytes()
		}
	}
	if n, _ := c.followed(); bytes > mostPolled || n < 100 || c.refused != uint64(200-n) {
		t.Errorf("%d machines, %d bytes a poll, %d refused", n, bytes, c.refused)
	}
}

// A file that is never ready, or never right, is read ever more rarely.
func TestMachineThatNeverStarts(t *testing.T) {
	real, err := os.ReadFile("../hsperf/testdata/jdk17-g1.hsperf")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	real[7] = 0 // not accessible yet
	fakeMachine(t, root, 1, real)
	c := newCollections(root, slog.New(slog.DiscardHandler))
	defer c.close()
	found := discovery.Snapshot{Tiers: []discovery.Tier{{App: "a", Name: "java", JVM: true, PIDs: []int32{1}}}}
	var now time.Duration
	for now = time.Hour; now < 2*time.Hour; now += readInterval {
		c.follow(found, now)
	}
	if _, tries := c.followed(); tries < 10 || tries > 20 {
		t.Errorf("tried %d times in an hour", tries)
	}
	real[7] = 1
	fakeMachine(t, root, 1, real)
	c.follow(found, now+lastRetry)
	if n, _ := c.followed(); n != 1 {
		t.Error("it is not followed when it is ready")
	}
}
