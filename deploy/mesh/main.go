// SPDX-License-Identifier: Apache-2.0

// Command mesh is the servers of a small mesh of services in Go. Users ask the gateway (HTTP/1.1); for each page it
// asks catalog and pricing at the same time (gRPC in clear, all calls on one connection each). Catalog asks PostgreSQL
// through a pool of connections, pricing computes and asks rates, a third service. No server has a queue of its own in
// front: Go takes every request at once and lets them share its processors.
//
//	mesh gateway|catalog|pricing|rates    runs a server until it is told to end
//	mesh ask ...                          is a client for proofs, see ask.go
//
// Under another name (a link) the program does what it is called, so that each service has a name of its own to others.
//
// Parameters come by the environment. Addresses: GATEWAY_PORT, CATALOG_PORT, PRICING_PORT, RATES_PORT, all on
// 127.0.0.1; DATABASE, as a URL or key=value pairs. Faults, 0 for none: POOL connections to PostgreSQL, each of which a
// page keeps for HOLD ms before it asks anything; pricing waits OUTSIDE ms for something that is no tier, and takes at
// most STREAMS calls at a time from each client. In the directory COUNTS, where given, each service of gRPC tells at
// the Unix socket NAME.count how many calls it has answered.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	args := os.Args
	args[0] = filepath.Base(args[0])
	if args[0] == "mesh" {
		args = args[1:]
	}
	if len(args) == 0 {
		log.Fatal("usage: mesh gateway|catalog|pricing|rates|ask")
	}
	var err error
	switch args[0] {
	case "gateway":
		err = runGateway(ctx)
	case "catalog":
		err = runCatalog(ctx)
	case "pricing":
		err = runPricing(ctx)
	case "rates":
		err = serve(ctx, "rates", 0, rates)
	case "ask":
		err = runAsk(ctx, args[1:])
	default:
		err = fmt.Errorf("mesh: no %q", args[0])
	}
	if err != nil {
		log.Fatal(err)
	}
}

// address is where a server listens.
func address(name string) string { return "127.0.0.1:" + os.Getenv(name) }

// number is a parameter, 0 where it is not given.
func number(name string) int {
	n, _ := strconv.Atoi(os.Getenv(name))
	return n
}

func milliseconds(name string) time.Duration { return time.Duration(number(name)) * time.Millisecond }

// pause waits, unless nobody waits for the answer any more.
func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}
