// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/nstar/bpf"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// asking has this test ask from one processor.
func asking(t *testing.T, cpu int, ask func()) {
	t.Helper()
	var all, one unix.CPUSet
	one.Set(cpu)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		t.Fatal(err)
	}
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		t.Fatal(err)
	}
	ask()
	if err := unix.SchedSetaffinity(0, &all); err != nil {
		t.Fatal(err)
	}
}

// Events on a processor that was added to the machine, and has no row of its own, are counted, too.
func TestAddedProcessor(t *testing.T) {
	var usable unix.CPUSet
	if err := unix.SchedGetaffinity(0, &usable); err != nil {
		t.Fatal(err)
	}
	if !usable.IsSet(0) || !usable.IsSet(1) {
		t.Skip("needs the first two processors")
	}
	b := newBench(t, Options{Processors: 1})
	if b.rows != (bpf.Rows{Own: 1, All: 2}) {
		t.Fatalf("rows %+v", b.rows)
	}
	l := listen(t, "tcp", "127.0.0.1:0")
	serve(t, l, hello)
	b.set(b.tables(l))
	asking(t, 0, func() { dial(t, l.Addr().String()).turns(300) })
	asking(t, 1, func() { dial(t, l.Addr().String()).turns(200) })
	b.expect(0, counts{Arrivals: 500, Completions: 500})
	var answers uint64
	for _, n := range b.Residences(window.Station(0)).Counts {
		answers += n
	}
	if answers < 498 { // of the last one of each connection the end is not known yet
		t.Errorf("%d answers have a residence time, want 498", answers)
	}
	var arrivals [2]uint32
	for row := range arrivals {
		for position := range b.ring {
			s, _ := entry[bpf.NstarSlot](b.slots, row*16*b.ring+position)
			arrivals[row] += s.Arrivals
		}
	}
	if arrivals[0] == 0 || arrivals[1] == 0 {
		t.Errorf("arrivals %v: one of the processors was not asked from", arrivals)
	}
}
