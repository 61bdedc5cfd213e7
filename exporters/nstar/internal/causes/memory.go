// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"errors"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/internal/window"
)

func init() {
	register("memory", "Share of the window for which some task of the tier's control group, or of the host where that does not tell, waited "+
		"for memory (reclaim, swap, pages that were thrown out).", openMemory)
}

// memory is pressure stall information (PSI): the line `some` of memory.pressure of the tier's control group (version
// 2), or of /proc/pressure/memory.
type memory struct {
	*shared
	hierarchies
	host   *pressure
	groups map[string]*pressure // by directory; nil where it tells nothing
	tiers  map[window.Station]*pressure
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
		return nil, errors.New("the kernel tells no pressure: it needs CONFIG_PSI=y, and psi=1 on its command line where that is off")
	}
	return &memory{
		shared: s, hierarchies: findHierarchies(s.options.ProcRoot), host: host,
		groups: make(map[string]*pressure), tiers: make(map[window.Station]*pressure),
	}, nil
}

// openPressure opens a file and sees that it can be read: where PSI is off, only reading fails.
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
	clear(c.tiers)
	before := c.groups
	c.groups = make(map[string]*pressure)
	for _, t := range tiers {
		p := c.host
		if len(t.PIDs) > 0 {
			if g, ok := c.of(t.PIDs[0], "memory"); ok && !g.first && g.dir != g.top {
				if own := c.group(g.dir, before); own != nil {
					p = own
				}
			}
		}
		c.tiers[t.Station] = p
	}
	for dir, p := range before {
		if c.groups[dir] == nil && p != nil {
			p.file.close()
		}
	}
}

func (c *memory) group(dir string, before map[string]*pressure) *pressure {
	p := c.groups[dir]
	if p == nil {
		if p = before[dir]; p == nil {
			p, _ = openPressure(filepath.Join(dir, "memory.pressure")) // else the host's counts
		}
		c.groups[dir] = p
	}
	return p
}

func (c *memory) Poll(now time.Duration) {
	for tier, p := range c.tiers {
		if c.active(tier, now) {
			p.poll(now)
		}
	}
}

func (p *pressure) poll(now time.Duration) {
	if p.at == now { // of a group that several tiers share
		return
	}
	text, err := p.file.read()
	if err != nil {
		return
	}
	v, ok := some(text)
	if !ok {
		return
	}
	if p.at > 0 {
		p.spans.add(p.at, now, v-p.last)
	}
	p.last, p.at = v, now
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
	if p == nil {
		return math.NaN()
	}
	return p.spans.share(w.From, w.To)
}
