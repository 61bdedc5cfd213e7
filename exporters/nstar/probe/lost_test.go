// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"testing"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/link"

	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Offsets of the fields that the programs which lose packets need (linux/bpf.h).
const (
	socketOfPacket = 168 // sk in struct __sk_buff
	portOfSocket   = 44  // src_port in struct bpf_sock, in host order
)

// losing lets everything that arrives at the sockets of a port get lost, as if the network had lost it, until it is
// called off.
func losing(t *testing.T, port uint16) (off func()) {
	t.Helper()
	program, err := ebpf.NewProgram(&ebpf.ProgramSpec{Type: ebpf.CGroupSKB, License: "Apache-2.0",
		Instructions: asm.Instructions{
			asm.LoadMem(asm.R1, asm.R1, socketOfPacket, asm.DWord),
			asm.JEq.Imm(asm.R1, 0, "pass"),
			asm.LoadMem(asm.R1, asm.R1, portOfSocket, asm.Word),
			asm.JNE.Imm(asm.R1, int32(port), "pass"),
			asm.Mov.Imm(asm.R0, 0),
			asm.Return(),
			asm.Mov.Imm(asm.R0, 1).WithSymbol("pass"),
			asm.Return(),
		}})
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	root, err := cgroupRoot("/proc")
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	l, err := link.AttachCgroup(link.CgroupOptions{Path: root.path(), Attach: ebpf.AttachCGroupInetIngress,
		Program: program})
	if err != nil {
		t.Fatal(err)
	}
	return func() { _ = l.Close() }
}

func (b *bench) lost(s window.Station) (n uint64) {
	for _, w := range b.windows[s] {
		n += w.Lost
	}
	return n
}

// A call that gets lost is sent again, and so is an answer. Each still counts as one call, and one request.
func TestLostCall(t *testing.T) {
	b, at := acrossLoss(t, func(server, _ uint16) uint16 { return server })
	if b.lost(at) == 0 || b.lost(0) > 0 {
		t.Errorf("%d segments of calls and %d of answers sent again, want some and none", b.lost(at), b.lost(0))
	}
}

// If the answer is lost, its acknowledgement of the call is lost, too, so that the call may also be sent again.
// But the call was not lost, and the server then says so.
func TestLostAnswer(t *testing.T) {
	b, at := acrossLoss(t, func(_, client uint16) uint16 { return client })
	if b.lost(0) == 0 || b.lost(at) > 0 {
		t.Errorf("%d segments of answers and %d of calls were lost, want some and none", b.lost(0), b.lost(at))
	}
}

// acrossLoss makes a call, and another one while packets that arrive at a port get lost.
func acrossLoss(t *testing.T, port func(server, client uint16) uint16) (b *bench, edge window.Station) {
	t.Helper()
	b, listeners := callers(t, 1, 1, 1)
	c := dial(t, listeners[0].Addr().String())
	c.turns(1)
	off := losing(t, port(addrPort(listeners[0].Addr()).Port(), addrPort(c.LocalAddr()).Port()))
	time.AfterFunc(100*time.Millisecond, off)
	c.turns(1)
	c.Close()
	b.expect(0, counts{Arrivals: 2, Completions: 2})
	b.expect(1, counts{Arrivals: 2, Completions: 2})
	return b, 1
}
