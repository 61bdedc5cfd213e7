// SPDX-License-Identifier: Apache-2.0

package main

import (
	_ "embed"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

//go:embed OpenWire.java
var openWire string

//go:embed Dubbo.java
var dubbo string

// ownJava is a program of one file of Java that is the server, which writes its count to a file, and its clients.
type ownJava struct {
	name   string // of the subject, and its jars
	jars   string
	file   string
	text   string
	source string // of the count
	// kinds are loads and the words that ask for them.
	kinds []struct{ name, word string }
}

// startOpenWire is a broker of ActiveMQ Classic, and its own clients.
func startOpenWire(b *bed.Bed, _, _ string) (*subject, error) {
	return ownJava{"openwire", "activemq", "OpenWire.java", openWire, "the broker's responses",
		[]struct{ name, word string }{
			{"persistent messages, 8 connections", "connections"},
			{"8 producers and 8 consumers on one connection", "sessions"},
			{"messages without a response, and consumers that commit", "commits"},
		}}.start(b)
}

// startDubbo is a service of Apache Dubbo, and its own clients.
func startDubbo(b *bed.Bed, _, _ string) (*subject, error) {
	return ownJava{"dubbo", "dubbo", "Dubbo.java", dubbo, "the service's answers",
		[]struct{ name, word string }{
			{"one call at a time", "one at a time"},
			{"32 threads on one connection", "shared"},
			{"32 threads on four connections", "connections"},
			{"32 threads, with calls that want no answer between", "one-way"},
		}}.start(b)
}

// start runs both on one processor, as Kafka's do.
func (o ownJava) start(b *bed.Bed) (*subject, error) {
	port, err := bed.FreePort()
	if err != nil {
		return nil, err
	}
	s := &subject{name: o.name, port: port}
	class, _ := java(o.jars)
	if class == "" {
		return s, nil
	}
	program, err := b.Write(o.file, o.text)
	if err != nil {
		return nil, err
	}
	at, counts := strconv.Itoa(int(port)), b.Path("answers")
	virtual := []string{"taskset", "-c", "0", "java", "-Xmx256m", "-XX:+UseSerialGC", "-cp", class, program}
	if _, err := b.Start("server", slices.Concat(virtual, []string{"serve", at, counts})...); err != nil {
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
	for _, kind := range o.kinds {
		s.loads = append(s.loads, load{
			name: kind.name, answered: answered, source: o.source,
			run: func() error {
				_, err := bed.Run(slices.Concat(virtual, []string{kind.word, at})...)
				return err
			},
		})
	}
	return s, nil
}
