// SPDX-License-Identifier: Apache-2.0

// Package answertest measures the exporter's answers in benchmarks.
package answertest

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// Ask asks a handler for a page as Prometheus does, and returns the length of its answer in bytes.
func Ask(b *testing.B, h http.Handler, page, encoding string) int {
	b.Helper()
	r := httptest.NewRequest(http.MethodGet, page, nil)
	r.Header.Set("Accept", "application/openmetrics-text;version=1.0.0")
	r.Header.Set("Accept-Encoding", encoding)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		b.Fatal(w.Body)
	}
	return w.Body.Len()
}

// Benchmark asks for a page again and again, compressed, and reports the bytes of the answer, compressed and not.
func Benchmark(b *testing.B, h http.Handler, page string) {
	b.Helper()
	plain, packed := Ask(b, h, page, "identity"), 0
	b.ReportAllocs()
	for b.Loop() {
		packed = Ask(b, h, page, "gzip")
	}
	b.ReportMetric(float64(plain), "bytes")
	b.ReportMetric(float64(packed), "gzip-bytes")
}
