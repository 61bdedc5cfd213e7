// SPDX-License-Identifier: Apache-2.0

package bpf

import (
	"testing"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/rlimit"

	"github.com/nstar-project/nstar/exporters/nstar/bpf/bpftest"
)

func TestRing(t *testing.T) {
	const width = 50 * time.Millisecond
	for kept, want := range map[time.Duration]int{0: 1, width: 2, 3 * width: 4, 4 * width: 8, 127 * width: 128} {
		if windows, shift := Ring(kept, width); windows != want || 1<<shift != want {
			t.Errorf("%d windows, 1 << %d, to keep them for %v; want %d", windows, shift, kept, want)
		}
	}
}

// All programs are attached, or none: one that can't be leaves no other behind.
func TestTrace(t *testing.T) {
	if err := rlimit.RemoveMemlock(); err != nil {
		bpftest.Skip(t, err)
	}
	program := func(spec *ebpf.ProgramSpec) *ebpf.Program {
		t.Helper()
		spec.Instructions = asm.Instructions{asm.Mov.Imm(asm.R0, 0), asm.Return()}
		spec.License = "GPL"
		p, err := ebpf.NewProgram(spec)
		if err != nil {
			bpftest.Skip(t, err)
		}
		t.Cleanup(func() { p.Close() })
		return p
	}
	fork := program(&ebpf.ProgramSpec{Type: ebpf.Tracing, AttachType: ebpf.AttachTraceRawTp,
		AttachTo: "sched_process_fork"})
	free := program(&ebpf.ProgramSpec{Type: ebpf.Tracing, AttachType: ebpf.AttachTraceRawTp,
		AttachTo: "sched_process_free"})
	links, err := Trace(fork, free)
	if err != nil || len(links) != 2 {
		t.Fatalf("%d attached, %v", len(links), err)
	}
	if err := links.Close(); err != nil {
		t.Error(err)
	}
	if links, err := Trace(fork, program(&ebpf.ProgramSpec{Type: ebpf.SocketFilter})); err == nil || links != nil {
		t.Errorf("a program of another kind is attached: %v", links)
	}
}
