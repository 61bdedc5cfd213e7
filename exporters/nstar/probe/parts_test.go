// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// inParts answers each request with a head, and with a body long after it, as framed.
func inParts(t *testing.T, l net.Listener, pause time.Duration, head, body string, closes bool) {
	t.Helper()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				for r := bufio.NewReader(c); ; {
					if _, err := http.ReadRequest(r); err != nil {
						return
					}
					_, _ = io.WriteString(c, head)
					time.Sleep(pause)
					_, _ = io.WriteString(c, body)
					if closes {
						return
					}
				}
			}()
		}
	}()
}

// TestAnswersInParts: a page of which the head comes at once, and the rest long after it. Once that was seen it is in
// the queue until its end, of the tier and of the edge to it, on new connections and on such that stay.
func TestAnswersInParts(t *testing.T) {
	const pause, requests = 500 * time.Millisecond, 4 // of which the settle delay is less than a half
	for name, how := range map[string]struct {
		head, body string
		closes     bool
	}{
		"until the connection ends": {"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<html>", "</html>", true},
		"in chunks": {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n<html>\r\n",
			"7\r\n</html>\r\n0\r\n\r\n", false},
		"with a length": {"HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n<html>", "</html>", false},
	} {
		for role, called := range map[string]bool{"tier": false, "edge": true} {
			t.Run(name+" "+role, func(t *testing.T) {
				b := newLonelyBench(t, Options{})
				l := listen(t, "tcp", "127.0.0.1:0")
				inParts(t, l, pause, how.head, how.body, how.closes)
				station := window.Station(0)
				if called {
					b.set(b.fromHere(Tables{}))
				} else {
					b.set(b.tables(l))
				}
				page := func() {
					r, err := http.Get(fmt.Sprintf("http://%s/", l.Addr()))
					if err != nil {
						t.Fatal(err)
					}
					defer r.Body.Close()
					if got, err := io.ReadAll(r.Body); err != nil || string(got) != "<html></html>" {
						t.Fatalf("read %q: %v", got, err)
					}
				}
				defer http.DefaultClient.CloseIdleConnections()
				page()     // shows that answers pause; it is in the queue until its head
				b.settle() // also, the client may know of its end before the kernel tells
				if called {
					station = b.edgeTo(l)
				}
				residenceBefore, queuedBefore := b.residence(station)
				begin := time.Now()
				for range requests {
					page()
				}
				took := time.Since(begin)
				b.settle()
				residence, queued := b.residence(station)
				b.near("the time in the queue", queued-queuedBefore, requests*pause, took)
				b.near("the residence", residence-residenceBefore, requests*pause, took)
				b.expect(station, counts{Arrivals: requests + 1, Completions: requests + 1})
			})
		}
	}
}
