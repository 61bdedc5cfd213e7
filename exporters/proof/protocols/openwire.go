// SPDX-License-Identifier: Apache-2.0

package main

import (
	_ "embed"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

//go:embed OpenWire.java
var openWire string

// startOpenWire is a broker of ActiveMQ Classic, and its own clients. Both run on one processor, as Kafka does.
func startOpenWire(b *bed.Bed, _, _ string) (*subject, error) {
	port, err := bed.FreePort()
	if err != nil {
		return nil, err
	}
	s := &subject{name: "openwire", port: port}
	class, _ := java("activemq")
	if class == "" {
		return s, nil
	}
	program, err := b.Write("OpenWire.java", openWire)
	if err != nil {
		return nil, err
	}
	address, counts := fmt.Sprintf("tcp://127.0.0.1:%d", port), b.Path("responses")
	virtual := []string{"taskset", "-c", "0", "java", "-Xmx256m", "-XX:+UseSerialGC", "-cp", class, program}
	if _, err := b.Start("server", slices.Concat(virtual, []string{"serve", address, counts})...); err != nil {
		return nil, err
	}
	if err := bed.WaitFor(60*time.Second, func() error { _, err := os.Stat(counts); return err }); err != nil {
		return nil, err
	}
	answered := func() (int64, error) {
		time.Sleep(100 * time.Millisecond) // it is written every 20 ms
		text, err := os.ReadFile(counts)
		if err != nil {
			return 0, err
		}
		return strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	}
	for _, kind := range []struct{ name, word string }{
		{"persistent messages, 8 connections", "connections"},
		{"8 producers and 8 consumers on one connection", "sessions"},
		{"messages without a response, and consumers that commit", "commits"},
	} {
		s.loads = append(s.loads, load{
			name: kind.name, answered: answered, source: "the broker's responses",
			run: func() error {
				_, err := bed.Run(slices.Concat(virtual, []string{kind.word, address})...)
				return err
			},
		})
	}
	return s, nil
}
