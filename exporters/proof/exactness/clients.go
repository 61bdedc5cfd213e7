// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	nethttp "net/http"
	"sync/atomic"
	"time"
)

const (
	askers   = 16  // clients at once
	requests = 100 // of each
)

// together runs a client several times at once.
func together(client func() error) error {
	ended := make(chan error, askers)
	for range askers {
		go func() { ended <- client() }()
	}
	var errs []error
	for range askers {
		errs = append(errs, <-ended)
	}
	return errors.Join(errs...)
}

// asking are clients that read every answer to its end.
type asking struct {
	url    string
	tls    *tls.Config
	new    bool // a connection for each request; otherwise they are kept
	body   int  // bytes that are uploaded; 0 is a GET
	expect bool // the body is sent when the server says 100 Continue, and not before
}

func (a asking) run() (out asked, err error) {
	var answered atomic.Int64
	err = together(func() error {
		transport := &nethttp.Transport{
			TLSClientConfig: a.tls, DisableKeepAlives: a.new, ExpectContinueTimeout: time.Minute,
		}
		defer transport.CloseIdleConnections()
		client := &nethttp.Client{Transport: transport, Timeout: time.Minute}
		for range requests {
			if err := a.ask(client); err != nil {
				return err
			}
			answered.Add(1)
		}
		return nil
	})
	return asked{answered: answered.Load()}, err
}

func (a asking) ask(client *nethttp.Client) error {
	method := nethttp.MethodGet
	if a.body > 0 {
		method = nethttp.MethodPost
	}
	request, err := nethttp.NewRequest(method, a.url, bytes.NewReader(make([]byte, a.body)))
	if err != nil {
		return err
	}
	if a.expect {
		request.Header.Set("Expect", "100-continue")
	}
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != nethttp.StatusOK {
		return fmt.Errorf("%s: %s", a.url, answer.Status)
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return err
}

// givingUp are clients that end every other connection with a reset, in the middle of a request or of its answer. On
// the others they ask for a small page and read it.
type givingUp struct {
	port   int
	path   string
	upload bool // the reset comes in the middle of a request
	begun  bool // the reset comes in the middle of the answer, which then counts as given; otherwise before it
}

func (g givingUp) run() (out asked, err error) {
	var answered, given atomic.Int64
	err = together(func() error {
		for i := range requests / 2 {
			page := asking{url: fmt.Sprintf("http://127.0.0.1:%d/small", g.port)}
			if i%2 == 0 {
				client := &nethttp.Client{Transport: &nethttp.Transport{DisableKeepAlives: true}, Timeout: time.Minute}
				if err := page.ask(client); err != nil {
					return err
				}
				answered.Add(1)
				continue
			}
			if err := g.giveUp(); err != nil {
				return err
			}
			if g.begun {
				answered.Add(1)
			} else {
				given.Add(1)
			}
		}
		return nil
	})
	return asked{answered.Load(), given.Load()}, err
}

// giveUp begins a request and ends its connection with a reset.
func (g givingUp) giveUp() error {
	c, err := net.DialTCP("tcp", nil, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: g.port})
	if err != nil {
		return err
	}
	defer c.Close()
	// a small buffer, so that the server can't send all of an answer at once
	if err := errors.Join(c.SetLinger(0), c.SetReadBuffer(16<<10),
		c.SetDeadline(time.Now().Add(time.Minute))); err != nil {
		return err
	}
	request := fmt.Sprintf("GET %s HTTP/1.1\r\nHost: proof\r\n\r\n", g.path)
	if g.upload {
		request = "POST /small HTTP/1.1\r\nHost: proof\r\nContent-Length: 300000\r\n\r\n" + string(make([]byte, 50_000))
	}
	if _, err := io.WriteString(c, request); err != nil {
		return err
	}
	if g.begun {
		_, err := io.ReadFull(c, make([]byte, 10_000))
		return err
	}
	time.Sleep(patience)
	return nil
}
