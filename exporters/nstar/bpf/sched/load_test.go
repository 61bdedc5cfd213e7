// SPDX-License-Identifier: Apache-2.0

package sched

import (
	"testing"
	"unsafe"

	"github.com/nstar-project/nstar/exporters/nstar/bpf/bpftest"
)

// TestHelpers keeps the program loadable on old kernels.
func TestHelpers(t *testing.T) { bpftest.Helpers(t, LoadSched) }

// User space reads these structures by these sizes; the states of two processors share no cache line.
func TestSizes(t *testing.T) {
	if slot, cpu := unsafe.Sizeof(SchedSlot{}), unsafe.Sizeof(SchedCpu{}); slot != 80 || cpu != 576 || cpu%64 != 0 {
		t.Errorf("a slot has %d bytes, a processor's state %d", slot, cpu)
	}
	if total := unsafe.Sizeof(SchedTotal{}); total != 16 {
		t.Errorf("a total has %d bytes", total)
	}
}

// TestLoad puts the program before the verifier of the running kernel.
func TestLoad(t *testing.T) {
	spec, err := LoadSched()
	if err != nil {
		t.Fatal(err)
	}
	var objects SchedObjects
	bpftest.Load(t, spec, &objects)
	defer objects.Close()
	bpftest.Walked(t, "switch", objects.NstarSwitch, 200_000)
}
