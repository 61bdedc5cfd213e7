// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"

	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// median, least and most of one figure of some loads.
func spread(loads []once, of func(once) float64) (median, least, most float64) {
	var values []float64
	for _, l := range loads {
		values = append(values, of(l))
	}
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2, values[0], values[n-1]
}

// figures of one load.
func rate(o once) float64       { return o.perSecond }
func perRequest(o once) float64 { return o.cpu / max(o.requests, 1) * 1e6 }
func (o once) ran() (sum float64) {
	for _, v := range o.cores {
		sum += v
	}
	return sum
}

// away is the part of the processor time outside of the core that had most.
func away(o once) float64 {
	most := 0.0
	for _, v := range o.cores {
		most = max(most, v)
	}
	if o.ran() == 0 {
		return 0
	}
	return 1 - most/o.ran()
}

func (m *measurement) print(r *figures.Report) {
	seconds := m.length.Seconds()
	moves := func(o once) float64 { return o.moves / seconds }
	for _, row := range []struct {
		name   string
		of     func(once) float64
		format string
	}{
		{"requests/s", rate, "%-28s free %9.0f (%.0f to %.0f), pinned %9.0f (%.0f to %.0f): x %.3f"},
		{"CPU time a request, us", perRequest, "%-28s free %9.2f (%.2f to %.2f), pinned %9.2f (%.2f to %.2f): x %.3f"},
		{"moves/s", moves, "%-28s free %9.1f (%.1f to %.1f), pinned %9.1f (%.1f to %.1f): x %.3f"},
		{"away from its main core", away, "%-28s free %9.3f (%.3f to %.3f), pinned %9.3f (%.3f to %.3f): x %.3f"},
	} {
		f, fl, fm := spread(m.free, row.of)
		p, pl, pm := spread(m.pinned, row.of)
		r.Note(row.format, row.name, f, fl, fm, p, pl, pm, p/max(f, 1e-9))
	}
	m.check(r)
}

// check compares the exporter's figures with the kernel's accounting, and with what was done.
func (m *measurement) check(r *figures.Report) {
	var said, accounted, moved, outside float64
	for _, o := range slices.Concat(m.free, m.pinned) {
		said += o.ran()
		accounted += o.cpu
	}
	for _, o := range m.pinned {
		moved += o.moves
		outside = max(outside, away(o))
	}
	// the kernel's accounting by process is in hundredths of a second
	r.Within("processor time by core, seconds", said, accounted, 0.05, "by process in the kernel's accounting")
	// pinning itself moves the threads that are elsewhere, which is before the load
	r.AtMost("away from its core while pinned", outside, 0.02, "of its time")
	r.AtMost("moves while pinned", moved/float64(len(m.pinned)), 5, "a load, which are those of pinning")
}
