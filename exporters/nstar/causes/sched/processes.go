// SPDX-License-Identifier: Apache-2.0

package sched

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/cilium/ebpf"

	schedbpf "github.com/nstar-project/nstar/exporters/nstar/bpf/sched"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Constants of processes.h and children.h.
const (
	noTier = 1<<32 - 1
	left   = 1<<32 - 1
	ally   = 1 << 30 // ALLY
	marks  = 1 << 16 // HINTS
)

// SetProcesses tells which processes, by thread-group id, belong to which tier. allies are processes that work for the
// same requests as some tier but belong to none; what they start carries their id. The kernel itself adds what any of
// these processes starts meanwhile, and keeps it for as long as it lives.
func (p *Probe) SetProcesses(processes map[uint32]window.Station, allies []uint32) error {
	want := make(map[uint32]uint32, len(processes)+len(allies))
	for _, pid := range allies {
		want[pid] = ally | pid
	}
	for pid, station := range processes {
		want[pid] = uint32(station)
	}
	var now [marks]byte
	for pid := range want {
		now[pid%marks] = 1
	}
	var errs []error
	if now != p.marks {
		p.marks = now
		errs = append(errs, p.objects.Hints.Set(now[:]))
	}
	have, err := p.processes()
	if err != nil {
		return fmt.Errorf("reading the tiers' processes: %w", err)
	}
	if err := p.endUnreported(have, want); err != nil {
		errs = append(errs, err)
	}
	put, forget := reconcile(have, want)
	for _, pid := range forget {
		if err := p.objects.TierProcesses.Delete(pid); err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
			errs = append(errs, fmt.Errorf("forgetting a process: %w", err))
		}
	}
	for pid, entry := range put {
		_, known := have[pid]
		if err := p.put(pid, entry, known); err != nil { // the next scan tries again
			errs = append(errs, fmt.Errorf("adding a process: %w", err))
		}
	}
	if len(errs) > 0 {
		return errs[0] // with a full table, the errors are all the same
	}
	return nil
}

// endUnreported removes the processes whose end the kernel did not report: the kernel entered them, and they are gone.
func (p *Probe) endUnreported(have map[uint32]schedbpf.SchedProcess, want map[uint32]uint32) error {
	for pid, entry := range have {
		if _, ok := want[pid]; ok || entry.Parent == 0 {
			continue
		}
		_, err := os.Stat(filepath.Join(p.options.ProcRoot, strconv.Itoa(int(pid))))
		if !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		result, err := p.objects.NstarEnded.Run(&ebpf.RunOptions{Context: pid})
		if err != nil {
			return fmt.Errorf("removing a process that has ended: %w", err)
		}
		if result == 0 { // otherwise the kernel has reported it meanwhile
			p.unreported.Add(1)
		}
		delete(have, pid)
	}
	return nil
}

// put writes an entry, unless the kernel has removed it meanwhile, or adds it, unless the kernel has added it.
func (p *Probe) put(pid uint32, entry schedbpf.SchedProcess, known bool) error {
	if !known {
		err := p.objects.TierProcesses.Update(pid, entry, ebpf.UpdateNoExist)
		if !errors.Is(err, ebpf.ErrKeyExist) {
			return err
		}
		var forked schedbpf.SchedProcess
		if err := p.objects.TierProcesses.Lookup(pid, &forked); err == nil {
			entry.Parent = forked.Parent
		}
	}
	if err := p.objects.TierProcesses.Update(pid, entry, ebpf.UpdateExist); !errors.Is(err, ebpf.ErrKeyNotExist) {
		return err
	}
	return nil
}

// batch is how many entries are read at once.
const batch = 1024

// processes reads the kernel's table.
func (p *Probe) processes() (map[uint32]schedbpf.SchedProcess, error) {
	all := make(map[uint32]schedbpf.SchedProcess)
	var cursor ebpf.MapBatchCursor
	pids, entries := make([]uint32, batch), make([]schedbpf.SchedProcess, batch)
	for {
		n, err := p.objects.TierProcesses.BatchLookup(&cursor, pids, entries, nil)
		for i := range n {
			all[pids[i]] = entries[i]
		}
		if errors.Is(err, ebpf.ErrKeyNotExist) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// reconcile compares the kernel's table with what a scan found, tiers or allies. It returns the entries to write and
// those to delete. For processes that the scan found, the scan is right. For other processes the kernel is right. They
// belong to the present tier of the process that started them. If that process has ended, they belong to its last tier,
// unless the tier is gone, too. They leave the table when they end.
func reconcile(have map[uint32]schedbpf.SchedProcess, want map[uint32]uint32) (
	put map[uint32]schedbpf.SchedProcess, forget []uint32) {
	put = make(map[uint32]schedbpf.SchedProcess)
	tiers := make(map[uint32]bool)
	for pid, tier := range want {
		tiers[tier] = true
		if had, ok := have[pid]; !ok || had.Tier != tier {
			put[pid] = schedbpf.SchedProcess{Tier: tier, Parent: had.Parent}
		}
	}
	for pid, had := range have {
		if _, ok := want[pid]; ok {
			continue
		}
		if had.Parent == 0 {
			forget = append(forget, pid)
			continue
		}
		if tier := inherited(had, have, want, tiers); tier != had.Tier {
			put[pid] = schedbpf.SchedProcess{Tier: tier, Parent: had.Parent}
		}
	}
	return put, forget
}

// generations limits the way to the process that a scan found, because an id that is used again might lead in a circle.
const generations = 64

// inherited is the tier of a process that the kernel has entered and that no scan has found.
func inherited(p schedbpf.SchedProcess, have map[uint32]schedbpf.SchedProcess, want map[uint32]uint32,
	tiers map[uint32]bool) uint32 {
	for range generations {
		if p.Parent == 0 || p.Parent == left { // no tier's process any more
			return noTier
		}
		if tier, ok := want[p.Parent]; ok {
			return tier
		}
		parent, ok := have[p.Parent]
		if !ok {
			break
		}
		p = parent
	}
	if tiers[p.Tier] {
		return p.Tier
	}
	return noTier
}
