// SPDX-License-Identifier: Apache-2.0

// Package bpftest has helpers that tests of kernel programs share.
package bpftest

import (
	"errors"
	"os"
	"testing"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/rlimit"
)

// Skip leaves a test out if it can't run; under CI it must run.
func Skip(t testing.TB, err error) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("this test must run under CI, as root on a kernel with BPF: %v", err)
	}
	t.Skipf("needs root and a kernel with BPF: %v", err)
}

// newestHelper is the newest of kernel 5.15, the oldest that we support: bpf_task_pt_regs.
const newestHelper = asm.BuiltinFunc(175)

// Helpers fails if a program calls a helper that old kernels lack, whatever kernel the test runs on.
func Helpers(t *testing.T, load func() (*ebpf.CollectionSpec, error)) {
	t.Helper()
	spec, err := load()
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

// Load puts programs before the verifier of the running kernel. Its objects are of the generated type.
func Load(t *testing.T, spec *ebpf.CollectionSpec, objects any) {
	t.Helper()
	err := rlimit.RemoveMemlock()
	if err == nil {
		err = spec.LoadAndAssign(objects, nil)
	}
	var verifier *ebpf.VerifierError
	if errors.As(err, &verifier) && !errors.Is(err, ebpf.ErrNotSupported) && !errors.Is(err, os.ErrPermission) {
		t.Fatalf("the verifier refuses the programs: %+v", verifier)
	}
	if err != nil {
		Skip(t, err)
	}
}

// Walked fails if the verifier walked more than this number of instructions of a program. It gives up at a million;
// newer kernels prune better than old ones, so stay far below.
func Walked(t *testing.T, name string, p *ebpf.Program, most uint32) {
	t.Helper()
	info, err := p.Info()
	if err != nil {
		t.Fatal(err)
	}
	n, ok := info.VerifiedInstructions()
	if !ok {
		return
	}
	t.Logf("%s: the verifier walked %d instructions", name, n)
	if n > most {
		t.Errorf("%s: the verifier walked %d instructions: too near to the limit for older kernels", name, n)
	}
}
