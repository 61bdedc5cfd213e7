// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"errors"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Memory is the name of the cause.
const Memory = "memory"

func init() {
	register(Memory, "Share of the window for which some task of the tier's control group, or of the host where that "+
		"does not tell, waited for memory (reclaim, swap, pages that were thrown out).", openMemory)
}

// memory is pressure stall information (PSI): the line `some` of memory.pressure of the tier's control group (version
// 2), or of /proc/pressure/memory.
type memory struct {
	meters[string, *pressure] // of control groups, by directory
	hierarchies
	host *pressure
}

// pressure is one file.
type pressure struct {
	file  *reader
	last  float64
	at    time.Duration
	spans spans
}

func openMemory(s *shared) (Collector, error) {
	host, err := openPressure(filepath.Join(s.options.ProcRoot, "pressure", "memory"))
	if err != nil {
		return nil, errors.New("the kernel reports no memory pressure: it needs CONFIG_PSI=y, and psi=1 on its " +
			"command line if PSI is off")
	}
	return &memory{newMeters[string, *pressure](s), findHierarchies(s.options.ProcRoot), host}, nil
}

// openPressure opens a file and checks that it can be read, because if PSI is off, only reading fails.
func openPressure(path string) (*pressure, error) {
	r, err := openReader(path)
	if err != nil {
		return nil, err
	}
	if _, err := r.read(); err != nil {
		r.close()
		return nil, err
	}
	return &pressure{file: r}, nil
}

func (c *memory) Follow(tiers []Tier) {
	c.follow(tiers, c.dir, func(dir string) (*pressure, bool) {
		p, err := openPressure(filepath.Join(dir, "memory.pressure"))
		return p, err == nil
	})
	for _, t := range tiers {
		if len(c.tiers[t.Station]) == 0 {
			c.tiers[t.Station] = []*pressure{c.host}
		}
	}
}

// dir is the directory of a tier's control group; none if the group does not report its pressure.
func (c *memory) dir(t Tier) []string {
	g, ok := discovery.FirstAlive(t.PIDs, func(pid int32) (group, bool) { return c.of(pid, "memory") })
	if !ok || g.first || g.dir == g.top {
		return nil
	}
	return []string{g.dir}
}

func (p *pressure) close() { p.file.close() }

// worthHaste is how much time waiting for memory between two readings, in seconds, is more than the wait for the few
// pages that a busy host always looks for.
const worthHaste = 0.005

func (p *pressure) poll(now time.Duration) (moved bool) {
	if p.at == now { // a group that several tiers share
		return false
	}
	text, err := p.file.read()
	if err != nil {
		return false
	}
	v, ok := some(text)
	if !ok {
		return false
	}
	if p.at > 0 {
		p.spans.add(p.at, now, v-p.last)
		moved = v-p.last > worthHaste
	}
	p.last, p.at = v, now
	return moved
}

// some is the total of the line `some`, in seconds.
func some(text string) (float64, bool) {
	line, _, _ := strings.Cut(text, "\n")
	_, total, ok := strings.Cut(line, "total=")
	us, err := strconv.ParseUint(strings.TrimSpace(total), 10, 64)
	return float64(us) / 1e6, ok && err == nil && strings.HasPrefix(line, "some ")
}

func (c *memory) Share(tier window.Station, w Window) float64 {
	p := c.tiers[tier]
	if len(p) == 0 {
		return math.NaN()
	}
	return p[0].spans.share(w.From, w.To)
}
