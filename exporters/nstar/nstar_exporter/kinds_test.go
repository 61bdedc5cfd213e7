// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The first kinds of the file need no restart: rights that loading takes are given up by then, and counters go on.
func TestFirstKindsByReload(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter,
		_ *http.Request) {
		io.WriteString(w, "hello")
	})}
	go server.Serve(l)
	defer server.Close()
	config := naming("web", l)
	path := file(t, "nstar.yml", config)
	e := start(t, "", 1, "--window=20ms", "--settle=200ms", "--config.file="+path)
	tier := map[string]string{"app": "test", "tier": "web"}
	of := func(labels map[string]string) map[string]float64 { return sums(t, e.get("/metrics"), labels) }
	e.eventually("the tier is known", func() bool { _, ok := of(tier)["nstar_tier_arrivals_total"]; return ok })
	ask := func(paths ...string) {
		t.Helper()
		for _, p := range paths {
			response, err := http.Get("http://" + l.Addr().String() + p)
			if err != nil {
				t.Fatal(err)
			}
			io.Copy(io.Discard, response.Body)
			response.Body.Close()
		}
	}
	ask("/a", "/a", "/b")
	if strings.Contains(e.get("/metrics"), "nstar_tier_kind_") {
		t.Error("kinds that nobody asked for")
	}
	write(t, path, strings.Replace(config, "name: web", "name: web\n    kinds: [{request: GET /a}]", 1))
	e.Process.Signal(syscall.SIGHUP)
	e.eventually("kinds are told apart", func() bool {
		return strings.Contains(e.log(), "Kinds of requests are told "+
			"apart")
	})
	ask("/a", "/b", "/b", "/a", "/a")
	time.Sleep(time.Second)
	if n := of(tier)["nstar_tier_completions_total"]; n < 8 {
		t.Errorf("%g completions, want 8: counters go on", n)
	}
	for kind, want := range map[string]float64{"GET /a": 3, "other": 2} {
		got := of(map[string]string{"app": "test", "tier": "web", "kind": kind})
		if got["nstar_tier_kind_completions_total"] != want || got["nstar_tier_kind_arrivals_total"] != want {
			t.Errorf("%s: %v, want %g", kind, got, want)
		}
	}
	e.stop()
}
