// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
)

// What one answer says is an argument of the next request.
func TestUsersGoOnWhereTheLastAnswerEnded(t *testing.T) {
	var seen []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.URL.String())
		fmt.Fprintf(w, `{"next_batch":"s%d","rooms":{}}`, len(seen))
	}))
	defer server.Close()
	u := user{client: server.Client(), memory: make(memory)}
	for range 3 {
		if err := u.fetch(t.Context(), server.URL, "/sync?timeout=0{&since=next_batch}"); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"/sync?timeout=0", "/sync?timeout=0&since=s1", "/sync?timeout=0&since=s2"}
	if !slices.Equal(seen, want) {
		t.Errorf("the server got %q, want %q", seen, want)
	}
}
