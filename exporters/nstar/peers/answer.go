// SPDX-License-Identifier: Apache-2.0

// Package peers asks other exporters for the names of the tiers that they measure. An exporter knows the servers of its
// own host only, or those that its file names; a call to any other one ends at an address. The exporter at the other
// end knows which tier answers there.
package peers

import (
	"encoding/json"
	"net/http"
	"net/netip"

	"github.com/nstar-project/nstar/exporters/nstar/config"
)

// Path is where an exporter answers others.
const Path = "/tiers"

// Answer is what an exporter tells others about its tiers.
type Answer struct {
	// Boot identifies the kernel that it runs on, from its start to its end.
	Boot  string `json:"boot"`
	Tiers []Tier `json:"tiers"`
}

// Tier is one of them.
type Tier struct {
	App      string          `json:"app"`
	Name     string          `json:"tier"`
	Protocol config.Protocol `json:"protocol"`
	// Listeners are where it listens, for exporters that run on the same kernel.
	Listeners []Listener `json:"listeners"`
	// Reached are the addresses at which other hosts find it.
	Reached []netip.AddrPort `json:"reached"`
}

// Listener is an address in a network namespace, which is the number of its inode.
type Listener struct {
	NetNS   uint32         `json:"netns"`
	Address netip.AddrPort `json:"address"`
}

// Handler answers other exporters.
func Handler(tell func() Answer) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(tell()) // an error is the client's: it has gone
	})
}
