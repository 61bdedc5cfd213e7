// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"time"
)

// progress writes one line per point.
type progress struct {
	out   io.Writer
	unit  string // of the throughput
	now   func() time.Time
	count func() int // how many points are missing
	total int
	each  time.Duration // that a point takes at least
	done  int
	begun time.Time
}

// point prints what was measured, and how long the rest will take.
func (p *progress) point(m measured) {
	p.done++
	what := m.setup
	if m.grown != "" {
		what += " with a bigger " + m.grown
	}
	fmt.Fprintf(p.out, "%4d/%d  %-40s %4d clients, run %d: %6.1f %s, mean %5.0f ms, others %2.0f %%; %s left\n",
		p.done, p.total, what, m.clients, m.run, m.throughput, p.unit, 1e3*m.mean, 100*m.others, p.left())
}

// left is the time that the rest takes: as the points so far took, starts of the servers included.
func (p *progress) left() time.Duration {
	each := p.each
	if p.done > 0 {
		each = max(each, p.now().Sub(p.begun)/time.Duration(p.done))
	}
	return (time.Duration(max(0, p.total-p.done)) * each).Round(time.Minute)
}

// recount follows a setup whose number of points has become known.
func (p *progress) recount() { p.total = p.done + p.count() }

// start is when the first servers are started.
func (p *progress) start() {
	if p.begun.IsZero() {
		p.begun = p.now()
	}
}
