// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/window"
)

func init() {
	register("writeback", "Share of the window for which the host was writing dirty pages to its disks, 1 MiB and "+
		"more at once: logs, checkpoints and copies that were written into memory first.", openWriteback)
}

// writeback is nr_writeback of /proc/vmstat: pages that are on their way to a disk. Threads that read from the disk or
// sync a file then wait behind them.
type writeback struct {
	*shared
	file  *reader
	page  uint64 // size in bytes
	was   bool   // value at the last reading
	at    time.Duration
	next  time.Duration
	spans spans
}

const (
	// worthFlushing is how much must be on its way at once to count as a flush, and not as a log's last lines.
	worthFlushing = 1 << 20
	// writebackInterval is the shortest time between two readings.
	writebackInterval = 50 * time.Millisecond
)

func openWriteback(s *shared) (Collector, error) {
	file, err := openReader(filepath.Join(s.options.ProcRoot, "vmstat"))
	if err != nil {
		return nil, err
	}
	text, err := file.read()
	if _, ok := value(text, "nr_writeback"); err != nil || !ok {
		file.close()
		return nil, errors.New("no nr_writeback in " + s.options.ProcRoot + "/vmstat")
	}
	return &writeback{shared: s, file: file, page: uint64(os.Getpagesize())}, nil
}

func (c *writeback) Poll(now time.Duration) {
	if now < c.next {
		return
	}
	c.next = now + writebackInterval
	text, err := c.file.read()
	if err != nil {
		return
	}
	pages, ok := value(text, "nr_writeback")
	if !ok {
		return
	}
	is := pages*c.page >= worthFlushing
	if c.at > 0 { // a change since the last reading is assumed in the middle between both
		share := 0.5
		if is == c.was {
			share = map[bool]float64{true: 1}[is]
		}
		c.spans.add(c.at, now, share*(now-c.at).Seconds())
	}
	c.was, c.at = is, now
}

func (c *writeback) Share(_ window.Station, w Window) float64 {
	if c.at == 0 {
		return math.NaN()
	}
	return c.spans.share(w.From, w.To)
}
