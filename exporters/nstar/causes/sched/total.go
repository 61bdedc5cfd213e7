// SPDX-License-Identifier: Apache-2.0

package sched

import (
	"encoding/binary"
	"io"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/clock"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

const totalSize = 16 // of struct total

// Total is for how long a tier's threads ran and waited for a processor since the program was loaded, for all tiers
// that have had the number. A thread that still waits is added when it gets a processor.
func (p *Probe) Total(tier window.Station) (ran, waited time.Duration) {
	for cpu := range p.cpus {
		r, w := p.total(cpu, tier)
		ran, waited = ran+r, waited+w
	}
	return ran, waited
}

// total reads one processor's part, in the same way as add reads that of a window.
func (p *Probe) total(cpu int, tier window.Station) (ran, waited time.Duration) {
	var b [totalSize]byte
	for range readTries {
		began, before := p.running(cpu)
		if _, err := p.totals.ReadAt(b[:], int64((cpu*p.options.MaxTiers+int(tier))*totalSize)); err != nil &&
			err != io.EOF {
			return 0, 0 // outside the map: the tier does not exist
		}
		ran = time.Duration(binary.NativeEndian.Uint64(b[:]))
		waited = time.Duration(binary.NativeEndian.Uint64(b[8:]))
		if again, after := p.running(cpu); again != began || after != before {
			continue
		}
		if began != 0 && before == uint32(tier) {
			ran += max(0, clock.Monotonic()-time.Duration(began))
		}
		break
	}
	return ran, waited
}
