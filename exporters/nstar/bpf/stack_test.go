// SPDX-License-Identifier: Apache-2.0

package bpf

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/rlimit"

	"github.com/nstar-project/nstar/exporters/nstar/bpf/bpftest"
)

// The most that all functions of a chain of calls may have on the stack together. Kernels before 6.8 round each up to
// 32 bytes, later ones to 16, so that a program that the running kernel accepts may be too large for older kernels.
const (
	stackMax   = 512
	stackRound = 32
)

var stackDepths = regexp.MustCompile(`stack depth ([0-9+]+)`)

// TestStack adds up the stack along every chain of calls as kernel 5.15 does.
func TestStack(t *testing.T) {
	if err := rlimit.RemoveMemlock(); err != nil {
		bpftest.Skip(t, err)
	}
	for _, name := range []string{"nstar_ingress", "nstar_egress", "nstar_state", "nstar_lost", "nstar_count"} {
		spec, err := LoadNstar()
		if err != nil {
			t.Fatal(err)
		}
		for other := range spec.Programs {
			if other != name {
				delete(spec.Programs, other)
			}
		}
		if err := SetConstants(spec, map[string]any{"kinds_on": uint8(1)}); err != nil { // or functions are missing
			t.Fatal(err)
		}
		functions := functionsOf(spec.Programs[name].Instructions)
		options := ebpf.CollectionOptions{Programs: ebpf.ProgramOptions{LogLevel: ebpf.LogLevelStats}}
		c, err := ebpf.NewCollectionWithOptions(spec, options)
		if err != nil {
			bpftest.Skip(t, err)
		}
		found := stackDepths.FindStringSubmatch(c.Programs[name].VerifierLog)
		c.Close()
		if found == nil {
			t.Fatalf("%s: the verifier does not tell the stack of its functions", name)
		}
		for i, depth := range strings.Split(found[1], "+") {
			if i >= len(functions) {
				t.Fatalf("%s: the verifier knows more than %d functions", name, len(functions))
			}
			functions[i].stack, _ = strconv.Atoi(depth)
		}
		deepest, chain := functions.deepest(0)
		t.Logf("%s: %d bytes along %s", name, deepest, strings.Join(chain, ", "))
		if deepest > stackMax {
			t.Errorf("%s: more than %d bytes of stack", name, stackMax)
		}
	}
}

// function is one of a program, with those that it calls.
type function struct {
	name  string
	stack int // bytes
	calls []string
}

type functions []*function

// functionsOf lists a program's functions in the order in which the verifier does.
func functionsOf(all asm.Instructions) (out functions) {
	for i := range all {
		if name := all[i].Symbol(); name != "" && (len(out) == 0 || out[len(out)-1].name != name) {
			out = append(out, &function{name: name})
		}
		if all[i].IsFunctionReference() {
			f := out[len(out)-1]
			f.calls = append(f.calls, all[i].Reference())
		}
	}
	return out
}

// deepest is the largest sum along calls from a function on, and the names along them. Functions do not call
// themselves.
func (all functions) deepest(from int) (bytes int, chain []string) {
	for i, f := range all {
		for _, called := range all[from].calls {
			if called != f.name {
				continue
			}
			if b, names := all.deepest(i); b > bytes {
				bytes, chain = b, names
			}
		}
	}
	rounded := (max(all[from].stack, 1) + stackRound - 1) / stackRound * stackRound
	return bytes + rounded, append([]string{all[from].name}, chain...)
}
