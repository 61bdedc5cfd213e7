// SPDX-License-Identifier: Apache-2.0

package gc

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
)

// fakeMachine writes what a Java virtual machine with this process id would show.
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

// interval is the time between two searches for machines.
const interval = 5 * time.Second

// followed is how many machines are read, and how many times the files of the others were opened.
func (c *Machines) followed() (n, tries int) {
	for _, m := range c.machines {
		if m.jvm != nil {
			n++
		}
		tries = max(tries, m.tries)
	}
	return n, tries
}

// Any number of processes that look like Java virtual machines has a limited cost, and those beyond the limit are
// counted.
func TestManyMachines(t *testing.T) {
	real, err := os.ReadFile("../../hsperf/testdata/jdk17-g1.hsperf")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	tier := discovery.Tier{App: "a", Name: "java", JVM: true}
	for pid := range int32(200) {
		fakeMachine(t, root, pid+1, real)
		tier.PIDs = append(tier.PIDs, pid+1)
	}
	c := NewMachines(root, slog.New(slog.DiscardHandler))
	defer c.Close()
	found := discovery.Snapshot{Tiers: []discovery.Tier{tier}}
	now := time.Hour
	for scan := 1; scan <= 40; scan++ {
		c.Follow(found, now)
		now += interval
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

// A file that never becomes ready or valid is read more and more rarely.
func TestMachineThatNeverStarts(t *testing.T) {
	real, err := os.ReadFile("../../hsperf/testdata/jdk17-g1.hsperf")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	real[7] = 0 // not accessible yet
	fakeMachine(t, root, 1, real)
	c := NewMachines(root, slog.New(slog.DiscardHandler))
	defer c.Close()
	found := discovery.Snapshot{Tiers: []discovery.Tier{{App: "a", Name: "java", JVM: true, PIDs: []int32{1}}}}
	var now time.Duration
	for now = time.Hour; now < 2*time.Hour; now += interval / 20 {
		c.Follow(found, now)
	}
	if _, tries := c.followed(); tries < 10 || tries > 20 {
		t.Errorf("tried %d times in an hour", tries)
	}
	if !c.Up() {
		t.Error("a machine that starts is no want of rights")
	}
	real[7] = 1
	fakeMachine(t, root, 1, real)
	c.Follow(found, now+lastRetry)
	if n, _ := c.followed(); n != 1 {
		t.Error("it is not followed when it is ready")
	}
}

// A machine whose counters can't be read is logged once, and has no ratio.
func TestNoCounters(t *testing.T) {
	var log strings.Builder
	tier := discovery.Tier{App: "a", Name: "jvm", JVM: true, PIDs: []int32{999999}}
	c := NewMachines(t.TempDir(), slog.New(slog.NewTextHandler(&log, nil)))
	for scan := range 3 {
		c.Follow(discovery.Snapshot{Tiers: []discovery.Tier{tier}}, time.Hour+time.Duration(scan)*interval)
	}
	if n := strings.Count(log.String(), "No garbage collection counters"); n != 1 {
		t.Errorf("said %d times:\n%s", n, log.String())
	}
	if r := c.Ratio(tier.FullName(), 0, 10*time.Millisecond); !math.IsNaN(r) {
		t.Errorf("ratio %g", r)
	}
	if c.Up() {
		t.Error("up, though the only machine can't be read")
	}
	c.Follow(discovery.Snapshot{}, 0)
	if !c.Up() {
		t.Error("not up without any machine")
	}
	if len(c.machines) != 0 || c.Any() {
		t.Error("the machine was not forgotten")
	}
}

// A tier's time at safepoints is the sum over its machines, and continues when one of them ends.
func TestSafepointsOfTiers(t *testing.T) {
	real, err := os.ReadFile("../../hsperf/testdata/jdk17-g1.hsperf")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	// more makes the machine stay at safepoints for longer.
	more := func(pid int32, d time.Duration) {
		t.Helper()
		// sun.rt.safepointTime of the recording
		at := bytes.Index(real, binary.LittleEndian.AppendUint64(nil, 906546492))
		if at < 0 {
			t.Fatal("the recording has no such time")
		}
		file := filepath.Join(root, fmt.Sprint(pid), "root", "tmp", "hsperfdata_x", fmt.Sprint(pid))
		f, err := os.OpenFile(file, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteAt(binary.LittleEndian.AppendUint64(nil, uint64(906546492+d)), int64(at)); err != nil {
			t.Fatal(err)
		}
	}
	tier := discovery.Tier{App: "a", Name: "java", JVM: true, PIDs: []int32{1, 2}}
	for _, pid := range tier.PIDs {
		fakeMachine(t, root, pid, real)
	}
	c := NewMachines(root, slog.New(slog.DiscardHandler))
	defer c.Close()
	now := time.Hour
	want := func(d time.Duration) {
		t.Helper()
		now += interval
		c.Follow(discovery.Snapshot{Tiers: []discovery.Tier{tier}}, now)
		if got, ok := c.Safepoints(tier.FullName()); got != d || !ok {
			t.Errorf("%v, %v, want %v", got, ok, d)
		}
	}
	want(0)
	more(1, 200*time.Millisecond)
	more(2, 50*time.Millisecond)
	want(250 * time.Millisecond)
	want(250 * time.Millisecond)
	tier.PIDs = tier.PIDs[1:]
	more(2, 60*time.Millisecond)
	want(260 * time.Millisecond)
	c.Follow(discovery.Snapshot{}, now)
	if _, ok := c.Safepoints(tier.FullName()); ok {
		t.Error("a tier that is gone is remembered")
	}
}
