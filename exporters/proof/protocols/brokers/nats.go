// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// serveNATS asks clients that are silent for a second whether they are there; the default is two minutes.
func serveNATS(address, dir string) (stop func(), _ error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		return nil, err
	}
	s, err := server.NewServer(&server.Options{Host: host, Port: number, NoSigs: true, JetStream: true, StoreDir: dir,
		PingInterval: time.Second})
	if err != nil {
		return nil, err
	}
	go s.Start()
	if !s.ReadyForConnections(20 * time.Second) {
		return nil, errors.New("NATS is not ready")
	}
	return s.Shutdown, nil
}

var natsLoads = map[string]func(address string, until end) (int, error){
	"publish": func(address string, until end) (int, error) {
		return published(address, until, func(int) []byte { return []byte("hello") })
	},
	"large": func(address string, until end) (int, error) {
		return published(address, until, func(int) []byte { return large })
	},
	"request":   requested,
	"jetstream": streamed,
	"listen":    listened,
}

// connect opens n connections.
func connect(address string, n int, options ...nats.Option) (all []*nats.Conn, _ error) {
	for range n {
		c, err := nats.Connect("nats://"+address, options...)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

func closeAll(all []*nats.Conn) {
	for _, c := range all {
		c.Close()
	}
}

// published is one that publishes, every third message with a header, and three that listen: two to all and one in a
// group.
func published(address string, until end, content func(int) []byte) (int, error) {
	all, err := connect(address, 4)
	if err != nil {
		return 0, err
	}
	defer closeAll(all)
	var heard atomic.Int64
	hear := func(*nats.Msg) { heard.Add(1) }
	for i, c := range all[1:] {
		if i == 2 {
			_, err = c.QueueSubscribe("jobs", "group", hear)
		} else {
			_, err = c.Subscribe("jobs", hear)
		}
		if err = errors.Join(err, c.Flush()); err != nil {
			return 0, err
		}
	}
	err = until.repeat(func(i int) error {
		m := nats.NewMsg("jobs")
		m.Data = content(i)
		if i%3 == 0 {
			m.Header.Set("number", strconv.Itoa(i))
		}
		return errors.Join(all[0].PublishMsg(m), all[0].FlushTimeout(10*time.Second))
	})
	if heard.Load() == 0 {
		err = errors.Join(err, errors.New("nobody heard anything"))
	}
	return len(all), err
}

// requested is two that ask and two that answer: a request and its answer are messages on two connections.
func requested(address string, until end) (int, error) {
	all, err := connect(address, 4)
	if err != nil {
		return 0, err
	}
	defer closeAll(all)
	for _, c := range all[:2] {
		answer := func(m *nats.Msg) { _ = m.Respond(append(m.Data, '!')) } // the client notices a missing answer
		if _, err := c.QueueSubscribe("ask", "servers", answer); err != nil {
			return 0, err
		}
		if err := c.Flush(); err != nil {
			return 0, err
		}
	}
	return len(all), until.repeat(func(i int) error {
		_, err := all[2+i%2].Request("ask", []byte("how are you"), 10*time.Second)
		return err
	})
}

// streamed is one client that publishes into a stream, which the server acknowledges, and one that fetches and
// acknowledges.
func streamed(address string, until end) (int, error) {
	all, err := connect(address, 2)
	if err != nil {
		return 0, err
	}
	defer closeAll(all)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	var ends [2]jetstream.JetStream
	for i, c := range all {
		if ends[i], err = jetstream.New(c); err != nil {
			return 0, err
		}
	}
	stream, err := ends[0].CreateOrUpdateStream(ctx, jetstream.StreamConfig{Name: "PROOF", Subjects: []string{"kept"}})
	if err != nil {
		return 0, err
	}
	consumer, err := ends[1].CreateOrUpdateConsumer(ctx, stream.CachedInfo().Config.Name, jetstream.ConsumerConfig{
		Durable: "reader", AckPolicy: jetstream.AckExplicitPolicy})
	if err != nil {
		return 0, err
	}
	return len(all), until.repeat(func(i int) error {
		if _, err := ends[0].Publish(ctx, "kept", []byte(fmt.Sprint("message ", i))); err != nil {
			return err
		}
		m, err := consumer.Next(jetstream.FetchMaxWait(10 * time.Second))
		if err != nil {
			return err
		}
		return m.Ack()
	})
}

// listened are three clients that only listen, and no publisher; one of the three asks the server now and then
// whether it is there.
func listened(address string, until end) (int, error) {
	all, err := connect(address, 2)
	if err != nil {
		return 0, err
	}
	asking, err := connect(address, 1, nats.PingInterval(500*time.Millisecond))
	if err != nil {
		return 0, err
	}
	all = append(all, asking...)
	defer closeAll(all)
	for _, c := range all {
		if _, err := c.Subscribe("silence", func(*nats.Msg) {}); err != nil {
			return 0, err
		}
		if err := c.Flush(); err != nil {
			return 0, err
		}
	}
	until.wait()
	return len(all), nil
}
