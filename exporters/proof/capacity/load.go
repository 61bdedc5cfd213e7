// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime"
	"sync"
	"time"
)

// step is a stretch of load: a number of requests always under way (closed loop), or a rate of independent arrivals as
// a share of the capacity (open loop).
type step struct {
	population int
	share      float64
	length     time.Duration
}

// client keeps connections to a server and adds up response times.
type client struct {
	address string
	idle    chan *connection

	mu       sync.Mutex
	requests int64
	waited   time.Duration
	arrivals []time.Duration // monotonic, open loop only
	err      error
}

type connection struct {
	net.Conn
	answers *bufio.Reader
}

// newClient opens all connections beforehand.
func newClient(port, connections int) (*client, error) {
	c := &client{address: fmt.Sprintf("127.0.0.1:%d", port), idle: make(chan *connection, connections)}
	for range connections {
		conn, err := net.Dial("tcp", c.address)
		if err != nil {
			return nil, err
		}
		c.idle <- &connection{Conn: conn, answers: bufio.NewReader(conn)}
	}
	return c, nil
}

func (c *client) close() {
	for range cap(c.idle) {
		(<-c.idle).Close()
	}
}

// call sends a request and waits for its answer.
func (c *client) call(conn *connection) (ok bool) {
	began := time.Now()
	err := func() error {
		if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: station\r\n\r\n"); err != nil {
			return err
		}
		answer, err := http.ReadResponse(conn.answers, nil)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, answer.Body)
		return err
	}()
	took := time.Since(began)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		if c.err == nil {
			c.err = err
		}
		return false
	}
	c.requests++
	c.waited += took
	return true
}

// closed keeps some requests under way: each answer is followed by a request at once.
func (c *client) closed(population int, length time.Duration) {
	deadline := time.Now().Add(length)
	var all sync.WaitGroup
	for range population {
		conn := <-c.idle
		all.Go(func() {
			for time.Now().Before(deadline) && c.call(conn) {
			}
			c.idle <- conn
		})
	}
	all.Wait()
}

// open sends requests at random times, independent of the answers. It waits for the last answer.
func (c *client) open(rate float64, length time.Duration, r *rand.Rand) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var all sync.WaitGroup
	at := monotonic()
	end := at + length
	for {
		at += time.Duration(r.ExpFloat64() / rate * float64(time.Second))
		if at > end {
			break
		}
		sleepUntil(at)
		conn := <-c.idle
		c.mu.Lock()
		c.arrivals = append(c.arrivals, monotonic())
		c.mu.Unlock()
		all.Go(func() {
			c.call(conn)
			c.idle <- conn
		})
	}
	sleepUntil(end)
	all.Wait()
}

// run drives a station through the steps.
func (c *client) run(s station, steps []step, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 3))
	for _, step := range steps {
		if step.population > 0 {
			c.closed(step.population, step.length)
		} else {
			c.open(step.share*s.capacity(), step.length, r)
		}
	}
}
