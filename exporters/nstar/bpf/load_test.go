// SPDX-License-Identifier: Apache-2.0

package bpf

import (
	"errors"
	"os"
	"testing"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/rlimit"
)

// The newest helper of kernel 5.15, the oldest that we support: bpf_task_pt_regs.
const newestHelper = asm.BuiltinFunc(175)

// TestHelpers keeps the programs loadable on old kernels, whatever kernel the tests run on.
func TestHelpers(t *testing.T) {
	spec, err := LoadNstar()
	if err != nil {
		t.Fatal(err)
	}
	for name, program := range spec.Programs {
		for _, i := range program.Instructions {
			if i.IsBuiltinCall() && asm.BuiltinFunc(i.Constant) > newestHelper {
				t.Errorf("%s calls %v, which is newer than kernel 5.15", name, asm.BuiltinFunc(i.Constant))
			}
			if i.IsKfuncCall() {
				t.Errorf("%s calls the kernel function %s: these differ between kernels", name, i.Reference())
			}
		}
	}
}

// TestLoad puts all programs before the verifier of the running kernel, without and with kinds of requests.
func TestLoad(t *testing.T) {
	for _, kinds := range []uint8{0, 1} {
		load(t, kinds)
	}
}

func load(t *testing.T, kinds uint8) {
	spec, err := LoadNstar()
	if err != nil {
		t.Fatal(err)
	}
	if err := rlimit.RemoveMemlock(); err != nil {
		skip(t, err)
	}
	if err := spec.Variables["kinds_on"].Set(kinds); err != nil {
		t.Fatal(err)
	}
	var objects NstarObjects
	err = spec.LoadAndAssign(&objects, nil)
	var verifier *ebpf.VerifierError
	if errors.As(err, &verifier) && !errors.Is(err, ebpf.ErrNotSupported) && !errors.Is(err, os.ErrPermission) {
		t.Fatalf("the verifier refuses the programs: %+v", verifier)
	}
	if err != nil {
		skip(t, err)
	}
	defer objects.Close()
	for name, program := range map[string]*ebpf.Program{
		"ingress": objects.NstarIngress, "egress": objects.NstarEgress, "state": objects.NstarState,
		"count": objects.NstarCount,
	} {
		info, err := program.Info()
		if err != nil {
			t.Fatal(err)
		}
		// The verifier gives up at a million; newer kernels prune better than old ones, so stay far below.
		if n, ok := info.VerifiedInstructions(); ok {
			t.Logf("%s: the verifier walked %d instructions", name, n)
			if n > 200_000+100_000*uint32(kinds) {
				t.Errorf("%s: the verifier walked %d instructions: too near to the limit for older kernels", name, n)
			}
		}
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
