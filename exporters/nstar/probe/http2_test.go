// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// h2c is a client of HTTP/2 in clear, with one connection.
func h2c(t *testing.T) *http.Client {
	t.Helper()
	var p http.Protocols
	p.SetUnencryptedHTTP2(true)
	transport := &http.Transport{Protocols: &p}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// h2cServer answers HTTP/2 in clear.
func h2cServer(handler http.HandlerFunc) *http.Server {
	var p http.Protocols
	p.SetUnencryptedHTTP2(true)
	return &http.Server{Handler: handler, Protocols: &p}
}

func serveH2C(t *testing.T, l net.Listener, handler http.HandlerFunc) {
	t.Helper()
	s := h2cServer(handler)
	go s.Serve(l)
	t.Cleanup(func() { s.Close() })
}

func get(t *testing.T, c *http.Client, url string, body io.Reader) {
	t.Helper()
	method := http.MethodGet
	if body != nil {
		method = http.MethodPost
	}
	request, err := http.NewRequest(method, url, body)
	if err != nil {
		t.Error(err)
		return
	}
	r, err := c.Do(request)
	if err != nil {
		t.Error(err)
		return
	}
	defer r.Body.Close()
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		t.Error(err)
	}
}

// onOneCPU keeps all threads of this process on one CPU: on two, loopback lets segments of one connection overtake each
// other.
func onOneCPU(t *testing.T) {
	t.Helper()
	set := func(cpus *unix.CPUSet) {
		tasks, err := os.ReadDir("/proc/self/task")
		if err != nil {
			t.Fatal(err)
		}
		for _, task := range tasks {
			tid, err := strconv.Atoi(task.Name())
			if err != nil {
				t.Fatal(err)
			}
			_ = unix.SchedSetaffinity(tid, cpus) // a thread may have ended meanwhile
		}
	}
	var all, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &all); err != nil {
		t.Fatal(err)
	}
	for cpu := range 1024 {
		if all.IsSet(cpu) {
			one.Set(cpu)
			break
		}
	}
	set(&one)
	t.Cleanup(func() { set(&all) })
}

// A hundred streams at once on one connection, short and long answers and uploads, also where it is joined in the
// middle.
func TestHTTP2(t *testing.T) {
	onOneCPU(t)
	l := listen(t, "tcp", "127.0.0.1:0")
	var served sync.WaitGroup
	serveH2C(t, l, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		if r.URL.Path == "/large" {
			io.WriteString(w, strings.Repeat("x", 300_000))
			return
		}
		hello(w, r)
	})
	c := h2c(t)
	url := "http://" + l.Addr().String()
	get(t, c, url, nil) // before the probe
	b := newLonelyBench(t, Options{})
	b.set(b.tables(l))
	for i := range 100 {
		served.Go(func() {
			for j := range 5 {
				path, body := "/", io.Reader(nil)
				if (i+j)%7 == 0 {
					path = "/large"
				}
				if (i+j)%5 == 0 {
					body = strings.NewReader(strings.Repeat("y", 100_000))
				}
				get(t, c, url+path, body)
			}
		})
	}
	served.Wait()
	b.expect(0, counts{Arrivals: 500, Completions: 500})
	if queued, _ := b.residence(0); queued <= 0 {
		t.Errorf("residence times add up to %v", queued)
	}
}

// HTTP/2 inside TLS can't be measured, and is not.
func TestHTTP2InTLS(t *testing.T) {
	b := newBench(t, Options{})
	s := httptest.NewUnstartedServer(http.HandlerFunc(hello))
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	b.set(b.tables(s.Listener))
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		transport := &http.Transport{
			TLSClientConfig: &tls.Config{RootCAs: roots, MaxVersion: version}, ForceAttemptHTTP2: true,
		}
		c := &http.Client{Transport: transport, Timeout: 10 * time.Second}
		for range 20 {
			get(t, c, s.URL, nil)
		}
		transport.CloseIdleConnections()
	}
	b.expect(0, counts{})
	opaque := uint64(0)
	for _, w := range b.windows[0] {
		opaque += w.Opaque
	}
	if opaque != 2 {
		t.Errorf("%d connections were given up, want 2", opaque)
	}
}
