// SPDX-License-Identifier: Apache-2.0

package bpf

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"
)

// Links are programs that are attached.
type Links []link.Link

// Trace attaches programs to the tracepoints that they were written for, one after the other; all or none.
func Trace(programs ...*ebpf.Program) (Links, error) {
	var all Links
	for _, program := range programs {
		l, err := link.AttachTracing(link.TracingOptions{Program: program})
		if err != nil {
			return nil, errors.Join(fmt.Errorf("attaching %v: %w", program, err), all.Close())
		}
		all = append(all, l)
	}
	return all, nil
}

// Close detaches them, the last first.
func (all Links) Close() error {
	var errs []error
	for _, l := range slices.Backward(all) {
		errs = append(errs, l.Close())
	}
	return errors.Join(errs...)
}

// Ring is how many windows of the given width a ring needs that keeps them for some time after their end: 1 << shift,
// more than the time has.
func Ring(kept, width time.Duration) (windows, shift int) {
	shift = bits.Len(uint(kept / width))
	return 1 << shift, shift
}
