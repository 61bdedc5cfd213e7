// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// fleet is synthetic exporters on one port: exporter i answers on /i/metrics and /i/windows.
type fleet struct {
	address string
	start   time.Time
	hosts   []*fake
	server  *http.Server
}

// fake is one exporter: what it shows follows from the time alone.
type fake struct {
	counters []counter
	gauges   []byte // as they are shown
	windows  []sample

	mu    sync.Mutex
	given time.Time // end of the last window handed out
}

// counter grows by rates[i] a second in phase i; the last phase goes on.
type counter struct {
	head  string
	rates []float64
}

// sample has the same value in every window.
type sample struct {
	head  string
	value float64
}

// width of the windows, and how long they settle.
const (
	width  = 50 * time.Millisecond
	settle = 600 * time.Millisecond
)

// serve starts the fleet; phases are the lengths of all phases but the last.
func serve(hosts []*fake, phases ...time.Duration) (*fleet, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	f := &fleet{address: listener.Addr().String(), start: time.Now(), hosts: hosts}
	mux := http.NewServeMux()
	for i, h := range hosts {
		mux.HandleFunc(fmt.Sprintf("/%d/metrics", i), func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain; version=0.0.4")
			_, _ = w.Write(h.metrics(time.Since(f.start), phases)) // the client has gone
		})
		mux.HandleFunc(fmt.Sprintf("/%d/windows", i), func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain; version=0.0.4")
			_, _ = w.Write(h.page(time.Now()))
		})
	}
	f.server = &http.Server{Handler: mux}
	go f.server.Serve(listener) //nolint:errcheck // ends with close
	return f, nil
}

func (f *fleet) close() { f.server.Close() }

// metrics is the page of counters and gauges.
func (h *fake) metrics(since time.Duration, phases []time.Duration) []byte {
	lengths := make([]float64, 0, len(phases)+1)
	left := since
	for _, p := range phases {
		in := min(left, p)
		lengths = append(lengths, in.Seconds())
		left -= in
	}
	lengths = append(lengths, left.Seconds())
	page := make([]byte, 0, 64*len(h.counters)+len(h.gauges))
	for _, c := range h.counters {
		var v float64
		for i, seconds := range lengths {
			v += seconds * c.rates[min(i, len(c.rates)-1)]
		}
		page = append(page, c.head...)
		page = strconv.AppendFloat(page, v, 'f', 3, 64)
		page = append(page, '\n')
	}
	return append(page, h.gauges...)
}

// page is the windows since the page before, at most a minute of them.
func (h *fake) page(now time.Time) []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	last := now.Add(-settle).Truncate(width)
	if oldest := last.Add(-time.Minute); h.given.Before(oldest) {
		h.given = last.Add(-width)
	}
	var b bytes.Buffer
	for _, s := range h.windows {
		for at := h.given.Add(width); !at.After(last); at = at.Add(width) {
			fmt.Fprintf(&b, "%s%g %d\n", s.head, s.value, at.UnixMilli())
		}
	}
	h.given = last
	return b.Bytes()
}

func (h *fake) count(name, labels string, rates ...float64) {
	h.counters = append(h.counters, counter{name + "{" + labels + "} ", rates})
}

func (h *fake) show(name, labels string, value float64) {
	h.gauges = fmt.Appendf(h.gauges, "%s{%s} %g\n", name, labels, value)
}

func (h *fake) window(name, labels string, value float64) {
	h.windows = append(h.windows, sample{name + "{" + labels + "} ", value})
}
