// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// withNginx measures at an nginx that answers six bytes, by a load on connections that are kept.
func withNginx(o options, f func(b *bed.Bed, port int, l load) error) error {
	if err := bed.Need("nginx", "wrk"); err != nil {
		return err
	}
	b, err := bed.New()
	if err != nil {
		return err
	}
	defer b.Close()
	nginx, err := b.Nginx()
	if err != nil {
		return err
	}
	return f(b, nginx.Port, load{
		Wrk:    bed.Wrk{Threads: 1, Connections: o.connections, Duration: o.length, URL: nginx.URL()},
		server: nginx,
	})
}

// sixBytes measures the least that a request can cost a server.
func sixBytes(r *figures.Report, o options) error {
	return withNginx(o, func(b *bed.Bed, port int, l load) error {
		variants := []variant{
			{name: "nstar_exporter", start: withExporter(b, o.exporter, port)},
			{name: "nstar_exporter without causes", start: withExporter(b, o.exporter, port, withoutCauses()...)},
			{name: "nstar_exporter --bpf.stats", start: withExporter(b, o.exporter, port, "--bpf.stats")},
		}
		r.Section("nginx with answers of 6 bytes, saturated by wrk, %d connections, %d rounds of %s; each variant "+
			"between two runs with nothing",
			o.connections, o.rounds, o.length)
		if err := measure(r, variants, o.rounds, l); err != nil {
			return err
		}
		table(r, variants)
		return nil
	})
}

// byStep measures the same server by steps of the kernel programs.
func byStep(r *figures.Report, o options) error {
	return withNginx(o, func(_ *bed.Bed, port int, l load) error {
		r.Section("The kernel programs by steps: nginx with answers of 6 bytes, %d connections kept, %d rounds there "+
			"and back",
			l.Connections, o.rounds)
		all, err := eachStep(r, port, l, o.rounds)
		if err != nil {
			return err
		}
		againstAims(r, all)
		return nil
	})
}

// churn measures the same server with a connection for each request, which costs the programs most: each connection
// begins and ends, and the kernel sends more segments without payload. There is no aim for it.
func churn(r *figures.Report, o options) error {
	return withNginx(o, func(_ *bed.Bed, port int, l load) error {
		l.Headers = []string{"Connection: close"}
		r.Section("The kernel programs by steps: nginx with answers of 6 bytes, a connection for each request, %d at "+
			"once, %d rounds there and back",
			l.Connections, o.rounds)
		_, err := eachStep(r, port, l, o.rounds)
		return err
	})
}
