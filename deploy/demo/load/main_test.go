// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func target(t *testing.T, s string) *url.URL {
	t.Helper()
	u, err := url.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestCheck(t *testing.T) {
	good := func() config {
		return config{target: target(t, "http://127.0.0.1:18080"), users: 1, timeout: time.Second, burstiness: 1}
	}
	for _, test := range []struct {
		name   string
		change func(*config)
		want   string // part of the error; empty for none
	}{
		{"good", func(*config) {}, ""},
		{"localhost", func(c *config) { c.target = target(t, "http://localhost") }, ""},
		{"IPv6 loopback", func(c *config) { c.target = target(t, "http://[::1]:80") }, ""},
		{"elsewhere", func(c *config) { c.target = target(t, "http://192.0.2.1") }, "not a loopback address"},
		{"https", func(c *config) { c.target = target(t, "https://127.0.0.1") }, ""},
		{"neither", func(c *config) { c.target = target(t, "ftp://127.0.0.1") }, "--url"},
		{"backwards", func(c *config) { c.readRate = -1 }, "rates"},
		{"paths", func(c *config) { c.paths = []string{"/a", "/b?c=1"} }, ""},
		{"form", func(c *config) { c.paths = []string{"POST /a?b=c"} }, ""},
		{"form of no server", func(c *config) { c.paths = []string{"POST a"} }, "--path"},
		{"path of no server", func(c *config) { c.paths = []string{"a"} }, "--path"},
		{"no users", func(c *config) { c.users = 0 }, "--users"},
		{"long ramp", func(c *config) { c.duration, c.crowd.ramp = time.Second, time.Minute }, "--ramp"},
		{"long lull", func(c *config) { c.crowd.every, c.crowd.lull = time.Second, time.Minute }, "--lull"},
		{"smooth", func(c *config) { c.burstiness = 0.5 }, "--burstiness"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := good()
			test.change(&c)
			err := c.check(false)
			if test.want == "" && err != nil || test.want != "" &&
				(err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("check() = %v, want %q", err, test.want)
			}
		})
	}
}

// A run against a server of our own: what it answers is what is counted.
func TestRun(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/Search" {
			http.Error(w, "no", http.StatusServiceUnavailable)
		}
	}))
	defer server.Close()
	file := filepath.Join(t.TempDir(), "summary.json")
	got := run(context.Background(), config{target: target(t, server.URL), users: 20, think: 5 * time.Millisecond,
		duration: time.Second, timeout: time.Second, burstiness: 1, seed: 1, every: 200 * time.Millisecond,
		summaryFile: file})
	if got.Completions == 0 || got.Errors == 0 {
		t.Errorf("got %d completions and %d errors, want some of both", got.Completions, got.Errors)
	}
	for _, p := range got.Pages {
		if (p.Page == "Search") != (p.Errors > 0) || (p.Page == "Search") != (p.Completions == 0) {
			t.Errorf("%s: %d completed, %d failed; only Search fails, and always", p.Page, p.Completions, p.Errors)
		}
	}
	var kept summary
	if data, err := os.ReadFile(file); err != nil {
		t.Error(err)
	} else if err := json.Unmarshal(data, &kept); err != nil || kept.Completions != got.Completions ||
		kept.Interval.Duration == 0 {
		t.Errorf("the file has %+v (%v), want %d completions, and an interval", kept, err, got.Completions)
	}
}

// With paths of another site all of them are asked for, and no page of the board.
func TestRunElsewhere(t *testing.T) {
	var seen sync.Map
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter,
		r *http.Request) {
		seen.Store(r.URL.Path, true)
	}))
	defer server.Close()
	got := run(context.Background(), config{target: target(t, server.URL), paths: []string{"/a", "/b"}, users: 20,
		think: 5 * time.Millisecond, duration: time.Second, timeout: time.Second, burstiness: 1, seed: 1,
		every: 200 * time.Millisecond})
	if last := got.Pages[len(got.Pages)-1]; last.Page != "elsewhere" || last.Completions != got.Completions ||
		got.Completions == 0 {
		t.Errorf("%d pages completed, %+v of them elsewhere, want all and some", got.Completions, last)
	}
	seen.Range(func(path, _ any) bool {
		if path != "/a" && path != "/b" {
			t.Errorf("asked for %s", path)
		}
		return true
	})
}

// What follows the question mark of a path with POST before it is sent as a form, and nothing else is.
func TestFetch(t *testing.T) {
	for path, want := range map[string]string{
		"/a?b=c":               "GET /a?b=c []",
		"POST /a?b=c&d=e%20f":  "POST /a [b=c d=e f]",
		"POST /without?":       "POST /without []",
		"POST /without-fields": "POST /without-fields []",
	} {
		var got string
		server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if err := r.ParseForm(); err != nil {
				t.Error(err)
			}
			var fields []string
			for name := range r.PostForm {
				fields = append(fields, name+"="+r.PostForm.Get(name))
			}
			slices.Sort(fields)
			got = fmt.Sprint(r.Method, " ", r.URL, " ", fields)
		}))
		if err := (user{client: server.Client()}).fetch(t.Context(), server.URL, path); err != nil || got != want {
			t.Errorf("%s: the server got %s (%v), want %s", path, got, err, want)
		}
		server.Close()
	}
}
