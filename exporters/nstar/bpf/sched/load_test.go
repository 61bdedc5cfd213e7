// SPDX-License-Identifier: Apache-2.0

package sched

import (
	"errors"
	"os"
	"testing"
	"unsafe"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/rlimit"
)

// The newest helper of kernel 5.15, the oldest that we support: bpf_task_pt_regs.
const newestHelper = asm.BuiltinFunc(175)

func TestHelpers(t *testing.T) {
	spec, err := LoadSched()
	if err != nil {
		t.Fatal(err)
	}
	for name, program := range spec.Programs {
		for _, i := range program.Instructions {
			if i.IsBuiltinCall() && asm.BuiltinFunc(i.Constant) > newestHelper {
				t.Errorf("%s calls %v, which is newer than kernel 5.15", name, asm.BuiltinFunc(i.Constant))
			}
		}
	}
}

// User space reads both structures by these sizes; the states of two processors share no cache line.
func TestSizes(t *testing.T) {
	if slot, cpu := unsafe.Sizeof(SchedSlot{}), unsafe.Sizeof(SchedCpu{}); slot != 80 || cpu != 576 || cpu%64 != 0 {
		t.Errorf("a slot has %d bytes, a processor's state %d", slot, cpu)
	}
}

// TestLoad puts the program before the verifier of the running kernel.
func TestLoad(t *testing.T) {
	spec, err := LoadSched()
	if err != nil {
		t.Fatal(err)
	}
	if err := rlimit.RemoveMemlock(); err != nil {
		skip(t, err)
	}
	var objects SchedObjects
	err = spec.LoadAndAssign(&objects, nil)
	var verifier *ebpf.VerifierError
	if errors.As(err, &verifier) && !errors.Is(err, ebpf.ErrNotSupported) && !errors.Is(err, os.ErrPermission) {
		t.Fatalf("the verifier refuses the program: %+v", verifier)
	}
	if err != nil {
		skip(t, err)
	}
	defer objects.Close()
	info, err := objects.NstarSwitch.Info()
	if err != nil {
		t.Fatal(err)
	}
	if n, ok := info.VerifiedInstructions(); ok && n > 200_000 {
		t.Errorf("the verifier walked %d instructions: too near to the limit of a million for older kernels", n)
	} else {
		t.Logf("the verifier walked %d instructions", n)
	}
}

// skip leaves a test out where it can't run; under CI it must.
func skip(t *testing.T, err error) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("these tests must run under CI, as root on a kernel with BPF: %v", err)
	}
	t.Skipf("needs root and a kernel with BPF: %v", err)
}
