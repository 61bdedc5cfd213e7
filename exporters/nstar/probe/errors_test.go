// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"net/http"
	"testing"
)

// A server that fails says so: its errors are completions that count as errors, too.
func TestErrors(t *testing.T) {
	b := newBench(t, Options{})
	l := listen(t, "tcp", "127.0.0.1:0")
	n := 0
	serve(t, l, func(w http.ResponseWriter, _ *http.Request) {
		if n++; n%3 == 0 {
			http.Error(w, "no", http.StatusBadGateway)
		}
	})
	b.set(b.tables(l))
	dial(t, l.Addr().String()).turns(30)
	b.expect(0, counts{Arrivals: 30, Completions: 30})
	errors := uint64(0)
	for _, w := range b.windows[0] {
		errors += w.Errors
	}
	if errors != 10 {
		t.Errorf("%d errors, want 10", errors)
	}
}
