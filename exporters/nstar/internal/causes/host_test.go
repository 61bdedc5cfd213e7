// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"math"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/nstar/internal/window"
)

// What this machine's hypervisor does not do, by counters as others have them.
func TestSteal(t *testing.T) {
	c := &steal{cpus: make(map[int64]*spans), tiers: make(map[window.Station]unix.CPUSet)}
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
	if c.take(2*time.Minute, map[int64]float64{0: 5.04}); c.wait != restInterval {
		t.Errorf("the next reading is in %v though nothing is stolen", c.wait)
	}
}

func TestPressure(t *testing.T) {
	const text = "some avg10=1.00 avg60=0.50 avg300=0.10 total=2500000\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n"
	if got, ok := some(text); got != 2.5 || !ok {
		t.Errorf("%v, %v", got, ok)
	}
	for _, text := range []string{"", "some\n", "some total=x\n", "full total=3\n"} {
		if _, ok := some(text); ok {
			t.Errorf("%q has a total", text)
		}
	}
}

// A group that tells its own pressure has that, others the host's.
func TestMemoryOfGroup(t *testing.T) {
	procRoot, root := host(t, "31 30 0:27 / /cg rw - cgroup2 cgroup2 rw\n", map[int]string{5: "0::/db\n", 6: "0::/old\n"})
	host := procRoot + "/pressure/memory"
	put(t, host, "some avg10=0 total=0\n")
	put(t, root+"/cg/db/memory.pressure", "some avg10=0 total=0\n")
	s := &shared{options: Options{ProcRoot: procRoot}, asked: asked(0, 1)}
	c, err := openMemory(s)
	if err != nil {
		t.Fatal(err)
	}
	f := c.(*memory)
	tiers := []Tier{{0, "shop", "db", []int32{5}, nil}, {1, "shop", "web", []int32{6}, nil}}
	f.Follow(tiers)
	f.Poll(100 * ms)
	put(t, host, "some avg10=0 total=5000\n")
	put(t, root+"/cg/db/memory.pressure", "some avg10=0 total=20000\n")
	f.Follow(tiers) // goes on with the same files
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

// States as in stat files; a name may hold anything.
func TestState(t *testing.T) {
	for text, want := range map[string]byte{"1 (sh) S 0": 'S', "1 (a) T (b) t 0": 't', "1 (x)": 0, "": 0} {
		if got := state(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
