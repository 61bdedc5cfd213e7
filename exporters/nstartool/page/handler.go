// SPDX-License-Identifier: Apache-2.0

// Package page serves the Bottlenecks page for installations without Grafana: the files of the page, and behind the
// same address the part of Prometheus's API that the page reads.
package page

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strings"
)

// ErrNotBuilt says that a directory does not hold the page.
var ErrNotBuilt = errors.New("there is no index.html in it; build the page with `make page`")

// readable is what the page may ask Prometheus for. Everything that changes or reveals more than samples (admin,
// configuration, targets) stays behind.
var readable = regexp.MustCompile(`^/api/v1/(query|query_range|series|labels|label/[a-zA-Z_][a-zA-Z0-9_]*/values)$`)

// maxForm bounds the body of a posted query.
const maxForm = 1 << 20

// policy lets the page load nothing from elsewhere. The panel's styles are made at run time, hence unsafe-inline there.
const policy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' " +
	"data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

// New returns the handler for the files and for /api/v1/, which it passes on to server with transport. It fails with
// ErrNotBuilt if files has no page.
func New(files fs.FS, server *url.URL, transport http.RoundTripper) (http.Handler, error) {
	if _, err := fs.Stat(files, "index.html"); err != nil {
		return nil, ErrNotBuilt
	}
	mux := http.NewServeMux()
	mux.Handle("/api/v1/", readOnly(proxy(server, transport)))
	mux.Handle("/", getOnly(http.FileServerFS(files)))
	return secured(mux), nil
}

func proxy(server *url.URL, transport http.RoundTripper) http.Handler {
	return &httputil.ReverseProxy{
		Transport: transport,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(server)
			// Prometheus must not get what identifies the visitor's browser to other servers (cookies,
			// credentials).
			r.Out.Header.Del("Cookie")
			r.Out.Header.Del("Authorization")
			if server.User != nil {
				password, _ := server.User.Password()
				r.Out.SetBasicAuth(server.User.Username(), password)
			}
		},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			if r.Context().Err() != nil { // the visitor went away, as with each change of the time range
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			fail(w, http.StatusBadGateway, "unavailable", fmt.Sprintf("Prometheus at %s does not answer: %v",
				server.Redacted(),
				err))
		},
	}
}

func readOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !readable.MatchString(r.URL.Path):
			fail(w, http.StatusForbidden, "forbidden",
				"this server passes on queries only; ask Prometheus itself for "+r.URL.Path)
		case r.Method != http.MethodGet && r.Method != http.MethodPost:
			w.Header().Set("Allow", "GET, POST")
			fail(w, http.StatusMethodNotAllowed, "bad_data", "only GET and POST are allowed")
		default:
			r.Body = http.MaxBytesReader(w, r.Body, maxForm)
			next.ServeHTTP(w, r)
		}
	})
}

func getOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "Only GET is allowed.", http.StatusMethodNotAllowed)
			return
		}
		// A directory would be listed.
		if strings.HasSuffix(r.URL.Path, "/") && r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Cache-Control", "no-cache") // a rebuilt page has the same names
		next.ServeHTTP(w, r)
	})
}

func secured(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		next.ServeHTTP(w, r)
	})
}

// fail answers as Prometheus does, so that the page has one way to show errors.
func fail(w http.ResponseWriter, status int, kind, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"status": "error", "errorType": kind, "error": message})
}
