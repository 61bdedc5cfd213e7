// SPDX-License-Identifier: Apache-2.0

package answer

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Clients that accept compressed answers get them, with the right content; others do not.
func TestCompressed(t *testing.T) {
	text := strings.Repeat("nstar_window_queue_length{app=\"shop\",tier=\"db\"} 1.25\n", 1000)
	h := Compressed(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/openmetrics-text; version=1.0.0; charset=utf-8")
		_, _ = io.WriteString(w, text)
	}))
	ask := func(accept string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, "/windows", nil)
		r.Header.Set("Accept-Encoding", accept)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	if w := ask("identity"); w.Header().Get("Content-Encoding") != "" || w.Body.String() != text {
		t.Errorf("%q, %d bytes", w.Header().Get("Content-Encoding"), w.Body.Len())
	}
	w := ask("gzip")
	if size := w.Body.Len(); w.Header().Get("Content-Encoding") != "gzip" || size > len(text)/20 {
		t.Fatalf("%q, %d bytes of %d", w.Header().Get("Content-Encoding"), size, len(text))
	}
	z, err := gzip.NewReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if _, err := io.Copy(&got, z); err != nil || got.String() != text {
		t.Errorf("%d bytes, %v", got.Len(), err)
	}
}
