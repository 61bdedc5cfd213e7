// SPDX-License-Identifier: Apache-2.0

package sched

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/nstar/bpf/bpftest"
	"github.com/nstar-project/nstar/exporters/nstar/causes/owner"
	"github.com/nstar-project/nstar/exporters/nstar/clock"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

const width = 50 * time.Millisecond

// role turns the test program into a server or a neighbour.
const role = "NSTAR_SCHED_TEST"

func TestMain(m *testing.M) {
	as := os.Getenv(role)
	if as != "" {
		if err := keepMemory(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	switch as {
	case "busy":
		for { //nolint:staticcheck // that is what it is for
		}
	case "writes": // and waits until it is on the disk
		f, err := os.Create(os.Getenv(role + "_FILE"))
		for err == nil {
			if _, err = f.WriteAt(make([]byte, 1<<16), 0); err == nil {
				err = f.Sync()
			}
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	case "locked": // threads that wait for another one, again and again
		var word uint32
		for range lockedThreads {
			go func() {
				for {
					_, _, _ = unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&word)), futexWait, 0, 0, 0, 0)
				}
			}()
		}
		for {
			time.Sleep(20 * time.Millisecond)
			_, _, _ = unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&word)), futexWake, lockedThreads, 0, 0, 0)
		}
	case "timers": // sleeps in the same call until its time is over, by each of its clocks
		for {
			sleepInFutex(futexWait, 20*time.Millisecond)
			sleepInFutex(futexWaitBits, clock.Monotonic()+20*time.Millisecond)
			sleepInFutex(futexWaitBits|futexWallClock, clock.Wall()+20*time.Millisecond)
		}
	case "looks": // again and again, and soon
		for {
			sleepInFutex(futexWait, 5*time.Millisecond)
		}
	case "forks": // starts processes, one after the other, that compute and end
		f, err := os.OpenFile(os.Getenv(role+"_FILE"), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
		for err == nil {
			c := exec.Command("sh", "-c", shortLived)
			c.Stdout = f
			err = c.Run()
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	case "bursts": // runs and sleeps alternately
		for {
			for began := time.Now(); time.Since(began) < 3*time.Millisecond; {
			}
			time.Sleep(2 * time.Millisecond)
		}
	}
	os.Exit(m.Run())
}

// keepMemory makes sure that nothing of the program must be read from the disk again when memory is short: the files
// that it consists of are read now, and the other memory that it uses stays. (The race detector has terabytes that it
// does not use.)
func keepMemory() error {
	if err := unix.Mlockall(unix.MCL_CURRENT | unix.MCL_FUTURE | unix.MCL_ONFAULT); err != nil {
		return fmt.Errorf("keeping memory: %w", err)
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(maps)) {
		var from, to uintptr
		if _, err := fmt.Sscanf(line, "%x-%x", &from, &to); err != nil {
			return err
		}
		if !strings.Contains(line, " /") {
			continue
		}
		if _, _, err := unix.Syscall(unix.SYS_MLOCK, from, to-from, 0); err != 0 {
			return fmt.Errorf("keeping %q: %w", line, err)
		}
	}
	return nil
}

const lockedThreads = 8

// Operations of futex(2).
const (
	futexWait      = 0
	futexWake      = 1
	futexWaitBits  = 9
	futexWallClock = 256
)

// sleepInFutex waits in this thread, until a limit, for a wakeup that never comes. Go's runtime does not know of it.
func sleepInFutex(operation uintptr, limit time.Duration) {
	var word uint32
	until := unix.NsecToTimespec(int64(limit))
	_, _, _ = unix.RawSyscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&word)), operation, 0,
		uintptr(unsafe.Pointer(&until)), 0, math.MaxUint32)
}

// begin starts this program in a role, on the first processor that the test may use.
func begin(t *testing.T, as string) int {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	c.Env = append(os.Environ(), role+"="+as, "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1") // no signals
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	time.Sleep(50 * time.Millisecond) // now its threads exist
	pin(t, c.Process.Pid, processors(t)[0])
	return c.Process.Pid
}

// processors returns the processors that this process may use.
func processors(t *testing.T) (out []int) {
	t.Helper()
	var all unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		t.Fatal(err)
	}
	for cpu := 0; len(out) < all.Count(); cpu++ {
		if all.IsSet(cpu) {
			out = append(out, cpu)
		}
	}
	return out
}

// pin keeps all threads of a process on one processor.
func pin(t *testing.T, pid, cpu int) {
	t.Helper()
	var one unix.CPUSet
	one.Set(cpu)
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		tid, _ := strconv.Atoi(task.Name())
		if err := unix.SchedSetaffinity(tid, &one); err != nil {
			t.Fatal(err)
		}
	}
}

// schedstat is what the kernel reports of a process: time on a processor, and time that it waited for one.
func schedstat(t testing.TB, pid int) (ran, waited time.Duration) {
	t.Helper()
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/schedstat", pid, task.Name()))
		if err != nil {
			t.Fatal(err)
		}
		f := strings.Fields(string(text))
		r, _ := strconv.ParseInt(f[0], 10, 64)
		w, _ := strconv.ParseInt(f[1], 10, 64)
		ran, waited = ran+time.Duration(r), waited+time.Duration(w)
	}
	return ran, waited
}

// attached is a probe that the caller must close.
func attached(t testing.TB) *Probe {
	t.Helper()
	return attachedWith(t, Options{})
}

func attachedWith(t testing.TB, o Options) *Probe {
	t.Helper()
	o.Window, o.Kept, o.MaxTiers, o.Locks, o.ProcRoot = width, 5*time.Second, 4, true, "/proc"
	o.Clock = clock.NewOffset(clock.Now()).Value()
	p, err := Open(o)
	if err != nil {
		bpftest.Skip(t, err)
	}
	return p
}

func open(t *testing.T) *Probe {
	t.Helper()
	return openWith(t, Options{})
}

func openWith(t *testing.T, o Options) *Probe {
	t.Helper()
	p := attachedWith(t, o)
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// now is the index of the present window.
func (p *Probe) now() int64 { return int64((clock.Monotonic() + p.options.Clock) / width) }

// sum adds up the windows from one index to another, without the last.
func (p *Probe) sum(tier window.Station, from, to int64) (all Times) {
	for i := from; i < to; i++ {
		all.join(p.Window(tier, i))
	}
	return all
}

// A server shares its processor with a neighbour. Its windows add up to what the kernel itself counts.
func TestAgainstTheKernel(t *testing.T) {
	p := open(t)
	server, neighbour := begin(t, "bursts"), begin(t, "busy")
	if err := p.SetProcesses(map[uint32]window.Station{uint32(server): 2}, nil); err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond) // all its threads have come and gone once
	ran0, waited0 := schedstat(t, server)
	total0, queued0 := p.Total(2)
	from := p.now()
	time.Sleep(2 * time.Second)
	ran1, waited1 := schedstat(t, server)
	total1, queued1 := p.Total(2)
	to := p.now()
	time.Sleep(500 * time.Millisecond)
	got := p.sum(2, from, to)
	t.Logf("ran %v, by the kernel %v; waited %v, by the kernel %v; others %v: %v", got.Ran, ran1-ran0, got.Waited,
		waited1-waited0, got.Others, got.Takers)
	// a window at each end, and what was booked later at the end
	const slack = 2 * width
	if diff := got.Ran - (ran1 - ran0); diff.Abs() > slack {
		t.Errorf("ran %v, by the kernel %v", got.Ran, ran1-ran0)
	}
	if diff := got.Waited - (waited1 - waited0); diff.Abs() > 2*slack {
		t.Errorf("waited %v, by the kernel %v", got.Waited, waited1-waited0)
	}
	ran, waited := total1-total0, queued1-queued0
	if diff := ran - (ran1 - ran0); diff.Abs() > slack {
		t.Errorf("ran %v in total, by the kernel %v", ran, ran1-ran0)
	}
	if diff := waited - (waited1 - waited0); diff.Abs() > 2*slack {
		t.Errorf("waited %v in total, by the kernel %v", waited, waited1-waited0)
	}
	if ran, waited := p.Total(1000); ran != 0 || waited != 0 {
		t.Errorf("a tier that does not exist ran for %v and waited for %v", ran, waited)
	}
	if got.Others > got.Waited {
		t.Errorf("others had the processor for %v of %v", got.Others, got.Waited)
	}
	var named, by time.Duration
	for _, taker := range got.Takers {
		named += taker.Time
		if taker.Owner == owner.Owner(neighbour) {
			by = taker.Time
		}
		if taker.Owner == owner.OfTier(2) || taker.Owner == owner.Owner(server) {
			t.Error("the server waited for itself")
		}
	}
	if by == 0 || named > got.Others {
		t.Errorf("the neighbour %d had it for %v, all with a name for %v of %v", neighbour, by, named, got.Others)
	}
}

// What a tier does on a processor that was added to the machine is in no window, but is counted.
func TestAddedProcessor(t *testing.T) {
	all := processors(t)
	if len(all) < 2 {
		t.Skip("needs two processors")
	}
	p := openWith(t, Options{Processors: all[1]})
	server := begin(t, "bursts")
	if err := p.SetProcesses(map[uint32]window.Station{uint32(server): 2}, nil); err != nil {
		t.Fatal(err)
	}
	time.Sleep(500 * time.Millisecond)
	if n := p.UnplacedTurns(); n != 0 {
		t.Errorf("%d turns found no place on a processor that was there", n)
	}
	pin(t, server, all[1])
	time.Sleep(200 * time.Millisecond)
	before, _ := p.Total(2)
	counted := p.UnplacedTurns()
	time.Sleep(500 * time.Millisecond)
	if after, _ := p.Total(2); before == 0 || after != before {
		t.Errorf("it ran for %v before it moved, and for %v afterwards", before, after)
	}
	if n := p.UnplacedTurns(); n <= counted {
		t.Errorf("%d turns found no place, and %d half a second later", counted, n)
	}
}

// If a wait has more turns than are kept, the neighbours have all of its time.
func TestManyTurns(t *testing.T) {
	p := open(t)
	server := begin(t, "busy")
	if err := unix.Setpriority(unix.PRIO_PROCESS, server, 10); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		begin(t, "busy")
	}
	if err := p.SetProcesses(map[uint32]window.Station{uint32(server): 2}, nil); err != nil {
		t.Fatal(err)
	}
	from := p.now()
	time.Sleep(4 * time.Second)
	to := p.now() - int64(time.Second/width) // the wait under way is booked when it ends
	got := p.sum(2, from, to)
	t.Logf("waited %v, others had it for %v, with a name for %v", got.Waited, got.Others, got.Takers)
	if got.Waited < time.Second || got.Others < got.Waited*9/10 || got.Others > got.Waited*101/100 {
		t.Errorf("others had the processor for %v of the %v for which the server waited", got.Others, got.Waited)
	}
}

// A thread that never gives up its processor is seen to run, though nothing has been booked.
func TestStillRunning(t *testing.T) {
	p := open(t)
	server := begin(t, "busy")
	if err := p.SetProcesses(map[uint32]window.Station{uint32(server): 0}, nil); err != nil {
		t.Fatal(err)
	}
	ran0, _ := schedstat(t, server)
	total0, _ := p.Total(0)
	from := p.now()
	time.Sleep(time.Second)
	ran1, _ := schedstat(t, server)
	total1, _ := p.Total(0)
	got := p.sum(0, from, p.now())
	if diff := total1 - total0 - (ran1 - ran0); diff.Abs() > 2*width+100*time.Millisecond {
		t.Errorf("ran %v in total, by the kernel %v", total1-total0, ran1-ran0)
	}
	if diff := got.Ran - (ran1 - ran0); diff.Abs() > 2*width+100*time.Millisecond {
		t.Errorf("ran %v, by the kernel %v", got.Ran, ran1-ran0)
	}
}

// A process that syncs a file waits for the disk; a process that computes does not.
func TestDisk(t *testing.T) {
	dir := t.TempDir()
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		t.Fatal(err)
	}
	if fs.Type == unix.TMPFS_MAGIC || fs.Type == unix.OVERLAYFS_SUPER_MAGIC {
		t.Skip("no disk behind the temporary directory")
	}
	t.Setenv(role+"_FILE", filepath.Join(dir, "file"))
	p := open(t)
	writer, other := begin(t, "writes"), begin(t, "bursts")
	if err := p.SetProcesses(map[uint32]window.Station{uint32(writer): 0, uint32(other): 1}, nil); err != nil {
		t.Fatal(err)
	}
	from := p.now()
	time.Sleep(2 * time.Second)
	to := p.now()
	time.Sleep(500 * time.Millisecond)
	w, o := p.sum(0, from, to), p.sum(1, from, to)
	t.Logf("the writer waited %v for the disk, the other %v", w.Disk, o.Disk)
	if w.Disk <= 0 || w.Disk > 10*time.Second || o.Disk != 0 {
		t.Errorf("the writer waited %v for the disk, the other %v", w.Disk, o.Disk)
	}
}

// A thread that sleeps until another thread wakes it waits for a lock; a thread that waits for input does not.
func TestLock(t *testing.T) {
	p := open(t)
	waiter := begin(t, "locked") // Go's own threads sleep like that, too
	reader := exec.Command("cat")
	input, err := reader.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := reader.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = reader.Wait() })
	t.Cleanup(func() { _ = input.Close() })
	if err := p.SetProcesses(map[uint32]window.Station{uint32(waiter): 0, uint32(reader.Process.Pid): 1},
		nil); err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond) // each sleeps anew
	from := p.now()
	for range 100 {
		if _, err := input.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
	to := p.now()
	time.Sleep(200 * time.Millisecond)
	w, r := p.sum(0, from, to), p.sum(1, from, to)
	length := time.Duration(to-from) * width
	var byCore time.Duration
	for i := from; i < to; i++ {
		byCore += p.WindowByCore(0, i, func(int, Times) {}).Locked
	}
	if byCore != w.Locked {
		t.Errorf("by processors the waiter slept %v for a lock, by windows %v", byCore, w.Locked)
	}
	t.Logf("in %v the waiter slept %v for a lock, the reader %v", length, w.Locked, r.Locked)
	if w.Locked < lockedThreads*length/2 || r.Locked != 0 || r.Ran == 0 {
		t.Errorf("in %v the waiter slept %v for a lock, the reader %v; it ran %v", length, w.Locked, r.Locked, r.Ran)
	}
}

// A thread that sleeps until its own time is over waits for no other thread, whatever its call. The exception is a
// thread that looks again soon.
func TestTimers(t *testing.T) {
	p := open(t)
	sleeper, looker := begin(t, "timers"), begin(t, "looks")
	if err := p.SetProcesses(map[uint32]window.Station{uint32(sleeper): 0, uint32(looker): 1}, nil); err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond)
	from := p.now()
	time.Sleep(2 * time.Second)
	to := p.now()
	time.Sleep(200 * time.Millisecond)
	s, l := p.sum(0, from, to), p.sum(1, from, to)
	length := time.Duration(to-from) * width
	t.Logf("in %v who sleeps by timers waited %v for another thread, who looks again soon %v", length,
		s.Locked, l.Locked)
	if s.Locked > length/20 || s.Ran == 0 || l.Locked < length/2 {
		t.Errorf("in %v who sleeps by timers waited %v for another thread, who looks again soon %v", length,
			s.Locked, l.Locked)
	}
}

// A thread that sleeps until another one wakes it is known while it sleeps, and since when.
func TestBlocked(t *testing.T) {
	p := open(t)
	waiter := begin(t, "locked")
	if err := p.SetProcesses(map[uint32]window.Station{uint32(waiter): 0}, nil); err != nil {
		t.Fatal(err)
	}
	asleep := 0
	for end := time.Now().Add(30 * time.Second); asleep < lockedThreads/2 && time.Now().Before(end); {
		time.Sleep(50 * time.Millisecond) // each sleeps anew
		asleep = 0
		var threads []uint32
		for thread, since := range p.Blocked() {
			threads = append(threads, thread)
			if age := clock.Monotonic() - since; age >= 0 && age < 10*time.Second {
				asleep++
			}
		}
		for _, thread := range threads {
			if _, err := os.Stat(fmt.Sprintf("/proc/%d/task/%d", waiter, thread)); err != nil {
				t.Errorf("thread %d is none of the tier's", thread)
			}
		}
	}
	if asleep < lockedThreads/2 {
		t.Errorf("%d threads sleep for another one, want at least half of %d", asleep, lockedThreads)
	}
}

// A process that does not belong to a tier any more is no longer followed.
func TestForgotten(t *testing.T) {
	p := open(t)
	server := begin(t, "bursts")
	set := func(processes map[uint32]window.Station) {
		t.Helper()
		if err := p.SetProcesses(processes, nil); err != nil {
			t.Fatal(err)
		}
	}
	set(map[uint32]window.Station{uint32(server): 1})
	set(nil)
	time.Sleep(100 * time.Millisecond) // a turn that had begun
	from := p.now() + 1
	time.Sleep(300 * time.Millisecond)
	if got := p.sum(1, from, p.now()); got.Ran != 0 || got.Waited != 0 {
		t.Errorf("it is followed: %+v", got)
	}
	if got := p.Window(1000, 0); got.Ran != 0 || got.Takers != nil {
		t.Errorf("a tier that does not exist ran: %+v", got)
	}
}

func TestOverlap(t *testing.T) {
	for _, c := range []struct {
		from time.Duration
		want time.Duration
	}{
		{0, width}, {10 * width, width}, {10*width + time.Millisecond, width - time.Millisecond}, {11 * width, 0},
		{20 * width, 0},
	} {
		if got := overlap(c.from, 10, width); got != c.want {
			t.Errorf("of [%v, %v) after %v: %v, want %v", 10*width, 11*width, c.from, got, c.want)
		}
	}
}
