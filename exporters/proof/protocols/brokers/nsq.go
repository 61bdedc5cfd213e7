// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/nsqio/go-nsq"
	"github.com/nsqio/nsq/nsqd"
)

func serveNSQ(address, dir string) (stop func(), _ error) {
	o := nsqd.NewOptions()
	o.TCPAddress, o.HTTPAddress, o.DataPath = address, "127.0.0.1:0", dir
	s, err := nsqd.New(o)
	if err != nil {
		return nil, err
	}
	go func() { _ = s.Main() }() // ends with Exit
	return s.Exit, nil
}

var nsqLoads = map[string]func(address string, until end) (int, error){
	"publish": func(address string, until end) (int, error) {
		return consumed(address, until, func(p *nsq.Producer, i int) error {
			switch i % 4 {
			case 0:
				return p.MultiPublish("jobs", [][]byte{[]byte("one"), []byte("two")})
			case 1:
				return p.DeferredPublish("jobs", 100*time.Millisecond, []byte("later"))
			default:
				return p.Publish("jobs", []byte("hello"))
			}
		})
	},
	"large": func(address string, until end) (int, error) {
		return consumed(address, until, func(p *nsq.Producer, i int) error { return p.Publish("jobs", large) })
	},
	"listen": func(address string, until end) (int, error) { return consumed(address, until, nil) },
}

// consumed is a client that publishes, if there is one, and two that consume; every ninth message is put back once.
func consumed(address string, until end, publish func(p *nsq.Producer, i int) error) (n int, _ error) {
	config := nsq.NewConfig()
	config.HeartbeatInterval = time.Second
	config.MaxInFlight = 10
	topic := fmt.Sprintf("silence%d", time.Now().UnixNano())
	if publish != nil {
		topic = "jobs"
	}
	var heard atomic.Int64
	for range 2 {
		c, err := nsq.NewConsumer(topic, "proof", config)
		if err != nil {
			return 0, err
		}
		c.SetLogger(nil, nsq.LogLevelError)
		c.AddHandler(nsq.HandlerFunc(func(m *nsq.Message) error {
			if heard.Add(1)%9 == 0 && m.Attempts == 1 {
				m.RequeueWithoutBackoff(0)
			}
			return nil
		}))
		if err := c.ConnectToNSQD(address); err != nil {
			return 0, err
		}
		defer func() { c.Stop(); <-c.StopChan }()
		n++
	}
	if publish == nil {
		until.wait()
		return n, nil
	}
	p, err := nsq.NewProducer(address, config)
	if err != nil {
		return 0, err
	}
	defer p.Stop()
	p.SetLogger(nil, nsq.LogLevelError)
	n++
	err = until.repeat(func(i int) error { return publish(p, i) })
	if heard.Load() == 0 {
		err = errors.Join(err, errors.New("nobody heard anything"))
	}
	return n, err
}
