// SPDX-License-Identifier: Apache-2.0

package unixsockets

import (
	"testing"

	"github.com/cilium/ebpf"
	"github.com/google/go-cmp/cmp"

	"github.com/nstar-project/nstar/exporters/nstar/bpf"
	"github.com/nstar-project/nstar/exporters/nstar/bpf/bpftest"
)

// TestLoad puts all programs before the verifier of the running kernel, without and with kinds of requests.
func TestLoad(t *testing.T) {
	for _, kinds := range []uint8{0, 1} {
		spec, err := LoadUnix()
		if err != nil {
			t.Fatal(err)
		}
		if err := bpf.SetConstants(spec, map[string]any{"kinds_on": kinds}); err != nil {
			t.Fatal(err)
		}
		var objects UnixObjects
		bpftest.Load(t, spec, &objects)
		for name, program := range map[string]*ebpf.Program{
			"tier": objects.NstarUnixTier, "edge": objects.NstarUnixEdge, "end": objects.NstarUnixEnd,
			"walk": objects.NstarUnixWalk, "count": objects.NstarUnixCount, "sweep": objects.NstarUnixSweep,
		} {
			bpftest.Walked(t, name, program, 210_000+80_000*uint32(kinds))
		}
		objects.Close()
	}
}

// Both objects have the same variables in the same places because they share the memory of these.
func TestSharedVariables(t *testing.T) {
	ours, err := LoadUnix()
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := bpf.LoadNstar()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(variables(theirs), variables(ours)); diff != "" {
		t.Errorf("variables (-packets +Unix sockets):\n%s", diff)
	}
}

type place struct{ Offset, Size uint32 }

func variables(spec *ebpf.CollectionSpec) map[string]place {
	out := make(map[string]place)
	for name, v := range spec.Variables {
		if v.SectionName == ".bss" {
			out[name] = place{v.Offset, v.Size()}
		}
	}
	return out
}
