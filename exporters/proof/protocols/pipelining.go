// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// The server gives a body's length only if it must.
const nginxHTTP1Config = bed.NginxHead + `  access_log %[1]s/access.log;
  keepalive_requests 100000;
  gzip on; gzip_types application/octet-stream; gzip_min_length 1000;
  server { listen 127.0.0.1:%[2]d; root %[1]s; error_page 405 =200 /small; }
}
`

// startPipelinedNginx serves files over HTTP/1.1, with answers in chunks for clients that accept compression.
func startPipelinedNginx(b *bed.Bed, _, _ string) (*subject, error) {
	port, answered, err := serveFiles(b, nginxHTTP1Config)
	if err != nil {
		return nil, err
	}
	return &subject{name: "nginx HTTP/1.1", port: port, loads: pipelined(port, answered)}, nil
}

// startPipelinedHttpd is Apache httpd, which takes a connection only when its first request is there.
func startPipelinedHttpd(b *bed.Bed, _, _ string) (*subject, error) {
	if err := bed.Need("apache2"); err != nil {
		return nil, err
	}
	h, err := b.Httpd(true)
	if err != nil {
		return nil, err
	}
	return &subject{name: "httpd HTTP/1.1", port: h.Port, loads: pipelined(h.Port, h.Logged)}, nil
}

func pipelined(port int, answered func() (int64, error)) (loads []load) {
	for _, p := range []pipeliner{
		{name: "8 requests ahead in one segment", ahead: 8, pause: 5 * time.Millisecond},
		{name: "one request at a time", ahead: 1},
		{name: "8 requests ahead, each in a segment of its own", ahead: 8, apart: true},
		{name: "40 requests ahead, segments cut anywhere", ahead: 40, cut: 700},
		{name: "6 requests always under way", ahead: 6, sliding: true},
		{name: "a connection for each 5 requests", ahead: 5, churn: true},
	} {
		p.port = port
		loads = append(loads, load{name: p.name, run: p.run, answered: answered, source: "lines of its access log"})
	}
	return loads
}

// pipeliner is a client that sends requests ahead of their answers.
type pipeliner struct {
	name    string
	port    int
	ahead   int           // requests under way
	apart   bool          // each request is written by itself
	cut     int           // this many bytes are written at a time
	sliding bool          // the next request follows each answer, and not all of them together
	churn   bool          // each batch has a connection of its own
	pause   time.Duration // before each batch
}

const (
	pipelineConnections = 4
	pipelineBatches     = 30
)

// questions are the requests, in turns: with and without a body in either direction, with a given length, or in
// chunks.
var questions = []struct{ method, text string }{
	{"GET", "GET /small HTTP/1.1\r\nHost: proof\r\n\r\n"},
	{"HEAD", "HEAD /large HTTP/1.1\r\nHost: proof\r\nUser-Agent: a client that sends ahead\r\n\r\n"},
	{"GET", "GET /large HTTP/1.1\r\nHost: proof\r\nAccept-Encoding: gzip\r\n\r\n"},
	{"POST", "POST /small HTTP/1.1\r\nHost: proof\r\nContent-Length: 40\r\n\r\n" +
		"\r\n\r\nGET /small HTTP/1.1\r\nHost: proof\r\n\r\nabc"[:40]},
	{"GET", "GET /missing HTTP/1.1\r\nHost: proof\r\nCookie: " + strings.Repeat("c", 900) + "\r\n\r\n"},
	{"POST", "POST /small HTTP/1.1\r\nHost: proof\r\nTransfer-Encoding: chunked\r\n\r\n14\r\nGET / " +
		"HTTP/1.1\r\n\r\nab\r\n3;x=y\r\nabc\r\n0\r\n\r\n"},
	{"GET", "GET /small HTTP/1.1\r\nHost: proof\r\nIf-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT\r\n\r\n"},
	{"POST", "POST /small HTTP/1.1\r\nHost: proof\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\nabcde"},
	{"GET", "GET /large HTTP/1.1\r\nHost: proof\r\n\r\n"},
	{"OPTIONS", "OPTIONS /small HTTP/1.1\r\nHost: proof\r\n\r\n"},
}

func (p pipeliner) run() error {
	ended := make(chan error, pipelineConnections)
	for n := range pipelineConnections {
		go func() { ended <- p.converse(n) }()
	}
	var err error
	for range pipelineConnections {
		if e := <-ended; e != nil {
			err = e
		}
	}
	return err
}

// converse is one client, which begins with the n-th question.
func (p pipeliner) converse(n int) error {
	for asked := 0; asked < pipelineBatches; {
		batches := pipelineBatches
		if p.churn {
			batches = 1
		}
		if err := p.connection(n+asked*p.ahead, batches); err != nil {
			return err
		}
		asked += batches
	}
	return nil
}

func (p pipeliner) connection(first, batches int) error {
	c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", p.port))
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		return err
	}
	answers := bufio.NewReader(c)
	if p.sliding {
		return p.slide(c, answers, first, batches*p.ahead)
	}
	for b := range batches {
		time.Sleep(p.pause)
		var methods []string
		var all []byte
		var written sync.WaitGroup
		for i := range p.ahead {
			q := questions[(first+b*p.ahead+i)%len(questions)]
			methods = append(methods, q.method)
			all = append(all, q.text...)
			if p.apart {
				if _, err := c.Write([]byte(q.text)); err != nil {
					return err
				}
			}
		}
		failed := make(chan error, 1)
		if !p.apart {
			written.Add(1)
			go func() { defer written.Done(); failed <- p.write(c, all) }()
		} else {
			failed <- nil
		}
		for _, m := range methods {
			if err := answer(answers, m); err != nil {
				return err
			}
		}
		written.Wait()
		if err := <-failed; err != nil {
			return err
		}
	}
	return nil
}

func (p pipeliner) write(c net.Conn, all []byte) error {
	for len(all) > 0 {
		n := len(all)
		if p.cut > 0 {
			n = min(n, p.cut)
		}
		if _, err := c.Write(all[:n]); err != nil {
			return err
		}
		all = all[n:]
	}
	return nil
}

// slide sends a request for each answer, with some under way from the beginning.
func (p pipeliner) slide(c net.Conn, answers *bufio.Reader, first, requests int) error {
	for i := range requests + p.ahead {
		if i < requests {
			if _, err := c.Write([]byte(questions[(first+i)%len(questions)].text)); err != nil {
				return err
			}
		}
		if i >= p.ahead {
			if err := answer(answers, questions[(first+i-p.ahead)%len(questions)].method); err != nil {
				return err
			}
		}
	}
	return nil
}

// answer reads the answer to a request, and interim answers before it.
func answer(from *bufio.Reader, method string) error {
	for {
		a, err := http.ReadResponse(from, &http.Request{Method: method})
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, a.Body)
		a.Body.Close()
		if err != nil {
			return err
		}
		if a.StatusCode >= http.StatusOK {
			return nil
		}
	}
}
