// SPDX-License-Identifier: Apache-2.0

// Command cores is the part of the experiment in the paper on multi-core processors that is possible with two
// processors: the same server, under the same load, pinned to a core of its own and free to be moved. It prints the
// gain, and compares the exporter's figures of cores and moves with the kernel's own.
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
