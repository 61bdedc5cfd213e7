// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/window"
)

func init() {
	register("stopped", "Share of the window for which the tier's processes were stopped by a signal (SIGSTOP), a debugger, or the "+
		"freezer of their control group.", openStopped)
}

// stopped looks at the state of a tier's processes, and of their control groups, at every poll: it is exact to 25 ms.
type stopped struct {
	meters[int32, *halting] // by process
	hierarchies
}

// halting is a process that may be stopped.
type halting struct {
	stat   *reader // of the thread that leads it
	freeze *reader // nil where its control group can't be frozen
	dir    string  // of the control group
	first  bool    // version 1
	was    bool    // stopped at the last poll
	at     time.Duration
	spans  spans
}

func openStopped(s *shared) (Collector, error) {
	stat, err := openReader(filepath.Join(s.options.ProcRoot, "self", "stat"))
	if err != nil {
		return nil, errors.New("no process can be read")
	}
	stat.close()
	return &stopped{newMeters[int32, *halting](s), findHierarchies(s.options.ProcRoot)}, nil
}

func (c *stopped) Follow(tiers []Tier) {
	c.follow(tiers, Tier.some, c.open)
	for pid, p := range c.all {
		if g, ok := c.of(pid, "freezer"); ok {
			p.into(g)
		}
	}
}

// open reads one thread: the file of the whole process adds all of them up, which takes long.
func (c *stopped) open(pid int32) (*halting, bool) {
	stat, err := openReader(filepath.Join(c.procRoot, fmt.Sprint(pid), "task", fmt.Sprint(pid), "stat"))
	return &halting{stat: stat}, err == nil
}

// into follows the process into a control group; it may be moved while it runs.
func (p *halting) into(g group) {
	if g.dir == p.dir {
		return
	}
	p.thaw()
	p.dir, p.first = g.dir, g.first
	if g.dir == g.top { // the root can't be frozen
		return
	}
	file := "cgroup.events"
	if g.first {
		file = "freezer.state"
	}
	if r, err := openReader(filepath.Join(g.dir, file)); err == nil {
		p.freeze = r
	}
}

// thaw ends following the control group.
func (p *halting) thaw() {
	if p.freeze != nil {
		p.freeze.close()
		p.freeze = nil
	}
}

func (p *halting) close() {
	p.stat.close()
	p.thaw()
}

// poll looks at the process. What changed since the last time did so in the middle.
func (p *halting) poll(now time.Duration) {
	is := p.halted()
	if p.at > 0 {
		from, to := p.at, now
		middle := (from + to) / 2
		if !p.was {
			from = middle
		}
		if !is {
			to = middle
		}
		p.spans.add(from, to, max(0, (to-from).Seconds()))
	}
	p.was, p.at = is, now
}

// halted reports whether the process can't run.
func (p *halting) halted() bool {
	if text, err := p.stat.read(); err == nil && (state(text) == 'T' || state(text) == 't') {
		return true
	}
	if p.freeze == nil {
		return false
	}
	text, err := p.freeze.read()
	if err != nil {
		return false
	}
	if p.first {
		return strings.HasPrefix(text, "FROZEN")
	}
	n, _ := value(text, "frozen")
	return n == 1
}

// state is the letter in a stat file, behind the name, in which anything may be.
func state(stat string) byte {
	if i := bytes.LastIndexByte([]byte(stat), ')'); i >= 0 && i+2 < len(stat) {
		return stat[i+2]
	}
	return 0
}

func (c *stopped) Share(tier window.Station, w Window) float64 {
	processes := c.tiers[tier]
	if len(processes) == 0 {
		return math.NaN()
	}
	sum := 0.0
	for _, p := range processes {
		sum += p.spans.share(w.From, w.To)
	}
	return sum / float64(len(processes))
}
