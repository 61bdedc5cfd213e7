// SPDX-License-Identifier: Apache-2.0

// Command stream is the two services of a small pipeline. Devices hand their readings to ingest (HTTP/1.1), which
// answers when Kafka has them; consumer takes them from there and writes each into PostgreSQL. Nobody waits for the
// second half: when it is slow, answers are as quick as ever, and readings get there later and later.
//
//	stream ingest|consumer    runs a service until it is told to end
//
// Under another name (a link) the program does what it is called, so that each service has a name of its own to others.
//
// Parameters come by the environment. Addresses: INGEST_PORT and KAFKA_PORT, both on 127.0.0.1; DATABASE, as a URL or
// key=value pairs; WRITTEN, a file in which the consumer tells how old readings were when it wrote them. Faults, 0 for
// none: ingest waits LINGER ms for more readings before it sends them; with HEAVY, the consumer has PostgreSQL read the
// whole history for each reading; with CHECK, it checks a signature of each one, some milliseconds of computing.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
)

// topic is where the readings wait for the consumer.
const topic = "readings"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	args := os.Args
	args[0] = filepath.Base(args[0])
	if args[0] == "stream" {
		args = args[1:]
	}
	if len(args) == 0 {
		log.Fatal("usage: stream ingest|consumer")
	}
	var err error
	switch args[0] {
	case "ingest":
		err = runIngest(ctx)
	case "consumer":
		err = runConsumer(ctx)
	default:
		err = fmt.Errorf("stream: no %q", args[0])
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

// listen answers at an address until the context ends.
func listen(ctx context.Context, address string, answers http.Handler) error {
	s := &http.Server{Addr: address, Handler: answers}
	context.AfterFunc(ctx, func() { _ = s.Close() })
	if err := s.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
