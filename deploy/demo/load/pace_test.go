// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// TestPaced: a user who reads, or sends, so many bytes a second takes as long as that at least, on any machine.
func TestPaced(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		if n == 0 {
			_, _ = io.CopyN(w, zeros{}, 100_000)
		} else if n != 50_000 {
			w.WriteHeader(http.StatusBadRequest)
		}
	}))
	defer server.Close()
	for name, c := range map[string]config{
		"reads": {readRate: 500_000},
		"sends": {body: 50_000, sendRate: 250_000},
	} {
		t.Run(name, func(t *testing.T) {
			c.users, c.timeout = 1, 10*time.Second
			u := user{config: c, client: newClient(c), rank: 0.5}
			began := time.Now()
			if err := u.fetch(t.Context(), server.URL, "/"); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); took < 190*time.Millisecond {
				t.Errorf("it took %v, want 200ms at least", took)
			}
		})
	}
}
