// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// sixBytes measures the least that a request can cost a server: nginx answers six bytes on connections that are kept.
func sixBytes(r *figures.Report, b *bed.Bed, exporter string, rounds int, length time.Duration, connections int) error {
	nginx, err := b.Nginx()
	if err != nil {
		return err
	}
	full := load{Wrk: bed.Wrk{Threads: 1, Connections: connections, Duration: length, URL: nginx.URL()}, server: nginx}
	variants := []variant{
		{name: "nstar_exporter", start: withExporter(b, exporter, nginx.Port)},
		{name: "nstar_exporter without causes", start: withExporter(b, exporter, nginx.Port, withoutCauses()...)},
		{name: "nstar_exporter --bpf.stats", start: withExporter(b, exporter, nginx.Port, "--bpf.stats")},
	}
	r.Section("nginx with answers of 6 bytes, saturated by wrk, %d connections, %d rounds of %s; each variant between two runs with nothing",
		connections, rounds, length)
	if err := measure(r, variants, rounds, full); err != nil {
		return err
	}
	table(r, variants)
	return byStep(r, nginx, full, rounds)
}

// stepsAlone is sixBytes without the rest.
func stepsAlone(r *figures.Report, exporter string, rounds int, length time.Duration, connections int) error {
	if err := errors.Join(bed.Need("nginx", "wrk"), alone()); err != nil {
		return err
	}
	b, err := bed.New()
	if err != nil {
		return err
	}
	defer b.Close()
	return sixBytes(r, b, exporter, rounds, length, connections)
}
