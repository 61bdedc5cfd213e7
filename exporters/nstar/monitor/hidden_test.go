// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"testing"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// A tier behind whose connections can't be measured is looked at, and its callers are told when it was stopped. One
// that can be measured says so itself.
func TestHiddenTiers(t *testing.T) {
	web := discovery.TierName{App: "shop", Tier: "web"}
	for _, tt := range []struct {
		opaque  uint64
		stopped float64
		want    string
	}{{1, 0.9, "db"}, {1, 0.2, ""}, {0, 0.9, ""}} {
		b := newBench(t, chain, nil, t.Output(), &fakeCauses{stopped: map[window.Station]float64{1: tt.stopped}})
		if err := b.scan(); err != nil {
			t.Fatal(err)
		}
		b.probe.edges = chainEdges
		b.probe.book(3, b.probe.current()+1, window.Sums{Opaque: tt.opaque, Arrivals: 1, Completions: 1})
		b.settled()
		b.readLoads()
		if got := b.halted(web, causes.Window{}); got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
		if got := b.halted(discovery.TierName{App: "shop", Tier: "db"}, causes.Window{}); got != "" {
			t.Errorf("%+v: behind db is %q", tt, got)
		}
	}
}
