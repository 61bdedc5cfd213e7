// SPDX-License-Identifier: Apache-2.0

// Package answer bounds the cost of the exporter's HTTP answers, for any client and even if the client reads slowly,
// and finds out whether an answer arrived.
package answer

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
)

// Limits of a Limiter.
const (
	// maxPerClient is how many answers may be made for or sent to one client at once.
	maxPerClient = 4
	// maxBytes is how much the answers that are being sent may hold.
	maxBytes = 64 << 20
)

// ErrBusy is the reason for a refusal.
var ErrBusy = errors.New("too many answers are under way; try again")

// Limiter makes one answer at a time, in memory, and sends several: a slow reader keeps only the finished answer in
// memory, and none of the data that it was made from.
type Limiter struct {
	making chan struct{}

	mu      sync.Mutex
	clients map[netip.Addr]int
	bytes   int
	refused uint64
}

// NewLimiter makes a limiter.
func NewLimiter() *Limiter {
	return &Limiter{making: make(chan struct{}, 1), clients: make(map[netip.Addr]int)}
}

// Refused counts the requests that were refused.
func (l *Limiter) Refused() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.refused
}

// Handler answers as next does, within the limits.
func (l *Limiter) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { l.Serve(w, r, next) })
}

// Serve answers as next does and reports whether the connection took all of the answer.
func (l *Limiter) Serve(w http.ResponseWriter, r *http.Request, next http.Handler) bool {
	leave, ok := l.enter(Client(r))
	if !ok {
		return refuse(w)
	}
	defer leave()
	made, err := l.make(r, next)
	if err != nil {
		return false // the client is gone
	}
	if !l.hold(made.body.Len()) {
		return refuse(w)
	}
	defer l.hold(-made.body.Len())
	return made.send(w, r)
}

func refuse(w http.ResponseWriter) bool {
	w.Header().Set("Retry-After", "1")
	http.Error(w, ErrBusy.Error(), http.StatusServiceUnavailable)
	return false
}

// enter takes one of a client's places.
func (l *Limiter) enter(client netip.Addr) (leave func(), ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.clients[client] >= maxPerClient {
		l.refused++
		return nil, false
	}
	l.clients[client]++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.clients[client]--; l.clients[client] == 0 {
			delete(l.clients, client)
		}
	}, true
}

// hold takes or gives back a part of the bytes.
func (l *Limiter) hold(n int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n > 0 && l.bytes > 0 && l.bytes+n > maxBytes { // one answer is always possible
		l.refused++
		return false
	}
	l.bytes += n
	return true
}

// make has next write its answer into memory.
func (l *Limiter) make(r *http.Request, next http.Handler) (*made, error) {
	select {
	case l.making <- struct{}{}:
	case <-r.Context().Done():
		return nil, context.Cause(r.Context())
	}
	defer func() { <-l.making }()
	m := &made{header: make(http.Header), status: http.StatusOK}
	next.ServeHTTP(m, r)
	return m, nil
}

// made is a finished answer.
type made struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (m *made) Header() http.Header         { return m.header }
func (m *made) WriteHeader(status int)      { m.status = status }
func (m *made) Write(b []byte) (int, error) { return m.body.Write(b) }

// send writes the answer and reports whether the connection took it.
func (m *made) send(w http.ResponseWriter, r *http.Request) bool {
	for name, values := range m.header {
		w.Header()[name] = values
	}
	// If the length is known, nothing is written after the last byte: later data belong to the next answer.
	w.Header().Set("Content-Length", strconv.Itoa(m.body.Len()))
	w.WriteHeader(m.status)
	_, err := w.Write(m.body.Bytes())
	if err == nil {
		err = http.NewResponseController(w).Flush()
	}
	// A context that has ended says that the client is gone. It may be gone because it has read the answer; if the
	// connection is known, that shows it.
	return err == nil && m.status == http.StatusOK && (Of(r.Context()) != nil || r.Context().Err() == nil)
}

// Client identifies a client by its address. All addresses of this host are one client, and so are those of an IPv6
// network, because a client there can use as many addresses as it wants.
func Client(r *http.Request) netip.Addr {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Addr{}
	}
	addr = addr.Unmap().WithZone("")
	switch {
	case addr.IsLoopback():
		return netip.IPv6Loopback()
	case addr.Is6():
		if p, err := addr.Prefix(64); err == nil {
			return p.Addr()
		}
	}
	return addr
}
