// SPDX-License-Identifier: Apache-2.0

package mix

import (
	"log/slog"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/kinds"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// fakeProbe has the sums of one tier.
type fakeProbe struct {
	sums []probe.KindSums
	set  []kinds.Kind
}

func (f *fakeProbe) SetKinds(all []kinds.Kind) error { f.set = all; return nil }

func (f *fakeProbe) KindSums(window.Station) []probe.KindSums { return slices.Clone(f.sums) }

func shopWith(requests ...string) []config.TierRule {
	rule := config.TierRule{App: "shop", Name: "web", Match: []config.Match{{Port: 80}}}
	for _, r := range requests {
		rule.Kinds = append(rule.Kinds, config.Kind{Request: r})
	}
	return []config.TierRule{rule, {App: "shop", Name: "absent", Kinds: rule.Kinds}}
}

// A kind keeps its number and its sums when other kinds come and go. The next tier with the number starts with none.
func TestKindsKeepTheirNumbers(t *testing.T) {
	f := &fakeProbe{sums: make([]probe.KindSums, kinds.Max)}
	m := New(f, slog.New(slog.DiscardHandler))
	number := func(name discovery.TierName) (window.Station, bool) { return 0, name.Tier == "web" }
	m.Begin(0)
	m.Follow(shopWith("GET /a", "SELECT"), number)
	if len(f.set) != 2 || f.set[1].Number != 2 {
		t.Fatalf("%+v", f.set)
	}
	f.sums[2].Completions = 7
	m.Follow(shopWith("SELECT", "/new"), number)
	if len(f.set) != 2 || f.set[0].Number != 2 || f.set[1].Number != 3 {
		t.Errorf("%+v", f.set)
	}
	of, _ := m.Of(0, 0)
	if len(of) != 4 || of[0].Name != "other" || of[2].Name != "SELECT" || of[2].Completions != 7 ||
		of[3].Name != "/new" {
		t.Errorf("%+v", of)
	}
	m.Follow(shopWith(), number)
	if len(f.set) != 0 {
		t.Errorf("%+v", f.set)
	}
	m.Forget(0)
	m.Begin(0)
	m.Follow(shopWith("GET /a", "SELECT"), number)
	if of, _ = m.Of(0, 0); len(of) != 3 || of[2].Completions != 0 {
		t.Errorf("%+v of the next tier", of)
	}
}

// A change of the mix does not change the amount of work that is done.
func TestWorkIsTheSameForAnyMix(t *testing.T) {
	const short, long = 2 * time.Millisecond, 10 * time.Millisecond
	k := newMix(nil)
	k.number("short")
	k.number("long")
	sums := make([]probe.KindSums, kinds.Max)
	second := func(shorts, longs uint64, slower time.Duration) float64 {
		next := append([]probe.KindSums(nil), sums...)
		next[1].Completions += shorts
		next[1].Residence += time.Duration(shorts) * (short + slower)
		next[2].Completions += longs
		next[2].Residence += time.Duration(longs) * (long + slower)
		sums = next
		before := k.work
		k.read(sums)
		return k.work - before
	}
	for range timesNeeded {
		second(10, 10, 0)
	}
	for range timesKept / 2 { // under load all requests take longer, but count no more
		second(100, 80, 50*time.Millisecond)
	}
	if k.serviceTime(1) != short || k.serviceTime(2) != long || k.serviceTime(3) != 0 {
		t.Errorf("without load: %v and %v", k.serviceTime(1), k.serviceTime(2))
	}
	if a, b := second(500, 0, 0), second(0, 100, 0); math.Abs(a-1) > 1e-9 || math.Abs(b-1) > 1e-9 {
		t.Errorf("a second of short requests is %g s of work, one of long ones %g s", a, b)
	}
	k.given[2] = 20 * time.Millisecond
	if w := second(0, 100, 0); math.Abs(w-2) > 1e-9 {
		t.Errorf("with a given weight: %g s", w)
	}
}

// However slow the reading is, the queue that is shown never shrinks.
func TestKindQueueNeverShrinks(t *testing.T) {
	k := newMix(nil)
	sums := make([]probe.KindSums, kinds.Max)
	sums[0].Arrivals = 2
	first := k.state(sums, 10*time.Second)[0].QueueTime
	if second := k.state(sums, 9*time.Second)[0].QueueTime; first != 20*time.Second || second != first {
		t.Errorf("%v, then %v", first, second)
	}
}
