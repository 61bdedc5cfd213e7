// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"fmt"
	"math"
	"testing"
	"testing/fstest"
	"time"

	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// What this machine's hypervisor does not do is tested with numbers written by hand.
func TestSteal(t *testing.T) {
	c := &steal{shared: &shared{}, cpus: make(map[int64]*spans), tiers: make(map[window.Station]unix.CPUSet)}
	if got := c.Share(0, Window{To: ms}); !math.IsNaN(got) {
		t.Errorf("%v of a tier that is not known", got)
	}
	var both, second unix.CPUSet
	both.Set(0)
	both.Set(1)
	second.Set(1)
	c.tiers[0], c.tiers[1] = both, second
	c.take(100*ms, map[int64]float64{0: 5, 1: 7})
	c.take(200*ms, map[int64]float64{0: 5.04, 1: 7, 2: 1})
	c.take(300*ms, map[int64]float64{0: 5.04, 1: 7, 2: 2})
	for tier, want := range map[window.Station]float64{0: 0.2, 1: 0} {
		if got := c.Share(tier, Window{From: 100 * ms, To: 150 * ms}); math.Abs(got-want) > 1e-9 {
			t.Errorf("tier %d: %v, want %v", tier, got, want)
		}
	}
	if !c.moved {
		t.Error("no haste though a processor was stolen")
	}
	if c.take(2*time.Minute, map[int64]float64{0: 5.04}); c.wait != restInterval {
		t.Errorf("the next reading is in %v though nothing is stolen", c.wait)
	}
}

// The clocks of a machine with two packages, one of which is too hot, as its kernel shows them (intel_pstate), and of a
// machine whose driver does not report a base frequency (acpi-cpufreq).
func TestFrequency(t *testing.T) {
	file := func(kHz string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(kHz + "\n")} }
	sys := fstest.MapFS{
		"cpu0/cpufreq/base_frequency": file("2400000"), "cpu0/cpufreq/cpuinfo_max_freq": file("3700000"),
		"cpu0/cpufreq/scaling_cur_freq": file("800136"),
		"cpu1/cpufreq/base_frequency":   file("2400000"), "cpu1/cpufreq/cpuinfo_max_freq": file("3700000"),
		"cpu1/cpufreq/scaling_cur_freq": file("3400000"),
		"cpu2/cpufreq/base_frequency":   file("2400000"), "cpu2/cpufreq/cpuinfo_max_freq": file("3700000"),
		"cpu2/cpufreq/scaling_cur_freq": file("1200000"),
		"cpu3/cpufreq/cpuinfo_max_freq": file("2000000"), "cpu3/cpufreq/scaling_cur_freq": file("1000000"),
		"cpu4/cpufreq/cpuinfo_max_freq": file("2000000"), "cpu4/cpufreq/scaling_cur_freq": file("<unknown>"),
		"cpufreq/boost": file("1"), "cpu5/online": file("0"),
	}
	c, err := newFrequency(&shared{}, sys)
	if err != nil {
		t.Fatal(err)
	}
	on := func(cpus ...int) (set unix.CPUSet) {
		for _, cpu := range cpus {
			set.Set(cpu)
		}
		return set
	}
	c.tiers = map[window.Station]unix.CPUSet{0: on(0, 1), 1: on(0, 2), 2: on(3), 3: on(4, 5)}
	if got := c.Share(0, Window{To: 100 * ms}); !math.IsNaN(got) {
		t.Errorf("%v before anything was read", got)
	}
	c.Poll(100 * ms)
	sys["cpu2/cpufreq/scaling_cur_freq"] = file("2400000")
	c.Poll(101 * ms) // too soon
	c.Poll(time.Hour)
	if len(c.clocks) != 1 || c.next < time.Hour+frequencyInterval {
		t.Errorf("%d readings are kept, the next is at %v", len(c.clocks), c.next)
	}
	c.clocks = append([]clocks{{100 * ms, map[int]float64{0: 1. / 3, 1: 1.4, 2: 0.5, 3: 0.5}}}, c.clocks...)
	for tier, want := range []float64{0, 0.5, 0.5, math.NaN(), math.NaN()} {
		got := c.Share(window.Station(tier), Window{To: 150 * ms})
		if math.Abs(got-want) > 1e-9 || math.IsNaN(got) != math.IsNaN(want) {
			t.Errorf("tier %d: %v, want %v", tier, got, want)
		}
	}
	if got := c.Share(1, Window{To: time.Hour}); got != 0 {
		t.Errorf("%v after it cooled down", got)
	}
	if _, err := newFrequency(&shared{}, fstest.MapFS{"cpu0/online": file("1")}); err == nil {
		t.Error("a machine without cpufreq has clocks")
	}
}

// A flush as /proc/vmstat shows it.
func TestWriteback(t *testing.T) {
	root := t.TempDir()
	vmstat := func(pages int) {
		t.Helper()
		put(t, root+"/vmstat", fmt.Sprintf("nr_free_pages 1141060\nnr_dirty 268\nnr_writeback %d\nnr_writeback_temp "+
			"9999\n",
			pages))
	}
	if _, err := openWriteback(&shared{options: Options{ProcRoot: root}}); err == nil {
		t.Error("there is no file")
	}
	put(t, root+"/vmstat", "nr_free_pages 1\n")
	if _, err := openWriteback(&shared{options: Options{ProcRoot: root}}); err == nil {
		t.Error("the file does not tell")
	}
	vmstat(3)
	opened, err := openWriteback(&shared{options: Options{ProcRoot: root}})
	if err != nil {
		t.Fatal(err)
	}
	c := opened.(*writeback)
	if got := c.Share(0, Window{To: 50 * ms}); !math.IsNaN(got) {
		t.Errorf("%v before anything was read", got)
	}
	flush := int(worthFlushing / c.page)
	for i, pages := range []int{flush - 1, flush, 10 * flush, 0, 0} {
		vmstat(pages)
		c.Poll(time.Duration(i+1) * 50 * ms)
		c.Poll(time.Duration(i+1)*50*ms + ms) // too soon
	}
	for i, want := range []float64{0.5, 1, 0.5, 0} {
		from := time.Duration(i+1) * 50 * ms
		if got := c.Share(window.Station(i), Window{From: from, To: from + 50*ms}); math.Abs(got-want) > 1e-9 {
			t.Errorf("window %d: %v, want %v", i, got, want)
		}
	}
}

func TestPressure(t *testing.T) {
	const text = "some avg10=1.00 avg60=0.50 avg300=0.10 total=2500000\nfull avg10=0.00 avg60=0.00 avg300=0.00 " +
		"total=7\n"
	if got, ok := some(text); got != 2.5 || !ok {
		t.Errorf("%v, %v", got, ok)
	}
	for _, text := range []string{"", "some\n", "some total=x\n", "full total=3\n"} {
		if _, ok := some(text); ok {
			t.Errorf("%q has a total", text)
		}
	}
}

// A group that reports its own pressure has that pressure. Other groups have the host's.
func TestMemoryOfGroup(t *testing.T) {
	procRoot, root := host(t, "31 30 0:27 / /cg rw - cgroup2 cgroup2 rw\n",
		map[int]string{5: "0::/db\n", 6: "0::/old\n"})
	host := procRoot + "/pressure/memory"
	put(t, host, "some avg10=0 total=0\n")
	put(t, root+"/cg/db/memory.pressure", "some avg10=0 total=0\n")
	s := &shared{options: Options{ProcRoot: procRoot}, asked: asked(0, 1)}
	c, err := openMemory(s)
	if err != nil {
		t.Fatal(err)
	}
	f := c.(*memory)
	tiers := []Tier{
		{Station: 0, App: "shop", Name: "db", PIDs: []int32{5}},
		{Station: 1, App: "shop", Name: "web", PIDs: []int32{6}},
	}
	f.Follow(tiers)
	f.Poll(100 * ms)
	put(t, host, "some avg10=0 total=5000\n")
	put(t, root+"/cg/db/memory.pressure", "some avg10=0 total=20000\n")
	f.Follow(tiers) // continues with the same files
	f.Poll(150 * ms)
	for tier, want := range map[window.Station]float64{0: 0.4, 1: 0.1} {
		if got := f.Share(tier, Window{From: 100 * ms, To: 150 * ms}); math.Abs(got-want) > 1e-9 {
			t.Errorf("tier %d: %v, want %v", tier, got, want)
		}
	}
	if got := f.Share(2, Window{To: ms}); !math.IsNaN(got) {
		t.Errorf("%v of a tier that is not known", got)
	}
}

// States as in stat files. A name may contain anything.
func TestState(t *testing.T) {
	for text, want := range map[string]byte{"1 (sh) S 0": 'S', "1 (a) T (b) t 0": 't', "1 (x)": 0, "": 0} {
		if got := state(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
