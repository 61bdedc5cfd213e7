// SPDX-License-Identifier: Apache-2.0

package samples

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/prometheus/common/expfmt"
)

// Whatever a request asks for, in whatever form, the answer can be read, and no other consumer's place changes.
func FuzzWindows(f *testing.F) {
	f.Add("consumer=a", "text/plain", "gzip", "192.0.2.1:4000", "user")
	f.Add("consumer=%ff%00", "application/openmetrics-text;version=1.0.0", "", "[::1]:1", "")
	f.Add("consumer=a&consumer=b;c", "*/*;q=nonsense", "gzip;q=0", "@", "\x00")
	f.Add("%zz", "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited", "br", "",
		"")
	f.Fuzz(func(t *testing.T, query, accept, encoding, address, login string) {
		h := handler(filled(time.Minute, 50))
		get(t, h, "/windows?consumer=other")
		r := httptest.NewRequest(http.MethodGet, "/windows", nil)
		r.URL.RawQuery, r.RemoteAddr = query, address
		r.Header["Accept"], r.Header["Accept-Encoding"] = []string{accept}, []string{encoding}
		if login != "" {
			r.SetBasicAuth(login, login)
		}
		for range 3 {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			readable(t, w)
		}
		if values, _ := url.ParseQuery(query); values.Get("consumer") != "other" {
			expect(t, get(t, h, "/windows?consumer=other"), 0, 0)
		}
		if n := len(h.consumers.cursors); n > 2 {
			t.Errorf("one client has %d cursors", n)
		}
	})
}

func readable(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	if w.Code != http.StatusOK {
		if w.Code != http.StatusBadRequest {
			t.Errorf("status %d: %s", w.Code, w.Body)
		}
		return
	}
	body := io.Reader(bytes.NewReader(w.Body.Bytes()))
	if w.Header().Get("Content-Encoding") == "gzip" {
		zipped, err := gzip.NewReader(body)
		if err != nil {
			t.Fatal(err)
		}
		body = zipped
	}
	text, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	if expfmt.ResponseFormat(w.Header()).FormatType() == expfmt.TypeTextPlain {
		parseText(t, bytes.NewReader(text))
	}
}
