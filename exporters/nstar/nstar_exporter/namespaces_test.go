// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// networks makes two network namespaces that are joined like two containers, 10.213.7.1 and 10.213.7.2, and gives the
// commands that enter them.
func networks(t *testing.T) (one, two []string) {
	t.Helper()
	needsBPF(t)
	names := [2]string{fmt.Sprintf("nstar-one-%d", os.Getpid()), fmt.Sprintf("nstar-two-%d", os.Getpid())}
	ip := func(args ...string) {
		t.Helper()
		if text, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
			t.Skipf("ip %s: %v: %s", strings.Join(args, " "), err, text)
		}
	}
	for _, name := range names {
		ip("netns", "add", name)
		t.Cleanup(func() { _ = exec.Command("ip", "netns", "del", name).Run() })
	}
	ip("-n", names[0], "link", "add", "nstar0", "type", "veth", "peer", "name", "nstar0", "netns", names[1])
	for i, name := range names {
		ip("-n", name, "addr", "add", fmt.Sprintf("10.213.7.%d/24", i+1), "dev", "nstar0")
		ip("-n", name, "link", "set", "nstar0", "up")
	}
	return []string{"ip", "netns", "exec", names[0]}, []string{"ip", "netns", "exec", names[1]}
}

// A call from one container to another on the same host is an edge between two tiers that have names.
func TestEdgeBetweenNamespaces(t *testing.T) {
	one, two := networks(t)
	neighbour(t, "back", two, listensAt+"=0.0.0.0:8080")
	front := neighbour(t, "front", one, listensAt+"=0.0.0.0:8080", callsThere+"=10.213.7.2:8080")
	e := start(t, "", 1)
	both := func() bool {
		text := e.get("/metrics")
		return strings.Contains(text, `tier="front"`) && strings.Contains(text, `tier="back"`)
	}
	e.eventually("both tiers are known", both)
	for range 7 {
		front.call()
	}
	edge := map[string]string{"app": "default", "from": "front", "to": "back"}
	e.eventually("the calls are counted", func() bool {
		return sums(t, e.get("/metrics"),
			edge)["nstar_edge_calls_total"] == 7
	})
	tier := map[string]string{"tier": "back"}
	e.eventually("and the requests", func() bool {
		return sums(t, e.get("/metrics"),
			tier)["nstar_tier_completions_total"] == 7
	})
	if _, ok := sums(t, e.get("/windows"), edge)["nstar_window_edge_calls"]; !ok {
		t.Error("the edge is not in /windows")
	}
	e.stop()
}
