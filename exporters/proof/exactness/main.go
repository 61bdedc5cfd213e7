// SPDX-License-Identifier: Apache-2.0

// Command exactness compares what nstar_exporter measures with the servers' own counts and with a packet capture of the
// same run, and shows the queue of a stopped server. `make check-exactness` runs it; docs/proof.md explains it.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// target is a server that is measured.
type target struct {
	tier     string
	port     int
	protocol protocol
}

func main() {
	exporter := flag.String("exporter", "bin/nstar_exporter", "the exporter to check")
	duration := flag.Duration("duration", 10*time.Second, "length of the load")
	connections := flag.Int("connections", 64, "connections of the load")
	think := flag.Int("think", 25, "longest think time of a connection, in milliseconds")
	only := flag.String("only", "", "the parts to check (httpd, cases, chain), as a regular expression; all if empty")
	root := flag.String("root", ".", "root of the repository")
	flag.Parse()

	r := figures.New("exactness", os.Stdout)
	if err := parts(*only, []part{
		{"httpd", func() error { return single(r, *exporter, *duration, *connections, *think) }},
		{"cases", func() error { return cases(r, *exporter, *duration) }},
		{"chain", func() error { return threeTiers(r, *exporter, *root, *duration) }},
	}); err != nil {
		fmt.Fprintln(os.Stderr, "exactness:", err)
		os.Exit(2)
	}
	if err := r.Close(); err != nil {
		fmt.Fprintln(os.Stderr, "exactness:", err)
		os.Exit(1)
	}
}

// part is a part that can be checked by itself.
type part struct {
	name string
	run  func() error
}

// parts runs those whose name the expression finds, one after the other.
func parts(only string, all []part) error {
	chosen, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	for _, p := range all {
		if !chosen.MatchString(p.name) {
			continue
		}
		if err := p.run(); err != nil {
			return err
		}
	}
	return nil
}

// single is Apache httpd alone: counts, windows against the capture, and SIGSTOP.
func single(r *figures.Report, exporter string, duration time.Duration, connections, think int) error {
	if err := bed.Need("apache2", "wrk", "tcpdump", "tshark"); err != nil {
		return err
	}
	b, err := bed.New()
	if err != nil {
		return err
	}
	defer b.Close()
	httpd, err := b.Httpd(true)
	if err != nil {
		return err
	}
	targets := []target{{tier: "httpd", port: httpd.Port, protocol: http}}
	m, err := newMeasurement(b, exporter, targets)
	if err != nil {
		return err
	}
	if err := counted(r, m, httpd, duration, connections, think); err != nil {
		return err
	}
	return stopped(r, m, httpd)
}
