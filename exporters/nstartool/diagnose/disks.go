// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"fmt"
	"slices"
)

// DiskNeighbour used the disks for which threads of a tier waited; the tier itself may be one.
type DiskNeighbour struct {
	Tier string `json:"-"`
	// Name of the systemd unit, container, command or other tier; kernel is the
	// kernel's own work, such as journals.
	Name string `json:"name"`
	// Operation is read or write.
	Operation string `json:"operation"`
	// Own is true for a tier of the same application.
	Own bool `json:"own_application"`
	// Share of the time that the tier waited for disks, by the bytes that each
	// moved meanwhile, 0 to 1.
	Share float64 `json:"share"`
}

// diskNeighbours reads which programs used the disks for which tiers waited.
func (q *querier) diskNeighbours(apps map[string]*Application) {
	for _, s := range q.vector("sum by (app, tier, neighbour, own_application, operation) (increase(" +
		q.over("nstar_tier_disk_neighbour_seconds_total", "") + ")) > 0") {
		if a := apps[label(s.Metric, "app")]; a != nil {
			a.DiskNeighbours = append(a.DiskNeighbours,
				DiskNeighbour{label(s.Metric, "tier"), label(s.Metric, "neighbour"),
					label(s.Metric, "operation"), label(s.Metric, "own_application") == "true", float64(s.Value)})
		}
	}
	for _, a := range apps {
		all := map[string]float64{}
		for _, n := range a.DiskNeighbours {
			all[n.Tier] += n.Share
		}
		for i := range a.DiskNeighbours {
			a.DiskNeighbours[i].Share /= all[a.DiskNeighbours[i].Tier]
		}
		slices.SortFunc(a.DiskNeighbours, func(x, y DiskNeighbour) int {
			return cmp.Or(cmp.Compare(x.Tier, y.Tier), -cmp.Compare(x.Share, y.Share), cmp.Compare(x.Name, y.Name),
				cmp.Compare(x.Operation, y.Operation))
		})
	}
}

// waitsForDisk reports whether the bottleneck's threads waited for a disk for long enough to say so.
func (d diagnosis) waitsForDisk() bool {
	if slices.ContainsFunc(d.Evidence, func(h Held) bool { return h.Tier == d.finding.Tier && h.By == "disk" }) {
		return true
	}
	p, _, ok := d.pause()
	return ok && p.cause == "disk"
}

// onDisk lists the programs that used the disks for which the bottleneck waited, if it did: the longest first, and
// last those without a name.
func (d diagnosis) onDisk() []DiskNeighbour {
	found := []DiskNeighbour{}
	if !d.bottleneck() || !d.waitsForDisk() {
		return found
	}
	for _, n := range d.DiskNeighbours {
		if n.Tier == d.finding.Tier && n.Name != otherNeighbours && n.Share >= worthSaying && len(found) < mostNamed {
			found = append(found, n)
		}
	}
	return found
}

// readsItself reports whether the bottleneck's threads waited for a disk, mostly for what they read from it.
func (d diagnosis) readsItself() bool {
	return slices.ContainsFunc(d.onDisk(), func(n DiskNeighbour) bool {
		return n.Own && n.Name == n.Tier && n.Operation == "read" && n.Share >= 0.5
	})
}

// kernelThreads are the kernel's own, as neighbours.
const kernelThreads = "kernel"

// did is what a neighbour did, with its share.
func (n DiskNeighbour) did() string {
	verb := map[string]string{"read": "read", "write": "wrote"}[n.Operation]
	switch {
	case n.Own && n.Name == n.Tier:
		return fmt.Sprintf("%s for what it %s itself", percent(n.Share), verb)
	case n.Name == kernelThreads:
		return fmt.Sprintf("%s for what the kernel itself %s", percent(n.Share), verb)
	}
	return fmt.Sprintf("%s for what %s %s", percent(n.Share), n.Name, verb)
}

// forWhom says which programs used the disk while the bottleneck waited for it; empty if that is not known.
func (d diagnosis) forWhom() string {
	var did []string
	for _, n := range d.onDisk() {
		did = append(did, n.did())
	}
	if did == nil {
		return ""
	}
	return ": " + list(did)
}

// strangers are the programs of other applications that used the bottleneck's disk, if they matter.
func (d diagnosis) strangers() (names []string) {
	share := 0.0
	for _, n := range d.onDisk() {
		if n.Own || n.Name == kernelThreads {
			continue
		}
		share += n.Share
		if !slices.Contains(names, n.Name) {
			names = append(names, n.Name)
		}
	}
	if share < worthMoving {
		return nil
	}
	return names
}

// worthMoving is the share of the waiting for a disk from which its others are to be moved away.
const worthMoving = 0.3

// cureDisk is what helps against other programs on the same disk; empty if none is known.
func (d diagnosis) cureDisk(tier string) string {
	names := d.strangers()
	if names == nil {
		return ""
	}
	return fmt.Sprintf("Move what %s writes and reads to another disk or another time, limit it (IOWeight=, "+
		"IOWriteBandwidthMax=, ionice), or give %s a disk of its own.", list(names), tier)
}

// atDisk is what else shows that the bottleneck waits for its disk.
func (d diagnosis) atDisk() string {
	facts := append(d.queue(), d.busy()...)
	if d.frozen() >= worthEvidence {
		facts = append(facts, d.stoodStill())
	}
	facts = append(facts, d.faulted()...)
	return inBrackets(append(facts, d.heldBy()...))
}

// cureWaitingForDisk is what helps a bottleneck whose requests wait for its disk. Other programs on that disk come
// first.
func (d diagnosis) cureWaitingForDisk(tier, others string) (first, useless string) {
	useless = "More processors for " + tier + ", and more threads or connections towards it, would gain nothing: " +
		"requests would still wait for the disk."
	if others != "" {
		useless = "More capacity for " + others + ", m" + useless[1:]
	}
	if cure := d.cureDisk(tier); cure != "" {
		return cure, useless
	}
	reads, writes := d.ownDisk()
	const memory = "give it more memory for its data (its buffer pool, the page cache)"
	const writing = "let it write less at a time (fewer commits, logs, checkpoints that are spread)"
	least := worthMoving * (reads + writes)
	switch {
	case reads > least && writes <= least:
		return fmt.Sprintf("Give %s a faster disk, or let it read less: %s, or an index.", tier, memory), useless
	case writes > least && reads <= least:
		return fmt.Sprintf("Give %s a faster disk, or %s.", tier, writing), useless
	}
	return fmt.Sprintf("Give %s a faster or a quieter disk (iostat -x shows how busy it is), %s, or %s.",
		tier, memory, writing), useless
}

// ownDisk is which parts of the bottleneck's waiting for disks its own reads and writes had.
func (d diagnosis) ownDisk() (reads, writes float64) {
	for _, n := range d.DiskNeighbours {
		switch {
		case n.Tier != d.finding.Tier || !n.Own || n.Name != n.Tier:
		case n.Operation == "read":
			reads += n.Share
		default:
			writes += n.Share
		}
	}
	return reads, writes
}

// muchDisk is how long threads wait for a disk, in seconds per second, before a tier at its limit may be there for
// that.
const muchDisk = 0.2

// andDisk is cureDisk for a tier at its limit.
func (d diagnosis) andDisk(tier string) string {
	much := slices.ContainsFunc(d.Evidence, func(h Held) bool {
		return h.Tier == d.finding.Tier && h.By == "disk" && h.Ratio >= muchDisk
	})
	if cure := d.cureDisk(tier); much && cure != "" {
		return " " + cure
	}
	return ""
}
