// SPDX-License-Identifier: Apache-2.0

package cores

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/rlimit"
	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/nstar/bpf/bpftest"
	coresbpf "github.com/nstar-project/nstar/exporters/nstar/bpf/cores"
	"github.com/nstar-project/nstar/exporters/nstar/causes/topology"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// role turns the test program into a server.
const role = "NSTAR_CORES_TEST"

func TestMain(m *testing.M) {
	if os.Getenv(role) != "" {
		for { //nolint:staticcheck // it computes
		}
	}
	os.Exit(m.Run())
}

// server starts a process that computes on one thread.
func server(t *testing.T) int {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	c.Env = append(os.Environ(), role+"=1", "GOMAXPROCS=1")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	return c.Process.Pid
}

// tiers is a table of processes like that of the program on sched_switch.
func tiers(t *testing.T, processes map[int]uint32) *ebpf.Map {
	t.Helper()
	if err := rlimit.RemoveMemlock(); err != nil {
		bpftest.Skip(t, err)
	}
	m, err := ebpf.NewMap(&ebpf.MapSpec{Type: ebpf.Hash, KeySize: 4, ValueSize: 8, MaxEntries: 16384})
	if err != nil {
		bpftest.Skip(t, err)
	}
	t.Cleanup(func() { m.Close() })
	for pid, tier := range processes {
		if err := m.Put(uint32(pid), coresbpf.MigrateProcess{Tier: tier}); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// online are the processors that the test may use.
func online(t *testing.T) []int {
	t.Helper()
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		t.Fatal(err)
	}
	var out []int
	for cpu := range mostCPUs {
		if set.IsSet(cpu) {
			out = append(out, cpu)
		}
	}
	return out
}

// chase moves all threads of a process to one processor after the other, n times.
func chase(t *testing.T, pid int, cpus []int, n int) {
	t.Helper()
	for i := range n {
		tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
		if err != nil {
			t.Fatal(err)
		}
		var one unix.CPUSet
		one.Set(cpus[i%len(cpus)])
		for _, task := range tasks {
			tid, _ := strconv.Atoi(task.Name())
			if err := unix.SchedSetaffinity(tid, &one); err != nil && !errors.Is(err, unix.ESRCH) {
				t.Fatal(err)
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// apart is a machine on which two given processors do not share a cache with each other, but each one with others.
func apart(t *testing.T, first, second int) topology.Topology {
	t.Helper()
	tree := fstest.MapFS{"online": {Data: fmt.Appendf(nil, "%d,%d", first, second)}}
	for i, cpu := range []int{first, second} {
		cache := fmt.Sprintf("cpu%d/cache/index3/", cpu)
		tree[cache+"level"] = &fstest.MapFile{Data: []byte("3")}
		tree[cache+"shared_cpu_list"] = &fstest.MapFile{Data: fmt.Appendf(nil, "%d,%d", cpu, 1000+i)}
	}
	out, err := topology.Read(tree)
	if err != nil || len(out.Domains) != 2 {
		t.Fatal(out, err)
	}
	return out
}

// A thread that is sent to and fro moves as often as it is sent: within a domain or across domains, as configured.
func TestMigrations(t *testing.T) {
	cpus := online(t)
	if len(cpus) < 2 {
		t.Skip("one processor")
	}
	pid, other := server(t), server(t)
	m, err := OpenMigrations(tiers(t, map[int]uint32{pid: 2}), 4, topology.Topology{})
	if err != nil {
		bpftest.Skip(t, err)
	}
	defer m.Close()
	const sent = 40
	moved := func(pid int) Moves {
		t.Helper()
		before := of(t, m.Of, 2)
		chase(t, pid, cpus[:2], sent)
		after := of(t, m.Of, 2)
		return Moves{after.Within - before.Within, after.Across - before.Across}
	}
	if got := moved(pid); got.Within < sent-1 || got.Across != 0 { // its idle threads, too, when they wake
		t.Errorf("moves %+v within one domain, sent %d times", got, sent)
	}
	if got := moved(other); got.Within > sent/4 || got.Across != 0 {
		t.Errorf("moves %+v while a process that is no tier's was sent", got)
	}
	if err := m.SetDomains(apart(t, cpus[0], cpus[1])); err != nil {
		t.Fatal(err)
	}
	if got := moved(pid); got.Across < sent-1 || got.Within != 0 {
		t.Errorf("moves %+v between two domains, sent %d times", got, sent)
	}
	if got := of(t, m.Of, 1); got != (Moves{}) {
		t.Errorf("a tier without processes moved: %+v", got)
	}
}

// of reads the present value of a tier.
func of[T any](t *testing.T, read func(window.Station) (T, error), tier window.Station) T {
	t.Helper()
	v, err := read(tier)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// ran is for how long a process has had processors so far, as the kernel reports it.
func ran(t *testing.T, pid int) (sum time.Duration) {
	t.Helper()
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		ns, _, _ := strings.Cut(string(text), " ")
		n, err := strconv.ParseInt(ns, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		sum += time.Duration(n)
	}
	return sum
}

// A counter that exists everywhere, the processors' clock, takes the place of cache misses. The count of a tier is then
// the time for which the tier had processors.
func TestDividedAmongTiers(t *testing.T) {
	pid, cpus := server(t), online(t)
	clock := Event{"cpu-clock", unix.PERF_TYPE_SOFTWARE, unix.PERF_COUNT_SW_CPU_CLOCK}
	m, err := OpenMisses(tiers(t, map[int]uint32{pid: 1}), 4, cpus, clock)
	if err != nil {
		bpftest.Skip(t, err)
	}
	defer m.Close()
	chase(t, pid, cpus, 4) // this makes it switch, because an unfinished turn is not counted
	before, began := of(t, m.Of, 1), ran(t, pid)
	chase(t, pid, cpus, 200)
	counted, took := time.Duration(of(t, m.Of, 1)-before), ran(t, pid)-began
	t.Logf("counted %v, ran %v", counted, took)
	if diff := (counted - took).Abs(); diff > took/5+50*time.Millisecond || counted == 0 {
		t.Errorf("counted %v in the turns of a process that ran for %v", counted, took)
	}
	if got := of(t, m.Of, 0); got != 0 {
		t.Errorf("a tier without processes has %v", got)
	}
	all, err := m.ByCore()
	if err != nil || len(all) != len(cpus) {
		t.Fatalf("%v, %v", all, err)
	}
	for cpu, v := range all {
		if v <= 0 {
			t.Errorf("processor %d counted %v", cpu, v)
		}
	}
}

// An event that no processor knows is reported as missing, and the next one is tried.
func TestNoCounter(t *testing.T) {
	none := Event{"none", unix.PERF_TYPE_SOFTWARE, 1 << 20}
	if _, err := none.open(0); !errors.Is(err, ErrNoCounter) {
		bpftest.Skip(t, err)
	}
	processes := tiers(t, nil)
	if m, err := OpenMisses(processes, 4, online(t), none); !errors.Is(err, ErrNoCounter) {
		t.Errorf("%v, %v", m, err)
	}
	m, err := OpenMisses(processes, 4, online(t), none, Event{"page-faults", unix.PERF_TYPE_SOFTWARE,
		unix.PERF_COUNT_SW_PAGE_FAULTS})
	if err != nil {
		bpftest.Skip(t, err)
	}
	if m.Event() != "page-faults" {
		t.Errorf("counts %q", m.Event())
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}

// Tables of the program as on machines with such counters. Each processor's part is scaled by the time for which it
// could be counted, as perf stat does it.
func TestScaled(t *testing.T) {
	for name, c := range map[string]struct {
		each []coresbpf.MissesMisses
		want float64
	}{
		"all of the time": {[]coresbpf.MissesMisses{{Counted: 1_200_000, Enabled: 9e9, Running: 9e9},
			{Counted: 300_000, Enabled: 2e9, Running: 2e9}}, 1_500_000},
		"half of it": {[]coresbpf.MissesMisses{{Counted: 1_200_000, Enabled: 8e9, Running: 4e9},
			{Counted: 300_000, Enabled: 2e9, Running: 2e9}}, 2_700_000},
		"never on one": {[]coresbpf.MissesMisses{{Counted: 0, Enabled: 8e9, Running: 0},
			{Counted: 7, Enabled: 1, Running: 1}}, 7},
		"on no processor":    {nil, 0},
		"nothing ever there": {[]coresbpf.MissesMisses{{}, {}}, 0},
	} {
		if got := sum(c.each); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// The kernel's answer, byte by byte.
func TestReadCounter(t *testing.T) {
	var b []byte
	for _, v := range []uint64{10, 300, 100} {
		b = binary.NativeEndian.AppendUint64(b, v)
	}
	r, err := readCounter(bytes.NewReader(b))
	if err != nil || r.scaled() != 30 {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := readCounter(bytes.NewReader(b[:20])); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a short answer: %v", err)
	}
}
