// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

// started runs a service on a port of its own.
func started(t *testing.T, answer answerer) (address string, count *counter) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s, count := newServer(0, answer)
	go func() { _ = s.Serve(l) }() // it ends with Stop
	t.Cleanup(s.Stop)
	return l.Addr().String(), count
}

// Each of both services answers only when the other one has been asked, too.
func TestGatewayAsksInParallel(t *testing.T) {
	asked := make(chan struct{})
	meet := func(own string) answerer {
		return func(ctx context.Context, page string) (string, error) {
			select {
			case asked <- struct{}{}:
			case <-asked:
			case <-ctx.Done():
				return "", ctx.Err()
			}
			return own + " of " + page, nil
		}
	}
	s := httptest.NewServer(gateway{catalog: meet("goods"), pricing: meet("price")})
	defer s.Close()
	answer, err := http.Get(s.URL + "/item?id=7")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || !strings.Contains(string(text), "goods of /item?id=7") || !strings.Contains(string(text),
		"price of /item?id=7") {
		t.Errorf("%q, %v", text, err)
	}
}

// A service that fails is no page.
func TestGatewayFails(t *testing.T) {
	g := gateway{
		catalog: func(context.Context, string) (string, error) { return "", fmt.Errorf("no goods") },
		pricing: func(ctx context.Context, _ string) (string, error) { <-ctx.Done(); return "", ctx.Err() },
	}
	w := httptest.NewRecorder()
	g.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	if w.Code != http.StatusBadGateway {
		t.Errorf("status %d", w.Code)
	}
}

// Calls of several clients and streams are answered, and counted each once.
func TestAskAndCount(t *testing.T) {
	address, count := started(t, rates)
	socket := filepath.Join(t.TempDir(), "rates.count")
	if err := count.tell(socket); err != nil {
		t.Fatal(err)
	}
	args := []string{"-address=" + address, "-connections=3", "-streams=50", "-calls=120", "-question=5000"}
	if err := runAsk(t.Context(), args); err != nil {
		t.Fatal(err)
	}
	c, err := net.Dial("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if text, err := io.ReadAll(c); err != nil || string(text) != "360 0\n" {
		t.Errorf("counted %q, %v", text, err)
	}
}

func TestQueries(t *testing.T) {
	for page, want := range map[string]int{"/": 1, "/item?id=7": 2, "/report?id=7": 1, "::": 1} {
		if got := queries(page); len(got) != want {
			t.Errorf("%s: %d queries, want %d", page, len(got), want)
		}
	}
}
