// SPDX-License-Identifier: Apache-2.0

package cores

import (
	"testing"
	"unsafe"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
)

// The newest helper of kernel 5.15, the oldest that we support: bpf_task_pt_regs.
const newestHelper = asm.BuiltinFunc(175)

func TestHelpers(t *testing.T) {
	for name, load := range map[string]func() (*ebpf.CollectionSpec, error){"migrate": LoadMigrate, "misses": LoadMisses} {
		spec, err := load()
		if err != nil {
			t.Fatal(err)
		}
		if len(spec.Programs) != 1 {
			t.Errorf("%s has %d programs", name, len(spec.Programs))
		}
		for _, program := range spec.Programs {
			for _, i := range program.Instructions {
				if i.IsBuiltinCall() && asm.BuiltinFunc(i.Constant) > newestHelper {
					t.Errorf("%s calls %v, which is newer than kernel 5.15", name, asm.BuiltinFunc(i.Constant))
				}
			}
		}
	}
}

// User space reads the tables by these sizes.
func TestSizes(t *testing.T) {
	if moves, misses := unsafe.Sizeof(MigrateMoves{}), unsafe.Sizeof(MissesMisses{}); moves != 16 || misses != 24 {
		t.Errorf("moves have %d bytes, misses %d", moves, misses)
	}
}
