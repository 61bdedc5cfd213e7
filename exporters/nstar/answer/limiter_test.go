// SPDX-License-Identifier: Apache-2.0

package answer

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

func ask(address string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.RemoteAddr = address
	return r
}

func TestClient(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.1:4000":          "192.0.2.1",
		"[::ffff:192.0.2.1]:4000": "192.0.2.1",
		"127.0.0.1:4000":          "::1",
		"127.8.9.10:4000":         "::1",
		"[::1]:4000":              "::1",
		"[2001:db8::1]:4000":      "2001:db8::",
		"[2001:db8::ffff:2]:4000": "2001:db8::",
		"[fe80::1%eth0]:4000":     "fe80::",
	} {
		if got := Client(ask(address)).String(); got != want {
			t.Errorf("%s is %s, want %s", address, got, want)
		}
	}
	if a := Client(ask("@")); a.IsValid() {
		t.Errorf("a socket without address is %s", a)
	}
}

// stuck is a client that does not read; it lets go when the test says so.
type stuck struct {
	*httptest.ResponseRecorder
	begun chan struct{}
	let   chan struct{}
}

func (s stuck) Write(b []byte) (int, error) {
	s.begun <- struct{}{}
	<-s.let
	return s.ResponseRecorder.Write(b)
}

func TestStuckClients(t *testing.T) {
	l := NewLimiter()
	page := func(bytes int) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(make([]byte, bytes)) })
	}
	var open []stuck
	done := make(chan bool, 100)
	hang := func(address string, bytes int) {
		s := stuck{httptest.NewRecorder(), make(chan struct{}), make(chan struct{})}
		go func() { done <- l.Serve(s, ask(address), page(bytes)) }()
		<-s.begun
		open = append(open, s)
	}
	status := func(address string, bytes int) int {
		w := httptest.NewRecorder()
		l.Serve(w, ask(address), page(bytes))
		return w.Code
	}
	for range maxPerClient {
		hang("192.0.2.1:4000", 10)
	}
	if got := status("192.0.2.1:5000", 10); got != http.StatusServiceUnavailable {
		t.Errorf("one more for the same client: status %d, want 503", got)
	}
	if got := status("192.0.2.2:4000", 10); got != http.StatusOK {
		t.Errorf("another client: status %d", got)
	}
	hang("192.0.2.3:4000", maxBytes-100)
	if got := status("192.0.2.4:4000", 1000); got != http.StatusServiceUnavailable {
		t.Errorf("more than is held: status %d, want 503", got)
	}
	if l.Refused() != 2 {
		t.Errorf("%d refused, want 2", l.Refused())
	}
	for _, s := range open {
		close(s.let)
		if !<-done {
			t.Error("an answer that was read late did not get through")
		}
	}
	if got := status("192.0.2.4:4000", maxBytes+1); got != http.StatusOK {
		t.Errorf("one alone: status %d", got)
	}
	if l.bytes != 0 || len(l.clients) != 0 {
		t.Errorf("%d bytes and %d clients are held for nobody", l.bytes, len(l.clients))
	}
}

// A client that waits for its turn and gives up leaves nothing behind.
func TestGivesUpWaiting(t *testing.T) {
	l := NewLimiter()
	l.making <- struct{}{}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if l.Serve(httptest.NewRecorder(), ask("192.0.2.1:4000").WithContext(ctx), http.NotFoundHandler()) {
		t.Error("it was answered")
	}
	if len(l.clients) != 0 {
		t.Error("its place is still taken")
	}
}

func TestAnswersAsNextDoes(t *testing.T) {
	l := NewLimiter()
	w := httptest.NewRecorder()
	ok := l.Serve(w, ask("192.0.2.1:4000"), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Y", "z")
		http.Error(w, "broken", http.StatusInternalServerError)
	}))
	body, _ := io.ReadAll(w.Body)
	if ok || w.Code != http.StatusInternalServerError || w.Header().Get("X-Y") != "z" || string(body) != "broken\n" {
		t.Errorf("%v %d %v %q", ok, w.Code, w.Header(), body)
	}
}
