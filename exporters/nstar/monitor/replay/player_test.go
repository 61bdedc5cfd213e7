// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"bufio"
	"encoding/json"
	"io"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/judgement"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/judging"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/recording"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

const width = 50 * time.Millisecond

var (
	web = discovery.TierName{App: "shop", Tier: "web"}
	db  = discovery.TierName{App: "shop", Tier: "db"}
)

// A player says exactly what judges say that are told the same, to the last digit.
func TestPlayerSaysTheSame(t *testing.T) {
	path := filepath.Join(t.TempDir(), "recording")
	r, err := recording.Create(path, 1<<30, width, slog.New(slog.NewTextHandler(io.Discard, nil)))
	if err != nil {
		t.Fatal(err)
	}
	judges, totals := judging.New(width), window.Totals{}
	memory := judging.Memory{web: learned(0.004)}
	judges.Remember(memory)
	r.Known(memory)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range int64(1200) {
		tell(judges, r, random, i, &totals)
	}
	r.Asked()
	r.Close()
	p := play(t, path)
	s, err := p.State()
	if err != nil || len(s.Tiers) != 2 || len(s.Edges) != 1 {
		t.Fatalf("%+v, %v", s, err)
	}
	for _, tier := range s.Tiers {
		j := judges.Find(tier.TierName)
		if diff := cmp.Diff(j.Sums(), tier.Judgement, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%v -told +played:\n%s", tier.TierName, diff)
		}
		if diff := cmp.Diff(j.Estimate(), tier.Estimate, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%v -told +played:\n%s", tier.TierName, diff)
		}
	}
	if want := int64(totals.Arrivals - totals.Completions - totals.Aborts); s.Edges[0].Outstanding != want {
		t.Errorf("%d calls outstanding, want %d", s.Edges[0].Outstanding, want)
	}
	if diff := cmp.Diff(totals, s.Edges[0].Totals); diff != "" {
		t.Errorf("-told +played:\n%s", diff)
	}
	if want := judges.Find(web).MovesWithCalls(db.Tier); s.Edges[0].WithCalls != want {
		t.Errorf("the tiers' correlation is %g, want %g", s.Edges[0].WithCalls, want)
	}
}

func learned(base float64) (l judging.Learned) {
	l.Tier.Base, l.Tier.MaxThroughput, l.Tier.SaturationPoint, l.Tier.Windows = base, 500, 2, 1000
	return l
}

// tell tells judges and recorder the same window.
func tell(judges *judging.Judges, r *recording.Recorder, random *rand.Rand, index int64, calls *window.Totals) {
	merged := 0
	if index == 500 {
		merged = 3
		judges.Skip()
	}
	if index%100 == 0 {
		facts := []judging.Fact{{App: web.App, Tier: web.Tier, Processors: 2},
			{App: db.App, Tier: db.Tier, BaseResidence: 0.01}}
		judges.Tell(facts)
		r.Found(facts)
	}
	if index%20 == 0 {
		loads := make(map[discovery.TierName]judgement.Load)
		for name, j := range judges.All() {
			l := judgement.Load{From: index - 20, To: index, Cores: random.Float64(), Used: math.NaN(),
				Busy: random.Float64()}
			j.SetLoad(l)
			loads[name] = l
		}
		r.Loads(loads)
	}
	busy := func() window.Window {
		return window.Window{Index: index, Merged: merged, Arrivals: 3, Completions: uint64(random.IntN(5)),
			QueueTime: random.Int64N(int64(8 * width)), ConnectionTime: int64(9 * width)}
	}
	call := busy()
	call.ConnectionTime, call.PeakCalls, call.Connections, call.ConnectionsUsed = 0, 5, 6, 4
	call.Patient, call.Patience, call.Commits = 2, int64(width), 1
	e := judging.Edge{Caller: web, To: db.Tier, Window: call}
	calls.Add(call, width)
	r.Edge(e)
	of := judging.Calls([]judging.Edge{e}, width)
	for _, name := range []discovery.TierName{web, db} {
		h := judging.Heard{Window: busy(), Calls: of[name], GC: math.NaN(), Quota: random.Float64() / 10,
			Work: &judgement.Work{Index: index - 40, Ran: random.Float64(), Waited: random.Float64() / 3}}
		idle := uint64(0)
		if judges.Find(name) == nil {
			idle = 40
		}
		r.Tier(name, idle, h)
		if merged == 0 {
			judges.Of(name, idle).Judge(h)
		}
	}
	r.Taken(call)
}

// play plays a recording from a file.
func play(t *testing.T, path string) *Player {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var p *Player
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var l recording.Line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		if p == nil {
			p = New(*l.Begin)
		}
		p.Take(l)
	}
	return p
}

// What is gone is forgotten. What returns begins anew.
func TestGone(t *testing.T) {
	p := New(recording.Begin{Width: width.Seconds()})
	p.Take(recording.Line{Found: []judging.Fact{{App: web.App, Tier: web.Tier}}})
	w := recording.Windows{Tiers: []recording.Tier{{App: web.App, Tier: web.Tier, Window: window.Window{Arrivals: 1}}},
		Edges: []recording.Edge{{EdgeName: recording.EdgeName{App: web.App, From: web.Tier, To: "db"}}}}
	p.Take(recording.Line{Windows: &w})
	s, _ := p.State()
	if len(s.Tiers) != 1 || len(s.Edges) != 1 || !s.Tiers[0].HasJudged || s.Tiers[0].Totals.Arrivals != 1 {
		t.Errorf("%+v", s)
	}
	gone := recording.Gone{Tiers: []discovery.TierName{web}, Edges: []recording.EdgeName{w.Edges[0].EdgeName}}
	p.Take(recording.Line{Gone: &gone})
	if s, _ := p.State(); len(s.Tiers)+len(s.Edges) > 0 {
		t.Errorf("%+v", s)
	}
}

// A broker has no windows of its own. What its callers' connections say of it is told as its own.
func TestHiddenTier(t *testing.T) {
	p := New(recording.Begin{Width: width.Seconds()})
	call := recording.Edge{EdgeName: recording.EdgeName{App: web.App, From: web.Tier, To: "broker"},
		Window: window.Window{Opaque: 2}}
	p.Take(recording.Line{Found: []judging.Fact{{App: web.App, Tier: web.Tier}, {App: web.App, Tier: "broker"}},
		Windows: &recording.Windows{Edges: []recording.Edge{call}}})
	s, err := p.State()
	if err != nil {
		t.Fatal(err)
	}
	for _, tier := range s.Tiers {
		if want := map[string]uint64{"broker": 2}[tier.Tier]; tier.Totals.Opaque != want {
			t.Errorf("%s: %d connections that can't be measured, want %d", tier.Tier, tier.Totals.Opaque, want)
		}
	}
}
