// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"fmt"

	"github.com/cilium/ebpf"

	"github.com/nstar-project/nstar/exporters/nstar/bpf"
)

// ownTables are the tables that programs with kinds have for themselves: without kinds these are too small to hold any,
// and constants.
var ownTables = []string{"kind_steps", "kind_ends", "kind_table", ".rodata"}

// loadLater loads the programs once more, with kinds, on all other tables of the running programs. They are not
// attached: until the first kinds are asked for, they cost only their memory.
func (p *Probe) loadLater(shift int, tables map[string]*ebpf.Map) error {
	spec, err := p.spec(shift)
	if err != nil {
		return err
	}
	if err := p.sizeKinds(spec); err != nil {
		return err
	}
	for _, name := range ownTables {
		delete(tables, name)
	}
	var later bpf.NstarObjects
	if err := spec.LoadAndAssign(&later, &ebpf.CollectionOptions{MapReplacements: tables}); err != nil {
		return fmt.Errorf("loading programs that tell kinds apart: %w", err)
	}
	p.later = &later
	return nil
}

// takeOver attaches the programs with kinds in place of the running ones. Both write the same tables, and packets pass
// from one to the other without a gap, so that no count is lost. The events of sockets go to both for a moment, which
// is harmless: the second program finds what the first one did. Requests arrive by the program of incoming packets,
// which comes last: by then all the others know kinds, and requests leave with the kind with which they came.
func (p *Probe) takeOver() error {
	state, err := bpf.Trace(p.later.NstarState)
	if err != nil {
		return err
	}
	if err := p.state.Close(); err != nil {
		state.Close()
		return err
	}
	p.state = state
	if err := p.egress.Update(p.later.NstarEgress); err != nil {
		return fmt.Errorf("replacing the program of outgoing packets: %w", err)
	}
	if err := p.ingress.Update(p.later.NstarIngress); err != nil {
		return fmt.Errorf("replacing the program of incoming packets: %w", err)
	}
	return nil
}
