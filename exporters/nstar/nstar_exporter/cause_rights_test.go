// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"kernel.org/pub/linux/libs/security/libcap/cap"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
	"github.com/nstar-project/nstar/exporters/nstar/clock"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/hsperf"
)

// asCollectors makes this test's binary open the collectors of causes with the rights that it has, and print the
// result. Its value is a process of another user that looks like a Java virtual machine.
const asCollectors = "NSTAR_TEST_AS_COLLECTORS"

// collected is what it prints.
type collected struct {
	Up       map[string]bool // by cause, when they had been opened
	Measured map[string]bool // collectors with figures of this program's own tier, after all rights were given up
	Machine  bool            // the other user's counters of garbage collection can be read
	Others   bool            // the network namespace of that process can be told
	Log      []string        // lines, while they were opened
}

const rightsWindow = 50 * time.Millisecond

// collectorsMain is that program.
func collectorsMain(machine string) {
	if err := json.NewEncoder(os.Stdout).Encode(collect(machine)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func collect(machine string) (out collected) {
	var log bytes.Buffer
	wall, now := clock.Now()
	offset := wall - now
	set := causes.Open(causes.Options{Window: rightsWindow, Settle: 500 * time.Millisecond, MaxTiers: 8,
		ProcRoot: "/proc", Clock: offset,
		Log: slog.New(slog.NewTextHandler(&log, nil))})
	out.Up = maps.Clone(set.Up())
	maps.Copy(out.Up, set.Host().Up)
	out.Log = strings.Split(strings.TrimSpace(log.String()), "\n")
	pid, _ := strconv.Atoi(machine)
	if jvm, err := hsperf.Open("/proc", int32(pid)); err == nil {
		out.Machine = true
		jvm.Close()
	} else {
		out.Log = append(out.Log, err.Error())
	}
	if queues, err := discovery.OpenQueues("/proc"); err == nil {
		out.Others = queues.In(int32(pid)) != 0
		queues.Close()
	}
	if err := cap.NewSet().SetProc(); err != nil {
		out.Log = append(out.Log, err.Error())
		return out
	}
	out.Measured = measured(set, offset)
	return out
}

// measured keeps a processor busy for a while, as a tier, and returns the collectors that have figures of it.
func measured(set *causes.Set, offset time.Duration) map[string]bool {
	out := make(map[string]bool)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return out
	}
	defer l.Close()
	var ns syscall.Stat_t
	if err := syscall.Stat("/proc/self/ns/net", &ns); err != nil {
		return out
	}
	at := l.Addr().(*net.TCPAddr).AddrPort()
	tier := causes.Tier{Station: 1, App: "shop", Name: "web", PIDs: []int32{int32(os.Getpid())},
		Listeners: []discovery.Listener{{NetNS: uint32(ns.Ino), Addr: netip.MustParseAddr("127.0.0.1"),
			Port: at.Port()}}}
	if err := set.Follow([]causes.Tier{tier}); err != nil {
		return out
	}
	window := func(i int64) causes.Window {
		from := time.Duration(i)*rightsWindow - offset
		return causes.Window{Index: i, From: from, To: from + rightsWindow, Own: 1}
	}
	index := func() int64 { return int64((clock.Monotonic() + offset) / rightsWindow) }
	begin := index()
	set.Account(tier, window(begin)) // the tier has requests, so it is polled
	for i := begin; i < begin+16; i = index() {
		for end := clock.Monotonic() + rightsWindow/4; clock.Monotonic() < end; {
		}
		set.Poll(clock.Monotonic(), false)
		time.Sleep(time.Millisecond) // a turn on a processor ends
	}
	for i := begin + 1; i < begin+15; i++ {
		a := set.Account(tier, window(i))
		for _, s := range a.Shares {
			out[s.Cause] = out[s.Cause] || s.Cause != "cpu" && !math.IsNaN(s.Ratio) || s.Ratio > 0
		}
		out["cores"] = out["cores"] || len(set.Cores(tier.Station, i)) > 0
		out["disk_neighbours"] = out["disk_neighbours"] || a.Work != nil && a.Work.Disk != nil
	}
	maps.DeleteFunc(out, func(_ string, yes bool) bool { return !yes })
	return out
}

// needed are the capabilities that docs/security.md says a cause needs, to begin and afterwards.
type needed struct{ begin, afterwards []string }

var (
	capabilityName = regexp.MustCompile("`CAP_([A-Z_]+)`")
	causeName      = regexp.MustCompile("`([a-z_]+)`")
)

// documentedRights reads the table. "as `cpu`" means the rights that `cpu` needs.
func documentedRights(t *testing.T) map[string]needed {
	t.Helper()
	text, err := os.ReadFile("../../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "| cause | to begin | afterwards |")
	if !found {
		t.Fatal("docs/security.md has no table of the causes")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	out := make(map[string]needed)
	names := func(cell string) (found []string) {
		for _, m := range capabilityName.FindAllStringSubmatch(cell, -1) {
			found = append(found, strings.ToLower(m[1]))
		}
		return found
	}
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || strings.HasPrefix(cells[1], "--") {
			continue
		}
		n := needed{names(cells[2]), names(cells[3])}
		if strings.Contains(cells[2], "as `cpu`") {
			n.begin = append(n.begin, out["cpu"].begin...)
		}
		for _, m := range causeName.FindAllStringSubmatch(cells[1], -1) {
			out[m[1]] = n
		}
	}
	return out
}

// lookalike is a process of root with the counters of a Java virtual machine, which no other user may read.
func lookalike(t *testing.T) int {
	t.Helper()
	c := exec.Command("sleep", "300")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill(); c.Wait() })
	counters, err := os.ReadFile("../hsperf/testdata/jdk17-g1.hsperf")
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("/tmp", "hsperfdata_nstar-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := errors.Join(os.Chmod(dir, 0o755),
		os.WriteFile(filepath.Join(dir, strconv.Itoa(c.Process.Pid)), counters, 0o600)); err != nil {
		t.Fatal(err)
	}
	return c.Process.Pid
}

// withRights runs the program above as the user nobody, with these capabilities and no others.
func withRights(t *testing.T, program string, machine int, capabilities []string) (out collected) {
	t.Helper()
	set := "-all"
	for _, name := range capabilities {
		set += ",+" + name
	}
	c := exec.Command("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs",
		"--inh-caps="+set,
		"--ambient-caps="+set, "--bounding-set="+set, program)
	c.Dir = "/"
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%d", asCollectors, machine))
	c.Stderr = t.Output()
	text, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return out
}

// If a capability of the unit is missing, exactly those causes are missing that need it according to
// docs/security.md. Each of these says so in one line, and the others go on. A collector that has started needs
// none of them, apart from those in the table.
func TestRightsOfCauses(t *testing.T) {
	needsBPF(t)
	if err := exec.Command("setpriv", "--version").Run(); err != nil {
		t.Skip("no setpriv", err)
	}
	unit := capabilitiesOfTheUnit(t)
	documented := documentedRights(t)
	for _, k := range causes.Switches() {
		if _, ok := documented[k.Name]; !ok {
			t.Errorf("docs/security.md does not say what %s needs", k.Name)
		}
	}
	program, machine := programForAll(t), lookalike(t)
	all := withRights(t, program, machine, unit)
	if !all.Machine || !all.Others {
		t.Errorf("the unit's rights are not enough to read other users' machines (%v) and namespaces (%v): %v",
			all.Machine, all.Others, all.Log)
	}
	for _, without := range append([]string{""}, unit...) {
		got := all
		if without != "" {
			got = withRights(t, program, machine,
				slices.DeleteFunc(slices.Clone(unit), func(c string) bool { return c == without }))
		}
		for name, was := range all.Up {
			up := was && !slices.Contains(documented[name].begin, without)
			if got.Up[name] != up {
				t.Errorf("without %q %s is up: %v, by the table %v", without, name, got.Up[name], up)
			}
			// A missing counter of cache misses is reported in a line of its own.
			if lines := about(got.Log, name); was && lines != map[bool]int{false: 1}[up] {
				t.Errorf("without %q %d lines about %s: %q", without, lines, name, got.Log)
			}
			if quiet := name == "migrations" || name == "cache_misses"; !quiet && got.Measured[name] != up {
				t.Errorf("without %q, and with no right at all afterwards, %s is measured: %v, want %v", without, name,
					got.Measured[name], up)
			}
		}
		for name, is := range map[string]bool{causes.GarbageCollection: got.Machine, "unread": got.Others} {
			if need := slices.Contains(documented[name].afterwards, without); is == need {
				t.Errorf("without %q %s reaches other users' processes: %v, by the table %v", without, name, is, !need)
			}
		}
	}
}

// about counts the lines of a log about a cause.
func about(log []string, cause string) (n int) {
	for _, line := range log {
		if strings.Contains(line, "cause="+cause+" ") || strings.Contains(line, "missing="+cause+" ") {
			n++
		}
	}
	return n
}
