// SPDX-License-Identifier: Apache-2.0

package disk

import (
	"testing"
	"unsafe"

	"github.com/nstar-project/nstar/exporters/nstar/bpf/bpftest"
)

// TestHelpers keeps the programs loadable on old kernels.
func TestHelpers(t *testing.T) { bpftest.Helpers(t, LoadDisk) }

// User space reads the slots by this size.
func TestSizes(t *testing.T) {
	if slot, command := unsafe.Sizeof(DiskSlot{}), unsafe.Sizeof(DiskCommand{}); slot != 216 || command != 20 {
		t.Errorf("a slot has %d bytes, a command %d", slot, command)
	}
}

// TestLoad puts the programs before the verifier of the running kernel.
func TestLoad(t *testing.T) {
	spec, err := LoadDisk()
	if err != nil {
		t.Fatal(err)
	}
	var objects DiskObjects
	bpftest.Load(t, spec, &objects)
	defer objects.Close()
	bpftest.Walked(t, "disk", objects.NstarDisk, 200_000)
	bpftest.Walked(t, "dirty", objects.NstarDirty, 200_000)
}
