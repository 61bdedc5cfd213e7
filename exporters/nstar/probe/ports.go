// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"encoding/binary"
	"fmt"
	"unsafe"

	"github.com/cilium/ebpf"

	"github.com/nstar-project/nstar/exporters/nstar/bpf"
)

// ports are the marks of ports.h that user space writes. They are only ever added, a word at a time.
type ports struct {
	memory *ebpf.Memory
	marks  bpf.NstarPorts
}

func (p *ports) serving(port uint16) error {
	word := &p.marks.Serving[port/64]
	return p.mark(word, port, unsafe.Offsetof(p.marks.Serving)+uintptr(port/64)*unsafe.Sizeof(*word))
}

func (p *ports) joined(port uint16) error {
	entry := &p.marks.Remote[port/64]
	return p.mark(&entry.Joined, port, unsafe.Offsetof(p.marks.Remote)+uintptr(port/64)*unsafe.Sizeof(*entry))
}

func (p *ports) mark(word *uint64, port uint16, offset uintptr) error {
	bit := uint64(1) << (port % 64)
	if *word&bit != 0 {
		return nil
	}
	if _, err := p.memory.WriteAt(binary.NativeEndian.AppendUint64(nil, *word|bit), int64(offset)); err != nil {
		return fmt.Errorf("marking port %d: %w", port, err)
	}
	*word |= bit
	return nil
}
