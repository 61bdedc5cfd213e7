// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"regexp"
	"strconv"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// broker is a server of messages. The exporter only counts that its connections can't be measured. Its loads are
// clients that say how many connections they had; all of these last as long as the load.
type broker struct {
	subject
	loads []brokerLoad
}

type brokerLoad struct {
	name    string
	program []string // goes on until the file is there that its last argument names
}

// brokers are started one after the other. Without Python, brokers that need it have no loads, and are left out.
var brokers = []struct {
	name  string
	start func(b *bed.Bed, programs, python string) (*broker, error)
}{
	{"mosquitto", startMosquitto}, {"nats", startNATS}, {"nsq", startNSQ}, {"rabbitmq-amqp", startAMQP},
	{"rabbitmq-stomp", startSTOMP},
}

const (
	loadTime = 2 * time.Second
	// all clients are connected by then, and have sent their first messages
	joinedAfter = 2 * time.Second
	// idle clients and servers send something every second or two
	joinedTime = 5 * time.Second
)

func allBrokers(r *figures.Report, exporter, programs, python string, chosen *regexp.Regexp) error {
	for _, s := range brokers {
		if !chosen.MatchString(s.name) {
			continue
		}
		start := func(b *bed.Bed) (*broker, error) { return s.start(b, programs, python) }
		if err := oneBroker(r, exporter, start); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

// oneBroker compares the exporter with each load's connections, first from their first byte, and then joined in the
// middle.
func oneBroker(r *figures.Report, exporter string, start func(*bed.Bed) (*broker, error)) error {
	b, err := bed.New()
	if err != nil {
		return err
	}
	defer b.Close()
	s, err := start(b)
	if err != nil || len(s.loads) == 0 {
		return err
	}
	e, err := begin(b, exporter, &s.subject)
	if err != nil {
		return err
	}
	for _, l := range s.loads {
		r.Section("%s: %s", s.name, l.name)
		before, err := e.Metrics()
		if err != nil {
			return err
		}
		clients := l.begin(b)
		time.Sleep(loadTime)
		connections, err := clients.end()
		if err != nil {
			return err
		}
		if err := unmeasured(r, e, s, before, connections, false); err != nil {
			return err
		}
	}
	if err := e.Stop(); err != nil {
		return err
	}
	for _, l := range s.loads {
		r.Section("%s: %s, joined in the middle of connections", s.name, l.name)
		if err := joinBroker(r, b, exporter, s, l); err != nil {
			return err
		}
	}
	return nil
}

// unmeasured checks that nothing but connections was counted since a scrape. A connection that is joined may show its
// protocol only with its first answer: its request is counted once, and mostly as aborted.
func unmeasured(r *figures.Report, e *bed.Exporter, s *broker, before bed.Samples, connections int64,
	joined bool) error {
	time.Sleep(bed.Settled)
	after, err := e.Metrics()
	if err != nil {
		return err
	}
	grown := func(name string) int64 {
		was, _ := value(before, name, s.name)
		is, _ := value(after, name, s.name)
		return int64(is - was)
	}
	r.Equal("connections that can't be measured", grown("nstar_tier_unmeasured_connections_total"), connections,
		"the clients' own count")
	arrivals, completions := grown("nstar_tier_arrivals_total"), grown("nstar_tier_completions_total")
	aborts := grown("nstar_tier_aborts_total")
	if joined {
		r.Check(arrivals <= connections, "arrivals: %d, at most one for each of %d connections", arrivals, connections)
		r.Equal("completions and aborts", completions+aborts, arrivals, "arrivals")
		r.Note("completions: %d", completions)
		return nil
	}
	r.Equal("arrivals", arrivals, 0, "expected")
	r.Equal("completions", completions, 0, "expected")
	r.Equal("aborts", aborts, 0, "expected")
	return nil
}

// joinBroker starts the exporter in the middle of a load.
func joinBroker(r *figures.Report, b *bed.Bed, exporter string, s *broker, l brokerLoad) error {
	clients := l.begin(b)
	time.Sleep(joinedAfter)
	e, err := begin(b, exporter, &s.subject)
	if err != nil {
		return err
	}
	time.Sleep(joinedTime)
	connections, err := clients.end()
	if err != nil {
		return err
	}
	if err := unmeasured(r, e, s, nil, connections, true); err != nil {
		return err
	}
	return e.Stop()
}

// clients are a load that runs.
type clients struct {
	stop  string
	ended chan error
	count clientCount
}

func (l brokerLoad) begin(b *bed.Bed) clients {
	c := clients{stop: b.Path("end"), ended: make(chan error, 1), count: clientCount{}}
	go func() { c.ended <- c.count.run(append(l.program[:len(l.program):len(l.program)], c.stop)...) }()
	return c
}

// end has them end, and says how many connections they had.
func (c clients) end() (connections int64, err error) {
	if err := os.WriteFile(c.stop, nil, 0o644); err != nil {
		return 0, err
	}
	err = <-c.ended
	return c.count["connections"], errors.Join(err, os.Remove(c.stop))
}

// loadsOf are those of a program that takes a load's name, and an address or port.
func loadsOf(names [][2]string, address string, program ...string) (loads []brokerLoad) {
	for _, of := range names {
		loads = append(loads, brokerLoad{name: of[1], program: append(program[:len(program):len(program)],
			of[0], address)})
	}
	return loads
}

// listening waits for a server's port.
func listening(port int) error {
	return bed.WaitFor(time.Minute, func() error {
		c, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			return err
		}
		return c.Close()
	})
}
