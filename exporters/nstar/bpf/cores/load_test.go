// SPDX-License-Identifier: Apache-2.0

package cores

import (
	"testing"
	"unsafe"

	"github.com/nstar-project/nstar/exporters/nstar/bpf/bpftest"
)

// TestHelpers keeps the programs loadable on old kernels.
func TestHelpers(t *testing.T) {
	bpftest.Helpers(t, LoadMigrate)
	bpftest.Helpers(t, LoadMisses)
}

// User space reads the tables by these sizes.
func TestSizes(t *testing.T) {
	if moves, misses := unsafe.Sizeof(MigrateMoves{}), unsafe.Sizeof(MissesMisses{}); moves != 16 || misses != 24 {
		t.Errorf("moves have %d bytes, misses %d", moves, misses)
	}
}
