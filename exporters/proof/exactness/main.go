// SPDX-License-Identifier: Apache-2.0

// Command exactness compares what nstar_exporter measures with the servers' own counts and with a packet capture of the
// same run, and shows the queue of a stopped server. `make check-exactness` runs it; docs/proof.md explains it.
package main

import (
	"flag"
	"fmt"
	"os"
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
	chain := flag.Bool("chain", true, "also check the demo's three tiers")
	root := flag.String("root", ".", "root of the repository")
	flag.Parse()

	r := figures.New("exactness", os.Stdout)
	err := single(r, *exporter, *duration, *connections, *think)
	if err == nil && *chain {
		err = threeTiers(r, *exporter, *root, *duration)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "exactness:", err)
		os.Exit(2)
	}
	if err := r.Close(); err != nil {
		fmt.Fprintln(os.Stderr, "exactness:", err)
		os.Exit(1)
	}
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
