// SPDX-License-Identifier: Apache-2.0

// Command soak runs the exporter under hard conditions for a while: connections that come and go, resets, servers and
// the exporter itself killed, hostile neighbours, two scrapers of which one is away for a minute, a client that hardly
// reads. It prints what was lost (nothing), the drift (0) and the memory (flat).
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// options are the command line.
type options struct {
	exporter    string
	duration    time.Duration
	tiers       int
	clients     int
	pause       time.Duration
	connections int
}

func main() {
	var o options
	var address, count, behind, to string
	var crowdUntil int64
	var holding int
	flag.StringVar(&o.exporter, "exporter", "bin/nstar_exporter", "the program")
	flag.DurationVar(&o.duration, "duration", 5*time.Minute, "how long all of it takes")
	flag.IntVar(&o.tiers, "tiers", 8, "servers")
	flag.IntVar(&o.clients, "clients", 32, "clients")
	flag.DurationVar(&o.pause, "pause", 100*time.Millisecond, "mean time between two requests of a client")
	flag.IntVar(&o.connections, "connections", 2000, "connections that idle all the time")
	flag.StringVar(&address, "serve", "", "be a server at this address (used by itself)")
	flag.StringVar(&count, "count", "", "where it tells what it counted")
	flag.StringVar(&behind, "behind", "", "the server that it calls")
	flag.Int64Var(&crowdUntil, "crowd", 0, "be a hostile neighbour until this second (used by itself)")
	flag.IntVar(&holding, "hold", 0, "hold so many connections (used by itself)")
	flag.StringVar(&to, "to", "", "to these addresses")
	flag.Parse()
	var err error
	switch {
	case address != "":
		err = serve(address, count, behind)
	case holding > 0:
		err = hold(holding, strings.Split(to, ","))
	case crowdUntil > 0:
		err = crowd(time.Unix(crowdUntil, 0), strings.Split(to, ","))
	default:
		report := figures.New("soak", os.Stdout)
		if err = soak(o, report); err == nil {
			err = report.Close()
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}
