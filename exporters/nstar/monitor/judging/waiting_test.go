// SPDX-License-Identifier: Apache-2.0

package judging

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/judgement"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Windows in which a tier has all the processor time that it can get are added up.
func TestFullSeconds(t *testing.T) {
	const width = 50 * time.Millisecond
	s := newJudgement()
	for i := range 40 {
		s.add(judgement.Judged{Full: i < 30}, width)
	}
	if want := 1.5; math.Abs(s.FullSeconds-want) > 1e-9 {
		t.Errorf("full for %g s, want %g", s.FullSeconds, want)
	}
}

// Threads are active or not, whatever their number, and what keeps them from their work has a part of that time.
func TestActive(t *testing.T) {
	const width = 50 * time.Millisecond
	s := newJudgement()
	for range 20 {
		s.Active.act(judgement.Work{Ran: 0.5, Waited: 3.5}, math.NaN(), 0, width)
		s.Active.act(judgement.Work{}, math.NaN(), 1, width)
		s.Active.act(judgement.Work{Ran: 1}, 0.75, 0, width)
		s.Active.act(judgement.Work{Ran: 0.1, Waited: 5}, 0.5, 0.5, width)
	}
	want := active{judgement.GarbageCollection: 1.25, Throttled: 0.25, Free: 1.5}
	if diff := cmp.Diff(want, s.Active, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// What a tier does before anybody asks it for something goes on counting when it is asked.
func TestUnasked(t *testing.T) {
	const width = 50 * time.Millisecond
	name := discovery.TierName{App: "shop", Tier: "worker"}
	j := New(width)
	work := judgement.Work{Ran: 0.5}
	for range 20 {
		j.Act(name, work, math.NaN(), 0.5)
	}
	want := map[judgement.Cause]float64{judgement.GarbageCollection: 0, Throttled: 0.25, Free: 0.25}
	if diff := cmp.Diff(want, j.Unasked(name), cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if j.Find(name) != nil {
		t.Error("it has a judge")
	}
	judge := j.Of(name, 0)
	judge.Judge(Heard{Work: &work})
	if got := judge.Sums().Active[Free]; math.Abs(got-0.275) > 1e-9 || j.Unasked(name) != nil {
		t.Errorf("active for %g s, unasked %v", got, j.Unasked(name))
	}
	j.Act(name, work, 0, 0)
	j.Retire(name)
	if j.Unasked(name) != nil {
		t.Error("it is not forgotten")
	}
}

// The time in collections is added up over the windows that report it. It is absent before the first of them.
func TestCollections(t *testing.T) {
	const width = 50 * time.Millisecond
	j := New(width).Of(discovery.TierName{App: "shop", Tier: "web"}, 0)
	for i, gc := range []float64{math.NaN(), 0, 0.5, math.NaN(), 1} {
		j.Judge(Heard{Window: window.Window{Index: int64(i)}, GC: gc})
		if none := math.IsNaN(j.Sums().Collections); none != (i == 0) {
			t.Errorf("after window %d: %g s", i, j.Sums().Collections)
		}
	}
	if got := j.Sums().Collections; math.Abs(got-0.075) > 1e-9 {
		t.Errorf("%g s, want 0.075", got)
	}
}

func TestWaiting(t *testing.T) {
	const width = 50 * time.Millisecond
	j := New(width)
	name := discovery.TierName{App: "shop", Tier: "web"}
	tier := j.Of(name, 0)
	tier.sums.expect([]judgement.Calls{{To: "db"}, {To: "cache"}, {To: "clients"}})
	for range 20 {
		tier.sums.add(judgement.Judged{Own: 3, Waiting: judgement.Split{
			Clients: 5, Self: 3, Behind: []judgement.Share{{To: "db", Queue: 2}, {To: "clients", Queue: 1}},
		}}, width)
	}
	got := tier.Sums().Waiting
	want := map[string]float64{"clients": 5, "self": 3, "db": 2, "cache": 0, "tier clients": 1}
	for on, seconds := range got {
		if d := seconds - want[on]; d > 1e-9 || d < -1e-9 {
			t.Errorf("%g s on %s, want %g", seconds, on, want[on])
		}
	}
	if len(got) != len(want) {
		t.Errorf("waited on %v, want %v", got, want)
	}
	j.Forget(name, "clients")
	j.Forget(name, "cache")
	var left []string
	for _, on := range []string{"cache", "clients", "db", "self", "tier clients"} {
		if _, ok := tier.sums.Waiting[on]; ok {
			left = append(left, on)
		}
	}
	if diff := cmp.Diff([]string{"clients", "db", "self"}, left); diff != "" {
		t.Errorf("after two tiers behind are forgotten (-want +got):\n%s", diff)
	}
	if _, ok := got["cache"]; !ok {
		t.Error("the copy shares its map")
	}
}
