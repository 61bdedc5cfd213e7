// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"strings"
	"testing"
)

// A truth that names a tier which isn't there could never be told, and a stop of it would stop nothing.
func TestScenariosNameTiersOfTheirApplication(t *testing.T) {
	for _, s := range campaign(options{only: "*"}) {
		t.Run(s.app.name+"/"+s.name, func(t *testing.T) {
			known := func(name string) bool { return slices.ContainsFunc(s.app.tiers, named(name)) }
			for _, f := range s.stops {
				if !known(f.tier) && !slices.Contains(s.app.workers, f.tier) {
					t.Errorf("stops %s, which is no tier and no worker", f.tier)
				}
			}
			for _, span := range s.expect {
				for _, truth := range slices.Concat(span.right, span.half) {
					f := strings.Split(truth, "/")
					if len(f) == 3 && f[1] != "*" && !known(f[1]) {
						t.Errorf("%s is no tier", truth)
					}
				}
			}
		})
	}
}

// Servers of one application must be told from each other by their ports.
func TestTiersHavePortsOfTheirOwn(t *testing.T) {
	for _, app := range []application{board, blog, shop, news, mesh, wiki, stream, tracker, identity, forge, desk,
		magazine, mail, ticketing, chat, orders, pipeline} {
		owner := make(map[int]string)
		for _, here := range app.tiers {
			if other := owner[here.port]; other != "" && here.port != 0 {
				t.Errorf("%s: %s and %s both listen on port %d", app.name, other, here.name, here.port)
			}
			owner[here.port] = here.name
			for _, next := range here.calls {
				if !slices.ContainsFunc(app.tiers, named(next)) {
					t.Errorf("%s: %s calls %s, which is no tier", app.name, here.name, next)
				}
			}
		}
	}
}
