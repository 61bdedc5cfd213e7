// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// namesTheCall expects that calls of the tier front end at the tier back, though the exporter of front measures no
// other tier and its file names no address.
func namesTheCall(t *testing.T, near *exporter, front *server) {
	t.Helper()
	near.eventually("front is known", func() bool { return strings.Contains(near.get("/metrics"), `tier="front"`) })
	near.eventually("the call ends at a tier", func() bool {
		front.call()
		return strings.Contains(near.get("/metrics"), `nstar_edge_calls_total{app="shop",from="front",to="back"}`)
	})
	if !somePeers.MatchString(near.get("/metrics")) {
		t.Error("no other exporter is told of")
	}
}

// somePeers is one peer or more: exporters that are no part of the test may run on this host, too.
var somePeers = regexp.MustCompile(`(?m)^nstar_peers [1-9]`)

const (
	onlyFront = "only_tiers: true\ntiers: [{name: front, app: shop, match: {command: front}}]\n"
	onlyBack  = "only_tiers: true\ntiers: [{name: back, app: shop, match: {command: back}}]\n"
)

// Two exporters on one host, each for a tier of its own: the one learns from the other what it calls.
func TestPeerOnThisHost(t *testing.T) {
	needsBPF(t)
	back := neighbour(t, "back", nil)
	front := neighbour(t, "front", nil, callsThere+"="+back.address)
	far := start(t, "", 1, "--config.file="+file(t, "far.yml", onlyBack))
	far.eventually("back is known", func() bool { return strings.Contains(far.get("/tiers"), `"tier":"back"`) })
	near := start(t, "", 1, "--config.file="+file(t, "near.yml", onlyFront))
	namesTheCall(t, near, front)
	alone := start(t, "", 1, "--no-peers", "--config.file="+file(t, "alone.yml", onlyFront))
	to := `from="front",to="` + back.address + `"`
	alone.eventually("without asking, it ends at an address", func() bool {
		front.call()
		return strings.Contains(alone.get("/metrics"), to)
	})
}

// Exporters that want TLS and a password are asked with these.
func TestPeerWithPassword(t *testing.T) {
	needsBPF(t)
	back := neighbour(t, "back", nil)
	front := neighbour(t, "front", nil, callsThere+"="+back.address)
	web := file(t, "web.yml", webConfig)
	certificate(t, filepath.Dir(web))
	write(t, filepath.Join(filepath.Dir(web), "peers.yml"),
		"basic_auth: {username: prometheus, password: secret}\ntls_config: {ca_file: cert.pem}\n")
	start(t, "", 1, "--web.config.file="+web, "--config.file="+file(t, "far.yml", onlyBack))
	near := start(t, "", 1, "--config.file="+file(t, "near.yml", onlyFront), "--peers.config.file="+
		filepath.Join(filepath.Dir(web), "peers.yml"))
	namesTheCall(t, near, front)
}

// Two hosts with an exporter each: the exporter of the one that calls asks the exporter at the address that is called,
// or one that it was given.
func TestPeerOnAnotherHost(t *testing.T) {
	for _, flag := range []string{"--peers.port=19965", "--peers.address=10.213.7.2:19965"} {
		t.Run(flag, func(t *testing.T) { peerOnAnotherHost(t, flag) })
	}
}

func peerOnAnotherHost(t *testing.T, flag string) {
	one, two := networks(t)
	neighbour(t, "back", two, listensAt+"=0.0.0.0:8080")
	front := neighbour(t, "front", one, listensAt+"=0.0.0.0:8080", callsThere+"=10.213.7.2:8080")
	in := func(command []string) string {
		enter := "nsenter --net=/run/netns/" + command[3]
		return enter + " ip link set lo up; set -- " + enter + ` "$@"`
	}
	start(t, in(two), 0, "--web.listen-address=0.0.0.0:19965", "--config.file="+file(t, "far.yml", onlyBack))
	near := start(t, in(one), 1, flag, "--config.file="+file(t, "near.yml", onlyFront))
	near.client.Transport = &http.Transport{DialContext: func(_ context.Context, network, address string) (net.Conn,
		error) {
		return dialIn("/run/netns/"+one[3], network, address)
	}}
	namesTheCall(t, near, front)
}

// dialIn connects inside of a network namespace.
func dialIn(namespace, network, address string) (net.Conn, error) {
	f, err := os.Open(namespace)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	runtime.LockOSThread() // and never unlocks: the thread stays there, and ends with this function's goroutine
	if err := unix.Setns(int(f.Fd()), unix.CLONE_NEWNET); err != nil {
		return nil, err
	}
	return net.Dial(network, address)
}
