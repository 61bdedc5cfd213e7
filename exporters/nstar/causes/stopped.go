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
	register("stopped", "Share of the window for which the tier's processes were stopped by a signal (SIGSTOP), a "+
		"debugger, or the freezer of their control group.", openStopped)
}

// stopped looks at the state of a tier's processes, and of their control groups, at each poll where it may have
// changed. It is exact to 25 ms, and for the first stop after a calm time to 100 ms.
type stopped struct {
	meters[int32, *halting] // by process
	hierarchies
	had  func(window.Station) (ran, waited time.Duration, known bool) // shared.total
	runs map[window.Station]*running
}

// running is how much processor time a tier's threads had, as of the last poll.
type running struct {
	sum        time.Duration
	last, prev time.Duration // time of the last poll, and of the one before it
	unsure     bool          // they ran before that, and not all were looked at since
	turn       int           // number of the process that is looked at next while they run
}

// halting is a process that may be stopped.
type halting struct {
	stat   *reader // of the thread that leads the process
	freeze *reader // nil if its control group can't be frozen
	dir    string  // of the control group
	first  bool    // version 1
	was    bool    // it was stopped at the last look
	at     time.Duration
	spans  spans
}

func openStopped(s *shared) (Collector, error) {
	stat, err := openReader(filepath.Join(s.options.ProcRoot, "self", "stat"))
	if err != nil {
		return nil, errors.New("no process can be read")
	}
	stat.close()
	return &stopped{newMeters[int32, *halting](s), findHierarchies(s.options.ProcRoot), s.total,
		make(map[window.Station]*running)}, nil
}

func (c *stopped) Follow(tiers []Tier) {
	c.follow(tiers, Tier.some, c.open)
	for pid, p := range c.all {
		if g, ok := c.of(pid, "freezer"); ok {
			p.into(g)
		}
	}
	for tier := range c.runs {
		if _, ok := c.tiers[tier]; !ok {
			delete(c.runs, tier)
		}
	}
}

// Poll looks at the processes of tiers that have requests. A process that is being stopped first runs, to take the
// signal, and then no more. So nothing can have changed while a tier's threads do not run. While they run, they are not
// all stopped, and if there are several processes, the next one in turn is looked at. While the loop is calm, all are
// looked at, because a short stop fits between two polls.
func (c *stopped) Poll(now time.Duration) {
	for tier, all := range c.tiers {
		if !c.active(tier, now) {
			continue
		}
		sum, _, known := c.had(tier)
		r := c.runs[tier]
		fresh := r == nil || now-r.last > longestPause
		if fresh {
			r = &running{last: now}
			c.runs[tier] = r
		}
		ran := sum != r.sum
		for i, p := range all {
			switch {
			case fresh || p.at == 0:
				p.look(now, now, now)
			case !known || c.calm || ran && len(all) > 1 && i == r.turn%len(all):
				p.poll(now)
			case p.was || !ran && r.unsure:
				p.look(now, r.prev, r.last)
			case !ran:
				p.at = now // unchanged since
			}
			c.moved = c.moved || p.was
		}
		r.sum, r.prev, r.last, r.unsure = sum, r.last, now, ran
		r.turn++
	}
}

// longestPause is the longest time since the last poll for which it still shows what has changed since.
const longestPause = time.Second

// open reads a single thread, because the file of the whole process adds all of its threads up, which takes long.
func (c *stopped) open(pid int32) (*halting, bool) {
	stat, err := openReader(filepath.Join(c.procRoot, fmt.Sprint(pid), "task", fmt.Sprint(pid), "stat"))
	return &halting{stat: stat}, err == nil
}

// into follows the process into a control group, because a process may be moved while it runs.
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

func (p *halting) poll(now time.Duration) (moved bool) {
	p.look(now, p.at, now)
	return p.was
}

// look looks at the process. If it is stopped now and was not before, it counts as stopped from the middle between
// since and until. If it is no longer stopped, it counts as running from the middle between the last look and this one.
func (p *halting) look(now, since, until time.Duration) {
	is := p.halted()
	from, to := p.at, now
	if !p.was {
		from = (since + until) / 2
	}
	if !is {
		to = (p.at + now) / 2
	}
	if p.was || is {
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

// state is the letter in a stat file after the name, which may contain any characters.
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
