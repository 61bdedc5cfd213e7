// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"testing"

	"github.com/nstar-project/nstar/exporters/nstar/bpf"
)

// Every limit that the kernel side counts has a name, and the other way round.
func TestDropReasonsAreTheKernels(t *testing.T) {
	spec, err := bpf.LoadNstar()
	if err != nil {
		t.Fatal(err)
	}
	if got := int(spec.Variables["drops"].Size()) / 8; got != len(DropReasons) {
		t.Errorf("the kernel side counts %d limits, %d have names", got, len(DropReasons))
	}
}
