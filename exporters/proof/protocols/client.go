// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"maps"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// clientCount adds up the requests that clients report, by kind.
type clientCount map[string]int64

// run runs a client that prints its requests, a kind and their number on each line.
func (c clientCount) run(argv ...string) error {
	out, err := bed.Run(argv...)
	if err != nil {
		return err
	}
	for line := range strings.Lines(out) {
		var kind string
		var n int64
		if _, err := fmt.Sscan(line, &kind, &n); err != nil {
			return fmt.Errorf("the client's count %q: %w", line, err)
		}
		c[kind] += n
	}
	return nil
}

func (c clientCount) answered() (n int64, _ error) {
	for _, of := range c {
		n += of
	}
	return n, nil
}

func (c clientCount) byKind() (map[string]int64, error) { return maps.Clone(c), nil }

// keepAsking starts a client that keeps its connections. It asks when a program connects to the port that is added
// to its arguments, and answers ok there when it has done so.
func keepAsking(b *bed.Bed, argv ...string) (func() error, error) {
	port, err := bed.FreePort()
	if err != nil {
		return nil, err
	}
	client, err := b.Start("clients", append(argv, strconv.Itoa(port))...)
	if err != nil {
		return nil, err
	}
	ask := func() error {
		if err := client.Ended(); err != nil {
			return err
		}
		c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			return err
		}
		defer c.Close()
		said, err := io.ReadAll(c)
		if err == nil && string(said) != "ok" {
			err = fmt.Errorf("the clients said %q: %s", said, client.Tail())
		}
		return err
	}
	return ask, bed.WaitFor(time.Minute, ask) // it listens when its connections are open
}
