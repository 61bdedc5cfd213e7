// SPDX-License-Identifier: Apache-2.0

// Package replay judges the windows of a recording again, in the same way as the exporter that wrote it, but with the
// judgement of this program.
package replay

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/judgement"
	"github.com/nstar-project/nstar/exporters/nstar/monitor"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/judging"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/recording"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Player stands for a monitor that is told what another monitor was told.
type Player struct {
	Width time.Duration
	// Judged is called with the judgement of each window, with the window's own index; nil if that is not wanted.
	Judged func(discovery.TierName, judgement.Judged)
	judges *judging.Judges
	tiers  []*tier
	edges  []*edge
}

type tier struct {
	name   discovery.TierName
	totals window.Totals
	load   judgement.Load
	works  bool // it does not listen on any socket
	// which well-known server or runtime it is, as in package programs
	program string
	causes  map[string]float64 // seconds of the causes on which verdicts rest; nil if the scheduler was not followed
	// packets of connections that found no room in the accept queue
	refused float64
}

type edge struct {
	name   recording.EdgeName
	totals window.Totals
}

// New makes a player for the recording that begins like this.
func New(b recording.Begin) *Player {
	width := time.Duration(math.Round(b.Width * float64(time.Second)))
	return &Player{Width: width, judges: judging.New(width)}
}

// Take takes the next line of the recording.
func (p *Player) Take(l recording.Line) {
	p.remember(l.Known)
	for _, f := range l.Found {
		t := p.tier(f.App, f.Tier)
		t.works, t.program = f.Works, f.Program
	}
	p.judges.Tell(l.Found)
	if l.Gone != nil {
		p.forget(*l.Gone)
	}
	for _, load := range l.Loads {
		p.load(load)
	}
	for _, a := range l.Answers {
		if j := p.judges.Find(discovery.TierName{App: a.App, Tier: a.Tier}); j != nil {
			// recordings made before there was a.To were written when the answers were read
			to := cmp.Or(a.To, int64(time.Duration(l.At)*time.Millisecond/p.Width))
			j.SetAnswers(judgement.Answers{To: to, Seconds: a.Seconds, Quick: a.Quick, Long: a.Long, Typical: a.Typical,
				Alike: a.Alike, Center: a.Center, Chance: a.Chance, Effective: a.Effective, Times: a.Times})
		}
	}
	if l.Windows != nil {
		p.windows(*l.Windows)
	}
}

func (p *Player) remember(known []recording.Known) {
	m := make(judging.Memory)
	for _, k := range known {
		m[discovery.TierName{App: k.App, Tier: k.Tier}] = judging.Learned{Knowledge: k.Knowledge, Seen: time.Now()}
	}
	p.judges.Remember(m)
}

func (p *Player) tier(app, name string) *tier {
	wanted := discovery.TierName{App: app, Tier: name}
	i := slices.IndexFunc(p.tiers, func(t *tier) bool { return t.name == wanted })
	if i < 0 {
		i = len(p.tiers)
		p.tiers = append(p.tiers, &tier{name: wanted, load: judgement.UnknownLoad()})
	}
	return p.tiers[i]
}

func (p *Player) edge(name recording.EdgeName) *edge {
	i := slices.IndexFunc(p.edges, func(e *edge) bool { return e.name == name })
	if i < 0 {
		i = len(p.edges)
		p.edges = append(p.edges, &edge{name: name})
	}
	return p.edges[i]
}

func (p *Player) forget(gone recording.Gone) {
	for _, name := range gone.Tiers {
		p.judges.Retire(name)
		p.tiers = slices.DeleteFunc(p.tiers, func(t *tier) bool { return t.name == name })
	}
	for _, name := range gone.Edges {
		p.judges.Forget(discovery.TierName{App: name.App, Tier: name.From}, name.To)
		p.edges = slices.DeleteFunc(p.edges, func(e *edge) bool { return e.name == name })
	}
}

func (p *Player) load(l recording.Load) {
	t := p.tier(l.App, l.Tier)
	t.load = judgement.Load{From: l.From, To: l.To, Cores: float64(l.Cores), Used: float64(l.Used),
		Busy:   float64(l.Busy),
		Others: l.Others, Disk: l.Disk, Waiting: l.Waiting, Thread: float64(l.Thread),
		Writes: float64(l.Writes), Processes: float64(l.Processes)}
	if j := p.judges.Find(t.name); j != nil {
		j.SetLoad(t.load)
	}
}

// hidden counts connections of a caller that can't be measured for the tier that it calls, if that tier has no windows:
// they are not recorded as long as nobody has asked it anything.
func (p *Player) hidden(app, to string, opaque uint64) {
	i := slices.IndexFunc(p.tiers, func(t *tier) bool { return t.name == discovery.TierName{App: app, Tier: to} })
	if i >= 0 && p.tiers[i].totals.Arrivals == 0 {
		p.tiers[i].totals.Opaque += opaque
	}
}

func (p *Player) windows(all recording.Windows) {
	var edges []judging.Edge
	for _, e := range all.Edges {
		w := placed(e.Window, all)
		p.edge(e.EdgeName).totals.Add(w, p.Width)
		p.hidden(e.App, e.To, w.Opaque)
		edges = append(edges, judging.Edge{Caller: discovery.TierName{App: e.App, Tier: e.From}, To: e.To, Window: w})
	}
	if all.Merged > 0 {
		p.judges.Skip()
	}
	calls := judging.Calls(edges, p.Width)
	for _, one := range all.Tiers {
		t, w := p.tier(one.App, one.Tier), placed(one.Window, all)
		t.totals.Add(w, p.Width)
		t.add(one.Work, p.Width)
		if all.Merged > 0 {
			continue
		}
		if one.Unasked {
			if one.Work != nil {
				p.judges.Act(t.name, *one.Work, float64(one.GC), one.Quota)
			}
			continue
		}
		_, done, ok := p.judges.Of(t.name, one.Idle).Judge(judging.Heard{
			Window: w, Calls: calls[t.name], GC: float64(one.GC), Work: one.Work, Quota: one.Quota,
		})
		if ok && p.Judged != nil {
			p.Judged(t.name, done)
		}
	}
}

// add takes what threads did in a window.
func (t *tier) add(w *judgement.Work, width time.Duration) {
	if w == nil {
		return
	}
	if t.causes == nil {
		t.causes = make(map[string]float64)
	}
	t.causes[causes.Asleep] += w.Asleep * width.Seconds()
	t.causes[causes.Lock] += w.Locked * width.Seconds()
	t.causes[causes.CPU] += w.Ran * width.Seconds()
	t.refused += w.Refused * width.Seconds()
}

// placed is a window with what belongs to it in the recording.
func placed(w window.Window, all recording.Windows) window.Window {
	w.Index, w.Merged = all.Index, all.Merged
	return w
}

// State is what the monitor would export now, as far as verdicts need it.
func (p *Player) State() (monitor.State, error) {
	var s monitor.State
	for _, one := range p.tiers {
		t := monitor.Tier{TierName: one.name, Totals: one.totals, Load: one.load, Works: one.works,
			Program: one.program}
		t.Seconds = one.causes
		if one.refused > 0 {
			t.Accept = &causes.Accept{Refused: uint64(one.refused)}
		}
		if j := p.judges.Find(one.name); j != nil {
			t.HasJudged = true
			t.Judgement, t.Estimate, t.WithGC = j.Sums(), j.Estimate(), j.MovesWithCollections()
		} else {
			t.Active = p.judges.Unasked(one.name)
		}
		s.Tiers = append(s.Tiers, t)
	}
	for _, one := range p.edges {
		name := one.name
		e := monitor.Edge{Totals: one.totals}
		e.App, e.From, e.To = name.App, name.From, name.To
		e.Outstanding = max(0, int64(one.totals.Arrivals)-int64(one.totals.Completions+one.totals.Aborts))
		e.Follow(p.judges)
		s.Edges = append(s.Edges, e)
	}
	return s, nil
}
