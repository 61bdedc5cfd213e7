// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"io"
	"testing"

	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/kinds"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// The kinds that the configuration names reach the kernel side with the tier's number, and their sums reach the state.
func TestKindsOfTiers(t *testing.T) {
	b := newBench(t, chain, &config.Config{Tiers: []config.TierRule{
		{App: "shop", Name: "db", Kinds: []config.Kind{{Request: "SELECT"}}},
	}}, io.Discard, nil)
	b.probe.kinds = map[window.Station][]probe.KindSums{1: make([]probe.KindSums, kinds.Max)}
	if err := b.scan(); err != nil {
		t.Fatal(err)
	}
	if set := b.probe.kindsSet; len(set) != 1 || set[0].Tier != 1 || set[0].Number != 1 {
		t.Errorf("the kernel side was told %+v", set)
	}
	b.probe.kinds[1][1].Completions = 7
	tiers := b.state(t).Tiers
	if of := tiers[1].Kinds; len(of) != 2 || of[1].Name != "SELECT" || of[1].Completions != 7 || tiers[0].Kinds != nil {
		t.Errorf("%+v and %+v", tiers[0].Kinds, of)
	}
}
