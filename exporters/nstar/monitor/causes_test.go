// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/samples"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// fakeCauses knows one cause, whose share of a window is a tenth of the window's index, and one neighbour.
type fakeCauses struct {
	tiers  []causes.Tier
	asked  []causes.Window
	looked []int64
	err    error
}

func (f *fakeCauses) Up() map[string]bool              { return map[string]bool{"runqueue": true, "cpu": false} }
func (f *fakeCauses) SetClock(time.Duration) error     { return f.err }
func (f *fakeCauses) Poll(time.Duration)               {}
func (f *fakeCauses) Look(_ causes.Tier, at int64)     { f.looked = append(f.looked, at) }
func (f *fakeCauses) Late() uint64                     { return 3 }
func (f *fakeCauses) Follow(tiers []causes.Tier) error { f.tiers = tiers; return f.err }

func (f *fakeCauses) Host() causes.Host                         { return causes.Host{} }
func (f *fakeCauses) Cores(window.Station, int64) []causes.Core { return nil }
func (f *fakeCauses) TakeMoves(causes.Tier) causes.Moves        { return causes.Moves{} }

func (f *fakeCauses) Accept(tier window.Station) (causes.Accept, bool) {
	return causes.Accept{Waiting: 37, Limit: 128, Refused: 2}, tier == 0
}

func (f *fakeCauses) Cost() (string, uint64, time.Duration, bool) {
	return "nstar_switch", 5, time.Microsecond, true
}

func (f *fakeCauses) Account(of causes.Tier, w causes.Window) causes.Account {
	f.asked = append(f.asked, w)
	return causes.Account{
		Shares: []causes.Share{{Cause: "runqueue", Help: "Waiting.", Ratio: float64(w.Index%10) / 10}},
		Work: &causes.Work{Neighbours: []causes.Neighbour{
			{Who: causes.Who{Name: "batch of " + of.Name}, Time: 30 * time.Millisecond},
		}},
	}
}

// followCausesOf takes a window of a tier, the first of its host, and the causes of an earlier one.
func (b *bench) followCausesOf(name discovery.TierName, batch *samples.Batch, index int64, own float64, still int64) {
	t, tier := b.judges.of(name, 0), causes.Tier{App: name.App, Name: name.Tier}
	if past, ok := b.lookBack(t, tier, index); ok {
		b.followWork(t, past)
		b.sampleCauses(batch, t.why, past, still)
	}
	t.why.own[index] = own
}

func TestCauses(t *testing.T) {
	log := &strings.Builder{}
	b := newBench(t, chain, nil, log)
	f := &fakeCauses{}
	b.causes = f
	if err := b.scan(); err != nil {
		t.Fatal(err)
	}
	if len(f.tiers) != 3 || f.tiers[0].App != "shop" || f.tiers[0].Name != "web" || len(f.tiers[0].PIDs) == 0 {
		t.Errorf("tiers %+v", f.tiers)
	}
	web := discovery.TierName{App: "shop", Tier: "web"}
	b.judges.of(web, 0)
	lag := int64(causes.Lag / width)
	const first = int64(1000)
	var got []samples.Causes
	for i := first; i < first+lag+10; i++ {
		if i == first+5 { // a window is missing
			continue
		}
		batch := samples.Batch{}
		still := int64(-1)
		if i == first+lag+7 { // the seventh stood still
			still = first + 7
		}
		b.followCausesOf(web, &batch, i, 1, still)
		got = append(got, batch.Causes...)
	}
	if len(f.asked) != 9 { // ten windows whose causes can be known, less the one that is missing
		t.Fatalf("asked for %d windows", len(f.asked))
	}
	w := f.asked[6]
	if w.Index != first+7 || w.To-w.From != width || w.To+b.offset.Value() != time.Duration(first+8)*width {
		t.Errorf("asked for %+v", w)
	}
	want := samples.Causes{
		App: "shop", Tier: "web", End: time.Duration(first+8) * width,
		Kinds: []samples.Cause{{Name: "runqueue", Help: "Waiting."}}, Ratios: []float32{0.7},
	}
	if diff := cmp.Diff(want, got[6]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if want := first + int64(settle/width); f.looked[0] != want {
		t.Errorf("looked for names in window %d, want %d", f.looked[0], want)
	}
	s := b.state(t)
	if a := s.Tiers[0].Accept; a == nil || a.Waiting != 37 || s.Tiers[1].Accept != nil {
		t.Errorf("accept queues %+v and %+v", a, s.Tiers[1].Accept)
	}
	why := s.Tiers[0].Why
	seconds := (0 + 1 + 2 + 3 + 4 + 6 + 7 + 8 + 9) / 10. * width.Seconds()
	if got := why.Seconds["runqueue"]; math.Abs(got-seconds) > 1e-12 {
		t.Errorf("%v s, want %v", got, seconds)
	}
	want7 := Standstill{width.Seconds(), map[string]float64{"runqueue": 0.7 * width.Seconds()}}
	if diff := cmp.Diff(want7, why.Standstill, cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Errorf("standstill: -want +got:\n%s", diff)
	}
	if _, ok := why.Seconds["cpu"]; ok {
		t.Error("a cause that is not measured has a counter")
	}
	batch, other := why.Neighbours[causes.Who{Name: "batch of web"}], why.Neighbours[causes.Who{Name: causes.Other}]
	if math.Abs(batch+other-0.27) > 1e-9 || batch == 0 {
		t.Errorf("neighbours %v", why.Neighbours)
	}
	if s.Dropped["late_cause"] != 3 || s.Up["cpu"] || !s.Up["runqueue"] || s.Costs[len(s.Costs)-1].Runs != 5 {
		t.Errorf("state %+v", s)
	}
}

// What can't be told to the kernel is logged; measuring goes on.
func TestCausesFail(t *testing.T) {
	log := &strings.Builder{}
	b := newBench(t, chain, nil, log)
	b.causes = &fakeCauses{err: errors.New("table full")}
	if err := b.scan(); err != nil {
		t.Fatal(err)
	}
	b.read()
	for _, want := range []string{"The causes of some processes are not measured",
		"The window clock of the causes can't be set"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("%q is not in the log:\n%s", want, log)
		}
	}
}

// The correlation of the own queue with a cause is that of the same windows.
func TestCausesMoveWithQueue(t *testing.T) {
	b := newBench(t, chain, nil, io.Discard)
	b.causes = &fakeCauses{}
	web := discovery.TierName{App: "shop", Tier: "web"}
	for i := range int64((causes.Lag + 13*time.Second) / width) {
		b.followCausesOf(web, &samples.Batch{}, i, float64(i%10)*3, -1)
	}
	if got := b.judges.of(web, 0).why.state().With["runqueue"]; math.Abs(got-1) > 1e-9 {
		t.Errorf("correlation %v, want 1", got)
	}
}
