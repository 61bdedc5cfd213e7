// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/window"
	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// measurement is a running exporter with the tiers that are to be checked.
type measurement struct {
	bed      *bed.Bed
	exporter *bed.Exporter
	targets  []target
}

func newMeasurement(b *bed.Bed, binary string, targets []target) (*measurement, error) {
	var config strings.Builder
	config.WriteString("tiers:\n")
	for _, t := range targets {
		fmt.Fprintf(&config, "  - name: %s\n    app: proof\n    match: {port: %d}\n", t.tier, t.port)
	}
	e, err := b.Exporter(binary, config.String())
	if err != nil {
		return nil, err
	}
	for _, t := range targets {
		if err := e.AwaitTiers(t.tier); err != nil {
			return nil, err
		}
	}
	return &measurement{bed: b, exporter: e, targets: targets}, nil
}

// run are the measurements of one load, by tier.
type run struct {
	before, after    bed.Samples
	exported         map[string]exported
	read             map[string]map[int64]window.Window
	from, to         int64 // windows that the load fills, with idle ones around it
	packets, dropped int64
	file             string
}

// during runs a load with the exporter, the reader and, if asked, a capture.
func (m *measurement) during(capture bool, load func() error) (*run, error) {
	out := &run{exported: make(map[string]exported), read: make(map[string]map[int64]window.Window)}
	reader, err := newReader(m.targets)
	if err != nil {
		return nil, err
	}
	var c *bed.Capture
	if capture {
		var ports []string
		for _, t := range m.targets {
			ports = append(ports, fmt.Sprintf("tcp port %d", t.port))
		}
		if c, err = m.bed.Capture(strings.Join(ports, " or ")); err != nil {
			reader.finish()
			return nil, err
		}
		out.file = c.File
	}
	time.Sleep(bed.Settled)
	err = m.drive(out, load)
	reader.finish()
	if c != nil {
		var stopErr error
		if out.packets, out.dropped, stopErr = c.Finish(); err == nil {
			err = stopErr
		}
	}
	for i, t := range m.targets {
		out.read[t.tier] = reader.windows[window.Station(i)]
	}
	return out, err
}

func (m *measurement) drive(out *run, load func() error) error {
	var err error
	if out.before, err = m.exporter.Metrics(); err != nil {
		return err
	}
	if _, err = m.exporter.Windows("exactness"); err != nil {
		return err
	}
	out.from = time.Now().UnixNano()/int64(width) - 1
	if err := load(); err != nil {
		return err
	}
	out.to = time.Now().UnixNano()/int64(width) + 2
	time.Sleep(bed.Settled)
	if out.after, err = m.exporter.Metrics(); err != nil {
		return err
	}
	samples, err := m.exporter.Windows("exactness")
	if err != nil {
		return err
	}
	for _, t := range m.targets {
		e := make(exported)
		e.add(samples, t.tier)
		out.exported[t.tier] = e
	}
	return nil
}

// grown is by how much a counter of a tier has grown over the run.
func (r *run) grown(name, tier string) int64 {
	before, _ := r.before.Value(name, "tier", tier)
	after, _ := r.after.Value(name, "tier", tier)
	return int64(after - before)
}

// againstCapture compares a tier's windows with those reconstructed from the capture.
func (r *run) againstCapture(report *figures.Report, t target) error {
	packets, err := readCapture(r.file, t.port, t.protocol)
	if err != nil {
		return err
	}
	reference := cells(turns(packets), width, r.from, r.to)
	var arrivals, completions counts
	var queue queues
	missing := 0
	for i := r.from; i < r.to; i++ {
		want := reference[i]
		got, ok := r.exported[t.tier][i]
		if !ok && want != (cell{}) {
			missing++ // windows before the tier's first request are not exported, and hold nothing
		}
		arrivals.add(int64(r.read[t.tier][i].Arrivals), want.arrivals)
		completions.add(got.completions, want.completions)
		if want.queue > 0 || got.queue > 0 {
			queue.add(got.queue, want.queue)
		}
	}
	report.Check(missing == 0, "%s: %d of %d windows are missing on /windows", t.tier, missing, r.to-r.from)
	arrivals.report(report, t.tier+" arrivals", int(r.to-r.from))
	completions.report(report, t.tier+" completions", int(r.to-r.from))
	queue.report(report, t.tier)
	return nil
}
