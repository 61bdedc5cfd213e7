// SPDX-License-Identifier: Apache-2.0

// Command cores is the experiment that two processors allow of the paper on multi-core processors: the same server, for
// the same load, pinned to a core of its own and free to be moved. It prints what is gained, and holds what the
// exporter says of cores and moves against the kernel's own figures.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// options are the command line.
type options struct {
	exporter    string
	rounds      int
	length      time.Duration
	connections int
}

func main() {
	var o options
	var serveAt string
	flag.StringVar(&o.exporter, "exporter", "bin/nstar_exporter", "the program")
	flag.IntVar(&o.rounds, "rounds", 5, "rounds of free, pinned, pinned, free")
	flag.DurationVar(&o.length, "length", 4*time.Second, "length of each load")
	flag.IntVar(&o.connections, "connections", 8, "connections of wrk")
	flag.StringVar(&serveAt, "serve", "", "be the server with the table at this address (used by itself)")
	flag.Parse()
	var err error
	if serveAt != "" {
		err = serve(serveAt)
	} else {
		report := figures.New("cores", os.Stdout)
		if err = experiment(o, report); err == nil {
			err = report.Close()
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "cores:", err)
		os.Exit(1)
	}
}
