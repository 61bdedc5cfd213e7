// SPDX-License-Identifier: Apache-2.0

package hsperf

import (
	"bufio"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/clock"
)

// java finds the virtual machines to test with: NSTAR_JAVA lists several.
func java(t *testing.T) []string {
	t.Helper()
	var found []string
	for _, name := range append(filepath.SplitList(os.Getenv("NSTAR_JAVA")), "java") {
		if path, err := exec.LookPath(name); err == nil {
			found = append(found, path)
		}
	}
	if len(found) == 0 {
		t.Skip("no java here: install a JDK, or set NSTAR_JAVA to the paths of some")
	}
	if testing.Short() {
		t.Skip("takes half a minute of a real virtual machine")
	}
	return found
}

// start runs the program and waits until it can be followed.
func start(t *testing.T, java string, flags ...string) *JVM {
	t.Helper()
	j, _ := started(t, java, flags...)
	return j
}

// started also returns its process id.
func started(t *testing.T, java string, flags ...string) (*JVM, int) {
	t.Helper()
	cmd := exec.Command(java, flags...)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	var err error
	for range 200 {
		time.Sleep(10 * time.Millisecond)
		var j *JVM
		if j, err = Open("/proc", int32(cmd.Process.Pid)); err == nil {
			t.Cleanup(func() { j.Close() })
			return j, cmd.Process.Pid
		}
	}
	t.Fatal(err)
	return nil, 0
}

// warm polls until the program has begun to collect garbage.
func warm(t *testing.T, j *JVM) {
	t.Helper()
	for range 2400 {
		if err := j.Poll(clock.Monotonic()); err != nil {
			t.Fatal(err)
		}
		if j.values[0].invocations > 5 {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	t.Fatal("no garbage collection within a minute")
}

// logged is a pause from the machine's own log, on CLOCK_MONOTONIC.
type logged struct{ begin, end time.Duration }

// pauseLine is a line of -Xlog:gc with the decorations timenanos and
// uptimenanos: the end of a pause and its length.
var pauseLine = regexp.MustCompile(`^\[(\d+)ns\]\[(\d+)ns\] GC\(\d+\) Pause .* ([0-9.]+)ms$`)

func readLog(t *testing.T, path string) (pauses []logged, start time.Duration) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	start = math.MaxInt64
	for lines := bufio.NewScanner(file); lines.Scan(); {
		m := pauseLine.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		end, _ := strconv.ParseInt(m[1], 10, 64)
		up, _ := strconv.ParseInt(m[2], 10, 64)
		ms, _ := strconv.ParseFloat(m[3], 64)
		pauses = append(pauses, logged{time.Duration(end) - time.Duration(ms*1e6), time.Duration(end)})
		// The two decorations are read one after the other; the smallest
		// difference is the nearest to the truth.
		start = min(start, time.Duration(end-up))
	}
	return pauses, start
}

// TestRealJVM compares the pauses found by polling every 25 ms with the machine's log.
func TestRealJVM(t *testing.T) {
	tests := []struct {
		name  string
		live  string // thousands of chains
		flags []string
		// tolerance of the sum of pauses: G1 begins to log before the pause and
		// has many short ones.
		tolerance float64
	}{
		{"Serial", "150", []string{"-XX:+UseSerialGC", "-Xmx220m"}, 0.03},
		{"Parallel", "150", []string{"-XX:+UseParallelGC", "-Xmx260m"}, 0.03},
		{"G1", "150", []string{"-XX:+UseG1GC", "-Xmx300m"}, 0.05},
	}
	for _, java := range java(t) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				log := filepath.Join(t.TempDir(), "gc.log")
				flags := append([]string{"-Xlog:gc:file=" + log + ":timenanos,uptimenanos"}, tt.flags...)
				j := start(t, java, append(flags, "testdata/java/Churn.java", tt.live, "600000")...)

				first := j.Start()
				warm(t, j)
				opened := clock.Monotonic()
				ticker := time.NewTicker(25 * time.Millisecond)
				defer ticker.Stop()
				for clock.Monotonic() < opened+6*time.Second {
					<-ticker.C
					if err := j.Poll(clock.Monotonic()); err != nil {
						t.Fatal(err)
					}
				}
				end := j.lastPoll
				time.Sleep(1500 * time.Millisecond) // a pause is logged when it is over
				pauses, started := readLog(t, log)
				for i, p := range pauses { // only the part that we watched
					pauses[i] = logged{max(p.begin, opened), min(p.end, end)}
				}
				pauses = slices.DeleteFunc(pauses, func(p logged) bool { return p.end <= p.begin })
				if len(pauses) == 0 {
					t.Fatal("the log has no pauses")
				}
				report(t, j, pauses, opened, end, tt.tolerance)
				t.Logf("%s: start found at first %+.2f ms off, in the end %+.2f ms", java,
					ms(first-started), ms(j.Start()-started))
				if off := j.Start() - started; off < -2*time.Millisecond || off > 2*time.Millisecond {
					t.Errorf("start is %s off", off)
				}
			})
		}
	}
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }

// report compares the sums, the windows of 50 ms, and the long pauses one by one.
func report(t *testing.T, j *JVM, pauses []logged, from, to time.Duration, tolerance float64) {
	t.Helper()
	var sum, worst, longest time.Duration
	for _, p := range pauses {
		sum += p.end - p.begin
		longest = max(longest, p.end-p.begin)
	}
	got := j.Stopped(from, to)
	t.Logf("%d pauses up to %.1f ms, sum %.1f ms in the log, %.1f ms in the counters (%+.2f %%)",
		len(pauses), ms(longest), ms(sum), ms(got), 100*(float64(got)/float64(sum)-1))
	if diff := math.Abs(float64(got)/float64(sum) - 1); diff > tolerance {
		t.Errorf("sums differ by %.1f %%, more than %.1f %%", 100*diff, 100*tolerance)
	}

	const width = 50 * time.Millisecond
	var windows []float64
	for w := from; w+width <= to; w += width {
		var want time.Duration
		for _, p := range pauses {
			want += max(min(p.end, w+width)-max(p.begin, w), 0)
		}
		windows = append(windows, math.Abs(ms(j.Stopped(w, w+width)-want))/ms(width))
	}
	slices.Sort(windows)
	t.Logf("share of a window: median error %.4f, 95th percentile %.4f, largest %.4f of %d",
		windows[len(windows)/2], windows[len(windows)*95/100], windows[len(windows)-1], len(windows))
	if p := windows[len(windows)*95/100]; p > 0.1 {
		t.Errorf("one window in twenty is wrong by %.2f or more", p)
	}

	compared := 0
	for i, p := range pauses {
		if p.end-p.begin < 30*time.Millisecond || p.begin == from || p.end == to {
			continue
		}
		for _, s := range j.past.spans {
			begin, end := j.Start()+time.Duration(s.begin), j.Start()+time.Duration(s.end)
			// Pauses in direct succession have one span, in which none of them
			// can be told from the others.
			alone := (i == 0 || pauses[i-1].end < begin-2*time.Millisecond) &&
				(i == len(pauses)-1 || pauses[i+1].begin > end+2*time.Millisecond)
			if alone && overlap(s, int64(p.begin-j.Start()), int64(p.end-j.Start())) > int64(p.end-p.begin)/2 {
				compared++
				worst = max(worst, (begin - p.begin).Abs(), (end - p.end).Abs())
				if compared <= 5 {
					t.Logf("pause of %.1f ms: begins %+.2f ms, ends %+.2f ms off", ms(p.end-p.begin),
						ms(begin-p.begin), ms(end-p.end))
				}
			}
		}
	}
	t.Logf("%d pauses of 30 ms and more compared: begin and end at most %.2f ms off", compared, ms(worst))
}

// watched runs a program of the first machine that knows a collector, and polls it for some seconds from the moment on
// in which it has been stopped. It returns when that began and ended, and the longest time between two polls.
func watched(t *testing.T, collector string, flags ...string) (j *JVM, from, to, gap time.Duration) {
	t.Helper()
	var path string
	for _, java := range java(t) {
		if exec.Command(java, collector, "-version").Run() == nil {
			path = java
			break
		}
	}
	if path == "" {
		t.Skipf("no java here knows %s", collector)
	}
	j = start(t, path, append(append([]string{collector}, flags...), "testdata/java/Churn.java", "150", "600000")...)
	ticker := time.NewTicker(25 * time.Millisecond)
	defer ticker.Stop()
	poll := func() {
		<-ticker.C
		if err := j.Poll(clock.Monotonic()); err != nil {
			t.Fatal(err)
		}
	}
	for begin := clock.Monotonic(); j.Stopped(begin, j.lastPoll) < 50*time.Millisecond; poll() {
		if j.lastPoll > begin+time.Minute {
			t.Fatal("it was not stopped within a minute")
		}
	}
	from = j.lastPoll
	for to = from; to < from+6*time.Second; to = j.lastPoll {
		poll()
		gap = max(gap, j.lastPoll-to)
	}
	time.Sleep(1500 * time.Millisecond) // the end is logged later
	return j, from, to, gap
}

// The stops of Shenandoah's collections agree with the machine's log. In the passive mode all are degenerated or
// full.
func TestRealShenandoah(t *testing.T) {
	log := filepath.Join(t.TempDir(), "gc.log")
	j, from, to, _ := watched(t, "-XX:+UseShenandoahGC", "-Xlog:gc:file="+log+":timenanos,uptimenanos",
		"-XX:+UnlockDiagnosticVMOptions", "-XX:ShenandoahGCMode=passive", "-Xmx220m")
	pauses, _ := readLog(t, log)
	var want time.Duration
	for _, p := range pauses {
		want += max(0, min(p.end, to)-max(p.begin, from))
	}
	got := j.Stopped(from, to)
	t.Logf("%d pauses of %v, stopped for %v", len(pauses), want, got)
	if want == 0 {
		t.Fatal("the log has no pauses")
	}
	if diff := math.Abs(float64(got)/float64(want) - 1); diff > 0.05 {
		t.Errorf("sums differ by %.1f %%", 100*diff)
	}
}

// The collections that ZGC makes because threads wait for memory agree with the machine's log.
func TestRealAllocationStalls(t *testing.T) {
	log := filepath.Join(t.TempDir(), "gc.log")
	j, from, to, gap := watched(t, "-XX:+UseZGC", "-Xlog:gc,gc+start:file="+log+":timenanos,uptimenanos", "-Xmx200m")
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	at := func(nanoseconds string) time.Duration {
		n, err := strconv.ParseInt(nanoseconds, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return time.Duration(n)
	}
	begun := make(map[string]time.Duration)
	var want, stalled time.Duration
	collections := 0
	each := regexp.MustCompile(`\[(\d+)ns\]\[\d+ns\] (GC\(\d+\)) \S+ Collection \(Allocation Stall\)`)
	for _, m := range each.FindAllStringSubmatch(string(text), -1) {
		if begin, ok := begun[m[2]]; ok { // the second line is its end
			want += max(0, min(at(m[1]), to)-max(begin, from))
			collections++
		}
		begun[m[2]] = at(m[1])
	}
	waits := regexp.MustCompile(`\[(\d+)ns\]\[\d+ns\] Allocation Stall \(.*\) ([0-9.]+)ms`)
	for _, m := range waits.FindAllStringSubmatch(string(text), -1) {
		long, _ := strconv.ParseFloat(m[2], 64)
		stalled += max(0, min(at(m[1]), to)-max(at(m[1])-time.Duration(long*1e6), from))
	}
	got := j.Stopped(from, to)
	t.Logf("%d collections of %v, seen for %v; threads waited for %v; polls up to %v apart", collections, want,
		got, stalled, gap)
	if collections == 0 {
		t.Fatal("nobody waited for memory")
	}
	if off := (got - want).Abs(); off > time.Duration(collections)*gap+50*time.Millisecond {
		t.Errorf("%v off", off)
	}
}

// A machine that hides its counters, or does not count its pauses, says so.
func TestRealJVMRefused(t *testing.T) {
	path := java(t)[0]
	for _, tt := range []struct {
		flag string
		want error
	}{
		{"-XX:-UsePerfData", ErrNoCounters},
		{"-XX:+PerfDisableSharedMem", ErrNoCounters},
	} {
		t.Run(tt.flag, func(t *testing.T) {
			cmd := exec.Command(path, tt.flag, "-Xmx64m", "testdata/java/Churn.java", "1", "600000")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			defer func() { _ = cmd.Process.Kill() }()
			time.Sleep(time.Second)
			var err error
			for range 600 {
				var j *JVM
				if j, err = Open("/proc", int32(cmd.Process.Pid)); err == nil {
					j.Close()
				}
				if errors.Is(err, tt.want) {
					return
				}
				select {
				case <-ended:
					t.Skipf("%s does not know %s", path, tt.flag)
				case <-time.After(100 * time.Millisecond):
				}
			}
			t.Errorf("error %v, want %v", err, tt.want)
		})
	}
}
