// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/cilium/ebpf/link"
)

// links lists the attached programs that the process holds.
func links(t *testing.T, pid int) (ids []link.ID) {
	t.Helper()
	infos, err := filepath.Glob(fmt.Sprintf("/proc/%d/fdinfo/*", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range infos {
		text, _ := os.ReadFile(path) // some were closed meanwhile
		if m := regexp.MustCompile(`link_id:\s*(\d+)`).FindSubmatch(text); m != nil {
			id, err := strconv.Atoi(string(m[1]))
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, link.ID(id))
		}
	}
	return ids
}

func TestServes(t *testing.T) {
	e := start(t, "", 2, "--bpf.stats")
	for path, want := range map[string][]string{
		"/":          {`href="/metrics"`, `href="/windows"`},
		"/-/healthy": {"healthy"},
		"/metrics": {
			"nstar_build_info{", "nstar_window_width_seconds 0.05", `nstar_dropped_total{reason="late_window"} 0`,
			`nstar_dropped_total{reason="answer_limit"} 0`, `nstar_dropped_total{reason="consumer_limit"} 0`,
			`nstar_bpf_runs_total{program="nstar_ingress"}`, "nstar_windows_settled_total", "process_cpu_seconds_total",
			"go_goroutines",
		},
	} {
		text := e.get(path)
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s does not say %s:\n%s", path, w, text)
			}
		}
	}
	for _, tt := range []struct {
		method, url string
		status      int
	}{
		{http.MethodGet, e.base[1] + "/metrics", http.StatusOK},
		{http.MethodGet, e.base[0] + "/windows", http.StatusOK},
		{http.MethodGet, e.base[0] + "/windows?consumer=a", http.StatusOK},
		{http.MethodGet, e.base[0] + "/nothing", http.StatusNotFound},
		{http.MethodGet, e.base[0] + "/-/reload", http.StatusForbidden},
		{http.MethodPost, e.base[0] + "/-/reload", http.StatusForbidden}, // off unless asked for
	} {
		if body, status := e.do(tt.method, tt.url); status != tt.status {
			t.Errorf("%s %s: status %d, want %d: %s", tt.method, tt.url, status, tt.status, body)
		}
	}
}

// The exporter ends cleanly and leaves nothing behind in the kernel.
func TestTerminates(t *testing.T) {
	e := start(t, "", 1)
	ids := links(t, e.Process.Pid)
	if len(ids) < 3 {
		t.Fatalf("links %v, want three", ids)
	}
	e.get("/metrics")
	e.stop()
	for _, id := range ids {
		if l, err := link.NewFromID(id); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("link %d is still there: %v %v", id, l, err)
		}
	}
}

func TestWithoutMountedCgroup2(t *testing.T) {
	canUnshare(t)
	e := start(t, `awk '$0 ~ / - cgroup2 / {print $5}' /proc/self/mountinfo | sort -r | xargs -r -n1 umount -l`,
		1, "--bpf.stats")
	if text, err := os.ReadFile(fmt.Sprintf("/proc/%d/mountinfo",
		e.Process.Pid)); err != nil || strings.Contains(string(text), " - cgroup2 ") {
		t.Fatalf("%v, mounts:\n%s", err, text)
	}
	e.get("/metrics") // over a socket that is counted
	if !regexp.MustCompile(`nstar_bpf_runs_total{program="nstar_ingress"} [1-9]`).MatchString(e.get("/metrics")) {
		t.Error("no packet was seen")
	}
	e.stop()
}

// naming is a configuration that names the tier that a listener of this test is.
func naming(name string, l net.Listener) string {
	return fmt.Sprintf("tiers:\n  - name: %s\n    app: test\n    match: {port: %d}\n", name,
		l.Addr().(*net.TCPAddr).Port)
}

func TestReload(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	path := file(t, "nstar.yml", naming("first", l))
	e := start(t, "", 1, "--config.file="+path, "--web.enable-lifecycle")
	if _, status := e.do(http.MethodGet, e.base[0]+"/-/reload"); status != http.StatusMethodNotAllowed {
		t.Errorf("GET /-/reload: status %d", status)
	}
	named := func(name string) func() bool {
		return func() bool {
			return strings.Contains(e.get("/metrics"),
				fmt.Sprintf(`nstar_tier_arrivals_total{app="test",tier=%q}`, name))
		}
	}
	reload := func() (string, int) { return e.do(http.MethodPost, e.base[0]+"/-/reload") }
	e.eventually("the first name", named("first"))

	write(t, path, naming("second", l))
	if body, status := reload(); status != http.StatusOK {
		t.Errorf("status %d: %s", status, body)
	}
	e.eventually("the second name", named("second"))

	write(t, path, "tiers: 7\n")
	if body, status := reload(); status != http.StatusInternalServerError || strings.Contains(body, path) {
		t.Errorf("status %d, want 500, and no path of this host: %s", status, body)
	}
	e.Process.Signal(syscall.SIGHUP)
	e.eventually("two complaints", func() bool { return strings.Count(e.log(), "not reloaded") == 2 })
	if !named("second")() {
		t.Error("the old configuration was not kept")
	}

	write(t, path, naming("third", l))
	e.Process.Signal(syscall.SIGHUP)
	e.eventually("the third name", named("third"))
	e.stop()
}
