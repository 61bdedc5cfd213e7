// SPDX-License-Identifier: Apache-2.0

package load

import (
	"math"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/nstar/clock"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/judgement"
)

// The test itself is a tier that works for a while.
func TestLoads(t *testing.T) {
	l := New("/proc")
	me := discovery.TierName{App: "default", Tier: "me"}
	l.Follow(discovery.Snapshot{Tiers: []discovery.Tier{{App: me.App, Name: me.Tier,
		PIDs: []int32{int32(os.Getpid())}}}})
	wanted := func(discovery.TierName) Wanted { return Wanted{Load: true, Thread: true} }
	l.Read(clock.Monotonic(), wanted, unscheduled)
	if got := l.Of(me); !math.IsNaN(got.Used) || !math.IsNaN(got.Thread) {
		t.Errorf("%+v after the first reading", got)
	}
	runtime.LockOSThread() // one of its threads works all the time
	work := func(each func()) {
		for begin := time.Now(); time.Since(begin) < 300*time.Millisecond; {
			each()
		}
	}
	read := func() time.Time {
		before := time.Now()
		l.Read(clock.Monotonic(), wanted, unscheduled)
		return before
	}
	work(func() {})
	last := read()
	if got := l.Of(me); !math.IsNaN(got.Writes) {
		t.Errorf("%+v: writes of a thread that was not the busiest before", got)
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	var least, most float64
	// Where other programs have the processors, another thread, which waits for one, may be as busy as this one.
	for try := 0; try == 0 || math.IsNaN(l.Of(me).Writes) && try < 20; try++ {
		written, begin, before := 0, time.Now(), last
		work(func() {
			if _, err := null.Write([]byte("x")); err == nil {
				written++
			}
		})
		most = float64(written) / time.Since(begin).Seconds()
		last = read()
		least = float64(written) / time.Since(before).Seconds()
	}
	runtime.UnlockOSThread()
	if got := l.Of(me).Writes; !(got >= 0.95*least && got <= 1.05*most) {
		t.Errorf("%g writes a second, want %g to %g", got, least, most)
	}
	if got := l.Of(me); !(got.Used > 0 && got.Busy > 0 && got.Busy <= 1 && got.Thread > 0.9 && got.Thread < 1.1) {
		t.Errorf("%+v after working", got)
	}
	if got := l.Of(discovery.TierName{App: "default", Tier: "other"}); !math.IsNaN(got.Busy) {
		t.Errorf("%+v of a tier that does not exist", got)
	}
}

// A server that starts short-lived processes may have ended the first one that the last scan saw. The others still
// tell.
func TestLoadOfWhatIsLeft(t *testing.T) {
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	l := New("/proc")
	me := discovery.TierName{App: "default", Tier: "me"}
	pids := []int32{int32(gone.Process.Pid), int32(os.Getpid())}
	l.Follow(discovery.Snapshot{Tiers: []discovery.Tier{{App: me.App, Name: me.Tier, PIDs: pids}}})
	wanted := func(discovery.TierName) Wanted { return Wanted{Load: true} }
	l.Read(clock.Monotonic(), wanted, unscheduled)
	time.Sleep(50 * time.Millisecond)
	l.Read(clock.Monotonic(), wanted, unscheduled)
	if got := l.Of(me); math.IsNaN(got.Used) {
		t.Errorf("%+v: one of the tier's processes has ended", got)
	}
}

// Two processes that always have work share it. A third one that sleeps has no part in it.
func TestProcessesThatShareTheWork(t *testing.T) {
	me := discovery.TierName{App: "default", Tier: "me"}
	tier := discovery.Tier{App: me.App, Name: me.Tier}
	for _, script := range []string{"while :; do :; done", "while :; do :; done", "exec sleep 60"} {
		c := exec.Command("sh", "-c", script)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = c.Process.Kill()
			_ = c.Wait()
		})
		tier.PIDs = append(tier.PIDs, int32(c.Process.Pid))
	}
	l := New("/proc")
	l.Follow(discovery.Snapshot{Tiers: []discovery.Tier{tier}})
	wanted := func(discovery.TierName) Wanted { return Wanted{Load: true, Thread: true} }
	time.Sleep(100 * time.Millisecond) // until all have begun
	l.Read(clock.Monotonic(), wanted, unscheduled)
	time.Sleep(300 * time.Millisecond)
	l.Read(clock.Monotonic(), wanted, unscheduled)
	if got := l.Of(me).Processes; !(got > 1.7 && got < 2.3) {
		t.Errorf("%.2f processes share the work, want 2", got)
	}
}

func unscheduled(discovery.TierName) (Work, bool) { return Work{}, false }

// What the scheduler's program reports of a tier is the tier's work, including processes that are never seen in /proc.
// This holds from the second report for the same number on.
func TestScheduled(t *testing.T) {
	l := New("/proc")
	me := discovery.TierName{App: "default", Tier: "me"}
	l.Follow(discovery.Snapshot{Tiers: []discovery.Tier{{App: me.App, Name: me.Tier,
		PIDs: []int32{int32(os.Getpid())}}}})
	now := clock.Monotonic()
	read := func(w Work, known bool) judgement.Load {
		t.Helper()
		now += time.Second
		l.Read(now, func(discovery.TierName) Wanted { return Wanted{Load: true} },
			func(discovery.TierName) (Work, bool) { return w, known })
		return l.Of(me)
	}
	const most = 100 // more processors than a test uses
	read(Work{3, 7000 * time.Second, time.Second}, true)
	for _, c := range []struct {
		when  string
		work  Work
		known bool
		cores float64 // 0: as /proc says
	}{
		{"told again", Work{3, 7900 * time.Second, time.Second}, true, 900},
		{"another number", Work{4, 9900 * time.Second, time.Second}, true, 0},
		{"told of that again", Work{4, 10_400 * time.Second, time.Second}, true, 500},
		{"not told", Work{}, false, 0},
		{"told at last", Work{4, 20_000 * time.Second, time.Second}, true, 0},
	} {
		if got := read(c.work, c.known).Cores; c.cores != 0 && got != c.cores || c.cores == 0 && !(got < most) {
			t.Errorf("%s: %v processors", c.when, got)
		}
	}
}

func TestBusy(t *testing.T) {
	before := map[int64]procfs.CPUStat{0: {User: 1, Idle: 1}, 1: {User: 5, Idle: 5}}
	after := map[int64]procfs.CPUStat{0: {User: 2, System: 1, Steal: 1, Idle: 1.5, Iowait: 0.5}, 1: {User: 5, Idle: 9}}
	var first, both unix.CPUSet
	first.Set(0)
	both.Set(0)
	both.Set(1)
	if got, _ := shares(before, after, &first); math.Abs(got-0.75) > 1e-9 {
		t.Errorf("first processor busy for %g, want 0.75", got)
	}
	if got, _ := shares(before, after, &both); math.Abs(got-0.375) > 1e-9 {
		t.Errorf("both processors busy for %g, want 0.375", got)
	}
	if got, _ := shares(nil, after, &both); !math.IsNaN(got) {
		t.Errorf("busy for %g without an earlier reading", got)
	}
}

// Processes that have ended since the scan tell nothing, however many there are.
func TestProcessorsOfTheLiving(t *testing.T) {
	self := int32(os.Getpid())
	want := Processors([]int32{self})
	var pids []int32
	for range 2 * processesAsked {
		pids = append(pids, math.MaxInt32) // no process has such a number
	}
	if got := Processors(append(pids, self)); got != want || want == 0 {
		t.Errorf("%v processors, want %v", got, want)
	}
	if got := Processors(pids); got != 0 {
		t.Errorf("%v processors of processes that have ended", got)
	}
}

// The processors on which a process may run are listed as taskset lists them, from the first process that is there.
func TestCPUs(t *testing.T) {
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	me := discovery.TierName{App: "default", Tier: "me"}
	listed := func(pids ...int32) string {
		l := New("/proc")
		l.Follow(discovery.Snapshot{Tiers: []discovery.Tier{{App: me.App, Name: me.Tier, PIDs: pids}}})
		wanted := func(discovery.TierName) Wanted { return Wanted{Load: true} }
		l.Read(clock.Monotonic(), wanted, unscheduled)
		time.Sleep(50 * time.Millisecond)
		l.Read(clock.Monotonic(), wanted, unscheduled)
		return l.CPUs(me)
	}
	ended := int32(gone.Process.Pid)
	if got := listed(ended); got != "" {
		t.Errorf("%q of a process that has ended", got)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var all, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		t.Fatal(err)
	}
	cpu := 0
	for !all.IsSet(cpu) {
		cpu++
	}
	one.Set(cpu)
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := unix.SchedSetaffinity(0, &all); err != nil {
			t.Error(err)
		}
	}()
	if got, want := listed(ended, int32(unix.Gettid())), strconv.Itoa(cpu); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
