// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// translated makes two network namespaces like two hosts, with a gate between them that translates addresses: a
// client that asks the gate gets its answer from 10.213.8.1:8080. The server sees the gate's address if the gate
// masquerades, otherwise the client's. The commands enter the two.
func translated(t *testing.T, masquerade bool) (one, two []string) {
	t.Helper()
	needsBPF(t)
	run := func(args ...string) {
		t.Helper()
		if text, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Skipf("%s: %v: %s", strings.Join(args, " "), err, text)
		}
	}
	name := func(what string) string { return fmt.Sprintf("nstar-%s-%d", what, os.Getpid()) }
	gate := name("gate")
	for _, ns := range []string{name("one"), name("two"), gate} {
		run("ip", "netns", "add", ns)
		t.Cleanup(func() { _ = exec.Command("ip", "netns", "del", ns).Run() })
		run("ip", "-n", ns, "link", "set", "lo", "up")
	}
	for i, ns := range []string{name("one"), name("two")} {
		device := fmt.Sprint("nstar", i)
		run("ip", "-n", ns, "link", "add", "nstar0", "type", "veth", "peer", "name", device, "netns", gate)
		run("ip", "-n", ns, "addr", "add", fmt.Sprintf("10.213.%d.1/24", 7+i), "dev", "nstar0")
		run("ip", "-n", gate, "addr", "add", fmt.Sprintf("10.213.%d.254/24", 7+i), "dev", device)
		run("ip", "-n", ns, "link", "set", "nstar0", "up")
		run("ip", "-n", gate, "link", "set", device, "up")
	}
	run("ip", "netns", "exec", gate, "sh", "-c", "echo 1 >/proc/sys/net/ipv4/ip_forward")
	run("ip", "netns", "exec", gate, "nft", `add table ip nat
		add chain ip nat before { type nat hook prerouting priority -100; }
		add rule ip nat before tcp dport 80 dnat to 10.213.8.1:8080`)
	if masquerade {
		run("ip", "netns", "exec", gate, "nft", `add chain ip nat after { type nat hook postrouting priority 100; }
			add rule ip nat after masquerade`)
	} else {
		run("ip", "-n", name("two"), "route", "add", "default", "via", "10.213.8.254")
	}
	return []string{"ip", "netns", "exec", name("one")}, []string{"ip", "netns", "exec", name("two")}
}

// Two hosts with an exporter each, and address translation between them: the front's waiting for the tier behind
// equals the requests under way in that tier, and the front's time adds up.
func TestWaitingThroughNAT(t *testing.T) {
	one, two := translated(t, true)
	const calls, takes = 40, 20 * time.Millisecond
	neighbour(t, "back", two, listensAt+"=0.0.0.0:8080", takesSoLong+"="+takes.String())
	neighbour(t, "front", one, listensAt+"=0.0.0.0:8080", asksThere+"=10.213.7.254:80")
	user := neighbour(t, "user", one, callsThere+"=127.0.0.1:8080")
	near := start(t, "", 1, "--config.file="+file(t, "near.yml",
		"tiers: [{name: front, app: shop, match: {command: front}}]\nremotes: [{name: back, address: "+
			"'10.213.7.254:80'}]\n"))
	far := start(t, "", 1, "--config.file="+file(t, "far.yml",
		"tiers: [{name: back, app: shop, match: {command: back}}]\n"))
	waited := func(e *exporter, tier, on string) float64 {
		return sums(t, e.get("/metrics"), map[string]string{"app": "shop", "tier": tier,
			"on": on})["nstar_tier_waiting_seconds_total"]
	}
	for tier, e := range map[string]*exporter{"front": near, "back": far} {
		e.eventually(tier+" is known", func() bool { return strings.Contains(e.get("/metrics"), `tier="`+tier+`"`) })
	}
	begin := time.Now()
	for range calls {
		user.call()
	}
	took := time.Since(begin).Seconds()
	least := (calls * takes).Seconds()
	far.eventually("the windows of the one behind are judged",
		func() bool { return waited(far, "back", "self") >= least*0.999 })
	// Calls may take longer than they should, so that this comes before the last of them.
	near.eventually("the front waited for all of that", func() bool {
		return waited(near, "front", "back") >= 0.999*waited(far, "back", "self")
	})

	behind, there := waited(near, "front", "back"), waited(far, "back", "self")
	if behind > took {
		t.Errorf("the front waited %g s for the one behind, which had %g s of requests in the %g s",
			behind, there, took)
	}
	if self := waited(near, "front", "self"); behind+self > took || self <= 0 {
		t.Errorf("the front worked %g s and waited %g s of %g s", self, behind, took)
	}
	if _, sharp := sums(t, near.get("/metrics"), map[string]string{"tier": "front",
		"on": "10.213.7.254:80"})["nstar_tier_waiting_seconds_total"]; sharp {
		t.Error("the gate's address stands beside its name")
	}
	// From the user's first request on there is one connection to the front, and one place.
	idle := waited(near, "front", "clients")
	near.eventually("without a request the front waits for its client",
		func() bool { return waited(near, "front", "clients") >= idle+1 })
	if all := waited(near, "front", "clients") + waited(near, "front",
		"self") + behind; all > time.Since(begin).Seconds() {
		t.Errorf("%g s of one place in %s", all, time.Since(begin))
	}
	near.stop()
	far.stop()
}

// One exporter sees both ends of the connections, as on a node of Kubernetes: the calls to a service have the name of
// the tier that answers, without a configuration of the service.
func TestNamesThroughNAT(t *testing.T) {
	one, two := translated(t, false)
	const calls = 20
	neighbour(t, "back", two, listensAt+"=0.0.0.0:8080", takesSoLong+"=5ms")
	neighbour(t, "front", one, listensAt+"=0.0.0.0:8080", asksThere+"=10.213.7.254:80")
	user := neighbour(t, "user", one, callsThere+"=127.0.0.1:8080")
	e := start(t, "", 1, "--config.file="+file(t, "both.yml", "tiers:\n"+
		"  - {name: front, app: shop, match: {command: front}}\n  - {name: back, app: shop, match: {command: back}}\n"))
	e.eventually("both are known", func() bool {
		text := e.get("/metrics")
		return strings.Contains(text, `tier="front"`) && strings.Contains(text, `tier="back"`)
	})
	made := func(to string) float64 {
		return sums(t, e.get("/metrics"), map[string]string{"app": "shop", "from": "front",
			"to": to})["nstar_edge_calls_total"]
	}
	e.eventually("the service has the name of the tier behind it", func() bool {
		user.call()
		return made("back") > 0
	})
	before := made("back")
	for range calls {
		user.call()
	}
	e.eventually("all calls are there", func() bool { return made("back") >= before+calls })
	if _, address := sums(t, e.get("/metrics"), map[string]string{"from": "front",
		"to": "10.213.7.254:80"})["nstar_edge_calls_total"]; address {
		t.Error("the service's address stands beside the name")
	}
	e.stop()
}
