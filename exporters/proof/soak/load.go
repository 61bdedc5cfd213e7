// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// load asks all servers, as clients do that come and go: on connections that are kept and on new ones, for small and
// large answers, for some that make a call to the server behind, and for some that they give up with a reset.
func load(ctx context.Context, addresses []string, clients int, pause time.Duration) {
	var all sync.WaitGroup
	var connections atomic.Uint64
	next := func() string { return addresses[connections.Add(1)%uint64(len(addresses))] }
	for i := range clients {
		all.Go(func() {
			c := &client{next: next, random: rand.New(rand.NewPCG(uint64(i), 1))}
			defer c.close()
			for ctx.Err() == nil {
				if err := c.turn(); err != nil {
					c.close() // the server was killed, or is starting
				}
				wait(ctx, time.Duration(c.random.ExpFloat64()*float64(pause)))
			}
		})
	}
	all.Wait()
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

type client struct {
	next    func() string // the server that it asks on its next connection: one after the other
	random  *rand.Rand
	conn    net.Conn
	answers *bufio.Reader
}

func (c *client) close() {
	if c.conn != nil {
		c.conn.Close()
		c.conn = nil
	}
}

// turn makes a request and reads the answer.
func (c *client) turn() error {
	if c.conn != nil && c.random.IntN(4) == 0 {
		c.close()
	}
	if c.conn == nil {
		conn, err := net.DialTimeout("tcp", c.next(), time.Second)
		if err != nil {
			return err
		}
		c.conn, c.answers = conn, bufio.NewReader(conn)
	}
	path := []string{"/", "/", "/", "/", "/", "/", "/chain", "/chain", "/large", "/hold"}[c.random.IntN(10)]
	_ = c.conn.SetDeadline(time.Now().Add(10 * time.Second))
	if _, err := fmt.Fprintf(c.conn, "GET %s HTTP/1.1\r\nHost: soak\r\n\r\n", path); err != nil {
		return err
	}
	if path == "/hold" {
		time.Sleep(time.Duration(5+c.random.IntN(100)) * time.Millisecond)
		_ = c.conn.(*net.TCPConn).SetLinger(0) // a reset
		c.close()
		return nil
	}
	answer, err := http.ReadResponse(c.answers, nil)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return err
}
