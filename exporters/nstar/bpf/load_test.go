// SPDX-License-Identifier: Apache-2.0

package bpf

import (
	"testing"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/features"

	"github.com/nstar-project/nstar/exporters/nstar/bpf/bpftest"
)

// TestHelpers keeps the programs loadable on old kernels.
func TestHelpers(t *testing.T) { bpftest.Helpers(t, LoadNstar) }

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
	if err := SetConstants(spec, map[string]any{"kinds_on": kinds}); err != nil {
		t.Fatal(err)
	}
	var objects NstarObjects
	bpftest.Load(t, spec, &objects)
	defer objects.Close()
	for name, program := range map[string]*ebpf.Program{
		"ingress": objects.NstarIngress, "egress": objects.NstarEgress, "state": objects.NstarState,
		"count": objects.NstarCount, "lost": objects.NstarLost,
	} {
		bpftest.Walked(t, name, program, mostWalked(t, kinds))
	}
}

// mostWalked is the bound of the running kernel. If the verifier looked at the steps of a walk more than once, the walk
// would be far beyond it; Linux 6.8 would not load it at all.
func mostWalked(t *testing.T, kinds uint8) uint32 {
	version, err := features.LinuxVersionCode()
	if err != nil {
		t.Fatal(err)
	}
	if version < 6<<16|8<<8 { // these prune less, whether kinds are on or not
		return 240_000
	}
	return 150_000 + 70_000*uint32(kinds)
}

// A constant that the C source does not have, or has with another type, is an error.
func TestSetConstants(t *testing.T) {
	for name, value := range map[string]any{"no_such_constant": uint32(1), "kinds_on": uint32(1)} {
		spec, err := LoadNstar()
		if err != nil {
			t.Fatal(err)
		}
		if SetConstants(spec, map[string]any{name: value}) == nil {
			t.Errorf("%s was set to a %T", name, value)
		}
	}
}
