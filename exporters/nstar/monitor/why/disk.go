// SPDX-License-Identifier: Apache-2.0

package why

import (
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
)

// DiskNeighbours are the seconds for which a tier waited for disks, by the readers and writers of that time, including
// the tier itself; nil if that is not measured.
type DiskNeighbours struct{ Readers, Writers map[causes.Who]float64 }

// diskLedgers keeps account of which programs used the disks for which a tier's threads waited.
type diskLedgers struct{ readers, writers causes.Ledger }

// followDisk adds the users of a window; nil if they are not known.
func (t *Tier) followDisk(d *causes.DiskNeighbours, now time.Duration) {
	if d == nil {
		return
	}
	if t.disk == nil {
		t.disk = new(diskLedgers)
	}
	for _, n := range d.Readers {
		t.disk.readers.Add(n, now)
	}
	for _, n := range d.Writers {
		t.disk.writers.Add(n, now)
	}
}

func (l *diskLedgers) sums() DiskNeighbours {
	if l == nil {
		return DiskNeighbours{}
	}
	return DiskNeighbours{l.readers.Sums(), l.writers.Sums()}
}
