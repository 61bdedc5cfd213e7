// SPDX-License-Identifier: Apache-2.0

package page

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"
)

var files = fstest.MapFS{
	"index.html":    {Data: []byte("<title>Bottlenecks</title>")},
	"page.js":       {Data: []byte("let page")},
	"fonts/a.woff2": {Data: []byte("font")},
}

// serve starts the page in front of a Prometheus that repeats what it was asked.
func serve(t *testing.T, path string) *httptest.Server {
	t.Helper()
	prometheus := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		io.WriteString(w, r.Method+" "+r.URL.Path+" "+r.Form.Get("query")+r.Header.Get("Cookie")+
			r.Header.Get("Authorization"))
	}))
	t.Cleanup(prometheus.Close)
	return front(t, prometheus.URL+path)
}

func front(t *testing.T, server string) *httptest.Server {
	t.Helper()
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	handler, err := New(files, u, http.DefaultTransport)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s
}

func request(t *testing.T, method, address, body string) (int, string, http.Header) {
	t.Helper()
	r, err := http.NewRequest(method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Cookie", "session=1")
	r.Header.Set("Authorization", "Bearer 1")
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text), answer.Header
}

func TestHandler(t *testing.T) {
	s := serve(t, "/prefix")
	for _, test := range []struct {
		method, path, body string
		status             int
		text               string
	}{
		{"GET", "/", "", 200, "Bottlenecks"},
		{"GET", "/page.js", "", 200, "let page"},
		{"GET", "/fonts/a.woff2", "", 200, "font"},
		{"GET", "/fonts/", "", 404, ""},
		{"GET", "/../../etc/passwd", "", 307, "/etc/passwd"}, // cleaned first
		{"GET", "/etc/passwd", "", 404, ""},
		{"GET", "/none", "", 404, ""},
		{"POST", "/", "", 405, "GET"},
		// Queries go on to Prometheus, without the visitor's credentials.
		{"GET", "/api/v1/query?query=up", "", 200, "GET /prefix/api/v1/query up"},
		{"POST", "/api/v1/query_range", "query=up", 200, "POST /prefix/api/v1/query_range up"},
		{"GET", "/api/v1/label/tier/values", "", 200, "GET /prefix/api/v1/label/tier/values "},
		// Nothing else does.
		{"DELETE", "/api/v1/series", "", 405, "GET and POST"},
		{"POST", "/api/v1/admin/tsdb/delete_series", "", 403, "queries only"},
		{"GET", "/api/v1/status/config", "", 403, "queries only"},
		{"GET", "/api/v1/query/../status/config", "", 307, "/api/v1/status/config"},
		{"GET", "/api/v1/label/a%2f..%2fb/values", "", 403, "queries only"},
		{"POST", "/api/v1/query", "query=" + strings.Repeat("a", maxForm), 502, "does not answer"},
	} {
		status, text, _ := request(t, test.method, s.URL+test.path, test.body)
		if test.path == "/api/v1/query?query=up" && text != test.text {
			t.Errorf("GET %s: %q, want exactly %q", test.path, text, test.text)
		}
		if status != test.status || !strings.Contains(text, test.text) {
			t.Errorf("%s %s: %d %q, want %d %q", test.method, test.path, status, text, test.status, test.text)
		}
	}
}

func TestHeaders(t *testing.T) {
	s := serve(t, "")
	for _, path := range []string{"/", "/none", "/api/v1/query?query=up", "/api/v1/admin"} {
		_, _, h := request(t, "GET", s.URL+path, "")
		if !strings.HasPrefix(h.Get("Content-Security-Policy"), "default-src 'self';") ||
			h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: headers %v", path, h)
		}
	}
}

func TestPrometheusDown(t *testing.T) {
	s := front(t, "http://user:secret@127.0.0.1:1")
	status, text, h := request(t, "GET", s.URL+"/api/v1/query?query=up", "")
	if status != 502 || h.Get("Content-Type") != "application/json" || !strings.Contains(text, "does not answer") {
		t.Errorf("%d %s %v", status, text, h)
	}
	if strings.Contains(text, "secret") {
		t.Errorf("the password of Prometheus is told to visitors: %s", text)
	}
}

func TestNotBuilt(t *testing.T) {
	if _, err := New(fstest.MapFS{}, &url.URL{}, nil); !errors.Is(err, ErrNotBuilt) {
		t.Errorf("error %v, want ErrNotBuilt", err)
	}
}
