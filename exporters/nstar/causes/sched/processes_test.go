// SPDX-License-Identifier: Apache-2.0

package sched

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nstar-project/nstar/exporters/nstar/bpf/bpftest"
	schedbpf "github.com/nstar-project/nstar/exporters/nstar/bpf/sched"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

type (
	table = map[uint32]schedbpf.SchedProcess
	scan  = map[uint32]window.Station
)

func at(tier, parent uint32) schedbpf.SchedProcess {
	return schedbpf.SchedProcess{Tier: tier, Parent: parent}
}

// shell is a process that starts others on command, one command per line.
type shell struct {
	pid uint32
	in  io.Writer
	out *bufio.Scanner
}

func newShell(t testing.TB) shell {
	t.Helper()
	c := exec.Command("sh")
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		_ = c.Wait()
	})
	return shell{uint32(c.Process.Pid), in, bufio.NewScanner(out)}
}

// run returns the process ids in the line that a command prints.
func (s shell) run(t testing.TB, command string) (pids []uint32) {
	t.Helper()
	if _, err := fmt.Fprintln(s.in, command); err != nil {
		t.Fatal(err)
	}
	if !s.out.Scan() {
		t.Fatal("the shell has ended: ", s.out.Err())
	}
	for _, word := range strings.Fields(s.out.Text()) {
		pid, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, uint32(pid))
	}
	return pids
}

// family starts a process that starts another one and then becomes another program.
const family = "sh -c 'sleep 1000 & echo $$ $!; exec sleep 1000' &"

func set(t testing.TB, p *Probe, processes scan) {
	t.Helper()
	if err := p.SetProcesses(processes, nil); err != nil {
		t.Fatal(err)
	}
}

// holds waits until the kernel's table contains this, because a process leaves it a moment after it has ended, or, if
// the kernel does not report its end, with the next scan.
func holds(t *testing.T, p *Probe, want table) {
	t.Helper()
	var got table
	for i := range 500 {
		var err error
		if got, err = p.processes(); err != nil {
			t.Fatal(err)
		}
		if maps.Equal(got, want) {
			return
		}
		if i == 200 {
			if err := p.endUnreported(got, nil); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("the table: -want +got:\n%s", cmp.Diff(want, got))
}

// marked adds up the marks of processes that the kernel entered.
func marked(t *testing.T, p *Probe) (sum uint32) {
	t.Helper()
	var born [16384]uint32
	if err := p.objects.Born.Get(&born); err != nil {
		t.Fatal(err)
	}
	for _, n := range born {
		sum += n
	}
	return sum
}

// Children and their children are in the table from their first moment to their last, whatever earlier scans know of
// them. What a scan says of them also holds for their children. What other processes start belongs to no tier, and
// threads are no processes.
func TestFollowsProcesses(t *testing.T) {
	p := open(t)
	server, stranger := newShell(t), newShell(t)
	set(t, p, scan{server.pid: 2})
	at := func(tier, parent uint32) schedbpf.SchedProcess {
		return schedbpf.SchedProcess{Tier: tier, Parent: parent}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	threads := server.run(t, role+"=locked "+self+" & echo $!")[0]
	pids := server.run(t, family)
	child, grandchild := pids[0], pids[1]
	stranger.run(t, family)
	want := table{server.pid: at(2, 0), threads: at(2, server.pid), child: at(2, server.pid), grandchild: at(2, child)}
	holds(t, p, want)

	set(t, p, scan{server.pid: 2, child: 3}) // it listens
	want[child], want[grandchild] = at(3, server.pid), at(3, child)
	holds(t, p, want)
	if got := marked(t, p); got != 3 {
		t.Errorf("%d processes are marked", got)
	}
	set(t, p, scan{server.pid: 2}) // no more
	want[child], want[grandchild] = at(2, server.pid), at(2, child)
	holds(t, p, want)

	server.run(t, fmt.Sprintf("kill -9 %d; wait %[1]d; echo", child))
	delete(want, child)
	holds(t, p, want)
	set(t, p, scan{server.pid: 2}) // the orphan stays
	holds(t, p, want)

	set(t, p, nil)
	holds(t, p, table{threads: at(noTier, server.pid), grandchild: at(noTier, child)})
	server.run(t, family) // of no tier
	holds(t, p, table{threads: at(noTier, server.pid), grandchild: at(noTier, child)})
	if err := syscall.Kill(-int(server.pid), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	holds(t, p, table{})
	if got := marked(t, p); got != 0 {
		t.Errorf("%d processes are marked when all have ended", got)
	}
}

// hierarchy is the directory where version 2 of control groups is mounted.
func hierarchy(t *testing.T) string {
	t.Helper()
	for _, dir := range []string{"/sys/fs/cgroup", "/sys/fs/cgroup/unified"} {
		if _, err := os.Stat(filepath.Join(dir, "cgroup.controllers")); err == nil {
			return dir
		}
	}
	t.Skip("control groups of version 2 are not mounted")
	return ""
}

// newGroup makes a control group.
func newGroup(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp(hierarchy(t), "nstar-test-")
	if err != nil {
		bpftest.Skip(t, err)
	}
	t.Cleanup(func() {
		for range 500 { // until those in it have ended
			if err = os.Remove(dir); err == nil {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Error(err)
	})
	return dir
}

// The kernel reports nearly all ends.
func TestReportedEnds(t *testing.T) {
	p := open(t)
	server := newShell(t)
	set(t, p, scan{server.pid: 2})
	server.run(t, "i=0; while [ $i -lt 200 ]; do (:); i=$((i+1)); done; echo")
	holds(t, p, table{server.pid: at(2, 0)})
	if got := p.UnreportedEnds(); got > 100 {
		t.Errorf("%d of 200 ends were not reported", got)
	}
}

// Kernels do not report each end: a process that is gone leaves the table with the next scan.
func TestUnreportedEnd(t *testing.T) {
	p := open(t)
	server := newShell(t)
	processes := scan{server.pid: 2}
	set(t, p, processes)
	pids := server.run(t, "sleep 1000 & a=$!; sleep 1000 & echo $a $!")
	gone, stays := pids[0], pids[1]
	if err := p.links[1].Close(); err != nil { // of nstar_free
		t.Fatal(err)
	}
	server.run(t, fmt.Sprintf("kill -9 %d; wait %[1]d; echo", gone))
	want := table{server.pid: at(2, 0), gone: at(2, server.pid), stays: at(2, server.pid)}
	holds(t, p, want)
	set(t, p, processes)
	delete(want, gone)
	holds(t, p, want)
	if got := marked(t, p); got != 1 || p.UnreportedEnds() != 1 {
		t.Errorf("%d processes are marked, %d ends were not reported", got, p.UnreportedEnds())
	}
}

// A process that is moved to another control group, as containers and sessions are, no longer belongs to the tier, and
// neither does what it starts there. A tier's own processes belong to the tier wherever they are.
func TestMovedAway(t *testing.T) {
	dir := newGroup(t)
	p := open(t)
	server := newShell(t)
	set(t, p, scan{server.pid: 2})
	signal := filepath.Join(t.TempDir(), "go")
	move := func(pid uint32) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "cgroup.procs"), fmt.Append(nil, pid), 0); err != nil {
			t.Fatal(err)
		}
	}
	command := "sh -c 'echo $$; while [ ! -e " + signal + " ]; do sleep 0.01; done; sleep 1000 & echo $!; wait' &"
	child := server.run(t, command)[0]
	move(child)
	if err := os.WriteFile(signal, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	server.run(t, "") // its child's id
	want := table{server.pid: at(2, 0), child: at(noTier, left)}
	holds(t, p, want)
	set(t, p, scan{server.pid: 2})
	holds(t, p, want)
	move(server.pid)
	holds(t, p, want)
	later := server.run(t, "sleep 1000 & echo $!")[0]
	want[later] = at(2, server.pid)
	holds(t, p, want)
}

// Processes for which the table has no room are counted.
func TestFullTable(t *testing.T) {
	p := open(t)
	server := newShell(t)
	full := scan{server.pid: 2}
	for pid := uint32(1) << 23; len(full) < int(p.objects.TierProcesses.MaxEntries()); pid++ { // ids that nobody has
		full[pid] = 3
	}
	set(t, p, full)
	if got := p.Unplaced(); got != 0 {
		t.Errorf("%d before there were any", got)
	}
	server.run(t, "sleep 1000 & echo $!")
	if got := p.Unplaced(); got != 1 {
		t.Errorf("%d processes found no place, want 1", got)
	}
	set(t, p, scan{server.pid: 2})
	pids := server.run(t, "sleep 1000 & echo $!")
	holds(t, p, table{server.pid: at(2, 0), pids[0]: at(2, server.pid)})
}

// A tier can't take all places with what it starts. It gets its places back when that ends.
func TestManyChildren(t *testing.T) {
	p := openWith(t, Options{Children: 2})
	server, other := newShell(t), newShell(t)
	set(t, p, scan{server.pid: 2})
	first := server.run(t, "sleep 1000 & a=$!; sleep 1000 & echo $a $!")
	server.run(t, "sleep 1000 & echo $!")
	want := table{server.pid: at(2, 0), first[0]: at(2, server.pid), first[1]: at(2, server.pid)}
	holds(t, p, want)
	if got := p.Unplaced(); got != 1 {
		t.Errorf("%d processes found no place, want 1", got)
	}
	set(t, p, scan{server.pid: 2, other.pid: 3})
	want[other.pid] = at(3, 0)
	holds(t, p, want)
	server.run(t, fmt.Sprintf("kill -9 %d; wait %[1]d; echo", first[0]))
	delete(want, first[0])
	holds(t, p, want)
	want[other.run(t, "sleep 1000 & echo $!")[0]] = at(3, other.pid)
	holds(t, p, want)
}

// A process that is started in another control group, as by systemd and container engines, does not belong to the tier
// of the process that started it.
func TestBornElsewhere(t *testing.T) {
	group := newGroup(t)
	p := open(t)
	set(t, p, scan{uint32(os.Getpid()): 2})
	dir, err := os.Open(group)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	begin := func(how *syscall.SysProcAttr) uint32 {
		t.Helper()
		c := exec.Command("sleep", "1000")
		c.SysProcAttr = how
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = c.Process.Kill()
			_ = c.Wait()
		})
		return uint32(c.Process.Pid)
	}
	begin(&syscall.SysProcAttr{UseCgroupFD: true, CgroupFD: int(dir.Fd())})
	here := begin(nil)
	holds(t, p, table{uint32(os.Getpid()): at(2, 0), here: at(2, uint32(os.Getpid()))})
}

func TestReconcile(t *testing.T) {
	for name, c := range map[string]struct {
		have   table
		want   scan
		put    table
		forget []uint32
	}{
		"nothing new":        {have: table{10: at(1, 0), 11: at(1, 10)}, want: scan{10: 1}},
		"found":              {want: scan{10: 1}, put: table{10: at(1, 0)}},
		"forked and found":   {have: table{10: at(1, 0), 11: at(1, 10)}, want: scan{10: 1, 11: 1}},
		"another tier's now": {have: table{10: at(1, 0)}, want: scan{10: 2}, put: table{10: at(2, 0)}},
		"no tier's any more": {have: table{10: at(1, 0)}, forget: []uint32{10}},
		"a server that a tier started": {have: table{10: at(1, 0), 11: at(1, 10)}, want: scan{10: 1, 11: 2},
			put: table{11: at(2, 10)}},
		"its children": {have: table{11: at(2, 10), 12: at(1, 11), 13: at(1, 12)}, want: scan{11: 2},
			put: table{12: at(2, 11), 13: at(2, 12)}},
		"of one that has ended": {have: table{10: at(1, 0), 12: at(1, 11), 13: at(1, 12)}, want: scan{10: 1}},
		"of a tier that has ended": {have: table{10: at(2, 0), 12: at(1, 11)}, want: scan{10: 2},
			put: table{12: at(noTier, 11)}},
		"of one that is no tier's": {have: table{10: at(1, 0), 11: at(1, 10)}, want: scan{9: 1},
			put: table{9: at(1, 0), 11: at(noTier, 10)}, forget: []uint32{10}},
		"moved away": {have: table{10: at(1, 0), 11: at(noTier, left), 12: at(1, 11)}, want: scan{10: 1},
			put: table{12: at(noTier, 11)}},
		"moved away and found": {have: table{10: at(1, 0), 11: at(noTier, left)}, want: scan{10: 1, 11: 2},
			put: table{11: at(2, left)}},
		"moved away, found and lost": {have: table{10: at(1, 0), 11: at(2, left)}, want: scan{10: 1},
			put: table{11: at(noTier, left)}},
		"of a tier that is back": {have: table{10: at(1, 0), 11: at(noTier, 10)}, want: scan{10: 1},
			put: table{11: at(1, 10)}},
		"ids used again lead in circles": {have: table{10: at(1, 0), 11: at(1, 12), 12: at(1, 11)}, want: scan{10: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			want := make(map[uint32]uint32)
			for pid, tier := range c.want {
				want[pid] = uint32(tier)
			}
			put, forget := reconcile(c.have, want)
			if !maps.Equal(put, c.put) || !slices.Equal(forget, c.forget) {
				t.Errorf("puts %v, want %v; forgets %v, want %v", put, c.put, forget, c.forget)
			}
		})
	}
}
