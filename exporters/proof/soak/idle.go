// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// holders of connections are processes of their own: one may have 20,000 files open if the limit was not changed.
const perHolder = 10_000

// opened is the message of a holder when all of its connections are open.
const opened = "all connections are open"

// hold opens connections, asks each of them once, so that the kernel keeps a state for it, and keeps them.
func hold(n int, addresses []string) error {
	var wait sync.WaitGroup
	var next atomic.Int64
	failed := make(chan error, 1)
	conns := make([]net.Conn, n)
	for range 32 {
		wait.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				c, err := askOnce(addresses[i%len(addresses)])
				if err != nil {
					select {
					case failed <- fmt.Errorf("connection %d: %w", i, err):
					default:
					}
					return
				}
				conns[i] = c
			}
		})
	}
	wait.Wait()
	select {
	case err := <-failed:
		return err
	default:
	}
	fmt.Println(opened)
	time.Sleep(1000 * time.Hour) // until it is stopped
	return nil
}

// askOnce makes a connection with one request behind it.
func askOnce(address string) (net.Conn, error) {
	c, err := net.DialTimeout("tcp", address, 30*time.Second)
	if err != nil {
		return nil, err
	}
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: soak\r\n\r\n"); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return c, errors.Join(err, answer.Body.Close())
}

// startHolders opens the idle connections.
func (s *stage) startHolders() error {
	var all []*bed.Process
	for first := 0; first < s.connections; first += perHolder {
		n := min(perHolder, s.connections-first)
		argv := []string{s.self, "-hold", strconv.Itoa(n), "-to", strings.Join(s.addresses(), ",")}
		p, err := s.Start(fmt.Sprintf("holder-%d", len(all)), argv...)
		if err != nil {
			return err
		}
		all = append(all, p)
	}
	for _, p := range all {
		if err := bed.WaitFor(10*time.Minute, func() error {
			if err := p.Ended(); err != nil {
				return err
			}
			text, err := os.ReadFile(p.Log)
			if err == nil && !strings.Contains(string(text), opened) {
				err = errors.New("idle connections are still being opened")
			}
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}
