// SPDX-License-Identifier: Apache-2.0

package why

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/judgement"
	"github.com/nstar-project/nstar/exporters/nstar/samples"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

const width, settle = 10 * time.Millisecond, 100 * time.Millisecond

var (
	web     = causes.Tier{App: "shop", Name: "web"}
	webName = discovery.TierName{App: "shop", Tier: "web"}
)

// fakeCauses knows one cause and one neighbour. The cause's share of a window is a tenth of the window's index.
type fakeCauses struct {
	asked  []causes.Window
	looked []int64
}

func (f *fakeCauses) Up() map[string]bool          { return map[string]bool{"runqueue": true, "cpu": false} }
func (f *fakeCauses) Look(_ causes.Tier, at int64) { f.looked = append(f.looked, at) }

func (f *fakeCauses) Host() causes.Host                         { return causes.Host{} }
func (f *fakeCauses) Cores(window.Station, int64) []causes.Core { return nil }
func (f *fakeCauses) TakeMoves(causes.Tier) causes.Moves        { return causes.Moves{} }

func (f *fakeCauses) Account(of causes.Tier, w causes.Window) causes.Account {
	f.asked = append(f.asked, w)
	return causes.Account{
		Shares: []causes.Share{{Cause: "runqueue", Help: "Waiting.", Ratio: float64(w.Index%10) / 10}},
		Work: &causes.Work{Neighbours: []causes.Neighbour{
			{Who: causes.Who{Name: "batch of " + of.Name}, Time: 30 * time.Millisecond},
		}, Disk: &causes.DiskNeighbours{
			Writers: []causes.Neighbour{{Who: causes.Who{Name: "backup of " + of.Name}, Time: 60 * time.Millisecond}},
		}},
	}
}

// offset is the offset of the window clock.
const offset = 7 * time.Hour

// follow takes a window of a tier, and the causes of an earlier window, in which the tier stood still or not.
func follow(tier *Tier, index int64, own float64, stood bool) (out []samples.Causes) {
	if past, ok := tier.LookBack(index, offset); ok {
		out = append(out, tier.Take(past, stood))
	}
	tier.Note(index, own, 0, 0)
	return out
}

func TestReasons(t *testing.T) {
	f := &fakeCauses{}
	a := New(width, settle, f)
	lag := int64(causes.Lag / width)
	const first = int64(1000)
	var got []samples.Causes
	for i := first; i < first+lag+10; i++ {
		if i == first+5 { // a window is missing
			continue
		}
		got = append(got, follow(a.Of(web), i, 1, i == first+lag+7)...) // the seventh stood still
	}
	if len(f.asked) != 9 { // ten windows whose causes can be known, less the one that is missing
		t.Fatalf("asked for %d windows", len(f.asked))
	}
	w := f.asked[6]
	if w.Index != first+7 || w.To-w.From != width || w.To+offset != time.Duration(first+8)*width {
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
	why := a.Reasons(webName)
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
	none := map[causes.Who]float64{{Name: causes.Other}: 0}
	wrote := map[causes.Who]float64{{Name: causes.Other}: 0.06, {Name: "backup of web"}: 8 * 0.06}
	if diff := cmp.Diff(DiskNeighbours{none, wrote}, why.Disk, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("who used the disk: -want +got:\n%s", diff)
	}
	a.Retire(webName)
	if r := a.Reasons(webName); r.Seconds != nil {
		t.Errorf("%+v of a tier that is gone", r)
	}
}

// What the threads did is reported as shares of the window. What a tier of the same application took does not count as
// taken by neighbours.
func TestWork(t *testing.T) {
	tier := newTier(width, settle, &fakeCauses{}, web)
	got := tier.work(&causes.Work{
		Ran: 20 * time.Millisecond, Waited: 5 * time.Millisecond, OnDisk: time.Millisecond, Asleep: 7, Unaccepted: 2,
		Unread: 3, Stopped: 0.5,
		Neighbours: []causes.Neighbour{{Time: 3 * time.Millisecond},
			{Who: causes.Who{Own: true}, Time: time.Millisecond}},
	}, causes.Window{Index: 9})
	want := &judgement.Work{Index: 9, Ran: 2, Waited: 0.5, Taken: 0.3, Disk: 0.1, Asleep: 7, Unaccepted: 2,
		Unread: 3, Stopped: 0.5}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if r := tier.reasons(); r.Disk.Readers != nil || r.Disk.Writers != nil {
		t.Errorf("who used the disk is known, though it was not measured: %v", r.Disk)
	}
}

// If no causes are measured, nothing is known and nothing is stored.
func TestWithoutCauses(t *testing.T) {
	a := New(width, settle, nil)
	for i := range int64(causes.Lag/width) + 10 {
		if got := follow(a.Of(web), i, 1, false); got != nil {
			t.Fatalf("%+v in window %d", got, i)
		}
	}
	if r := a.Reasons(webName); a.Of(web).Quota() != 0 || r.Seconds != nil || len(a.tiers) != 0 {
		t.Errorf("%+v", r)
	}
}

// The correlation of the own queue with a cause compares the same windows.
func TestCausesMoveWithQueue(t *testing.T) {
	a := New(width, settle, &fakeCauses{})
	for i := range int64((causes.Lag + 13*time.Second) / width) {
		follow(a.Of(web), i, float64(i%10)*3, false)
	}
	if got := a.Reasons(webName).With["runqueue"]; math.Abs(got-1) > 1e-9 {
		t.Errorf("correlation %v, want 1", got)
	}
}
