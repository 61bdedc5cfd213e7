// SPDX-License-Identifier: Apache-2.0

// Package judging gives every tier a judge, adds up what the judges say of its windows, and remembers what they have
// learned while a tier is away and over a restart.
package judging

import (
	"iter"
	"maps"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/judgement"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Judges has a judge for every tier that ever had a request. It is not safe for concurrent use.
type Judges struct {
	width  time.Duration
	tiers  map[discovery.TierName]*Judge
	memory Memory // of an earlier run and of absent tiers, for tiers that appear
	// unasked are tiers that have no judge, and work all the same
	unasked map[discovery.TierName]active
}

// Judge is a tier's judge and what it has said so far.
type Judge struct {
	*judgement.Tier
	width   time.Duration
	sums    Judgement
	stops   stops
	answers answers
}

// New makes the set of judges, for windows of the given width.
func New(width time.Duration) *Judges {
	return &Judges{width: width, tiers: make(map[discovery.TierName]*Judge), memory: make(Memory),
		unasked: make(map[discovery.TierName]active)}
}

// Of finds or makes a tier's judge. It is made at the tier's first request, after idle windows without one.
func (j *Judges) Of(name discovery.TierName, idle uint64) *Judge {
	t := j.tiers[name]
	if t == nil {
		t = &Judge{Tier: judgement.NewTier(j.width), width: j.width, sums: newJudgement(), stops: newStops()}
		t.SetJudges(func(tier string) *judgement.Tier {
			if other := j.tiers[discovery.TierName{App: name.App, Tier: tier}]; other != nil {
				return other.Tier
			}
			return nil
		})
		if before, ok := j.unasked[name]; ok {
			t.sums.Active = before
			delete(j.unasked, name)
		}
		if k, ok := j.memory[name]; ok {
			t.Remember(k.Knowledge)
		}
		if time.Duration(idle)*j.width >= time.Second {
			t.Rested()
		}
		j.tiers[name] = t
	}
	return t
}

// Act takes what the threads of a tier did in a window that was judged before, if nobody has asked the tier for
// anything yet. Such a tier may take its work from others, and be kept from it.
func (j *Judges) Act(name discovery.TierName, w judgement.Work, gc, quota float64) {
	if j.unasked[name] == nil {
		j.unasked[name] = make(active)
	}
	j.unasked[name].act(w, gc, quota, j.width)
}

// Unasked is what Act has added up for a tier.
func (j *Judges) Unasked(name discovery.TierName) map[judgement.Cause]float64 {
	return maps.Clone(j.unasked[name])
}

// Find finds a tier's judge; nil if the tier has none yet.
func (j *Judges) Find(name discovery.TierName) *Judge { return j.tiers[name] }

// All returns the judges by their tiers.
func (j *Judges) All() iter.Seq2[discovery.TierName, *Judge] { return maps.All(j.tiers) }

// Fact is what is known of a tier from elsewhere: on how many processors its processes may run, what the configuration
// file says, and which programs it calls. 0 means unknown.
type Fact struct {
	App             string  `json:"app"`
	Tier            string  `json:"tier"`
	Processors      float64 `json:"processors,omitempty"`
	BaseResidence   float64 `json:"base_seconds,omitempty"`
	SaturationPoint float64 `json:"saturation_point,omitempty"`
	// Unseen says that the tier calls others over connections that are not measured.
	Unseen bool `json:"unseen,omitempty"`
	// Tells says that the windows have what comes back on connections that can't be measured. (Older recordings have
	// not.)
	Tells bool `json:"tells,omitempty"`
	// Works says that the tier does not listen on any socket.
	Works bool `json:"works,omitempty"`
	// Apart says that each connection has a thread or process of its own.
	Apart bool `json:"apart,omitempty"`
	// Program is which well-known server or runtime it is, as in package programs. (Older recordings have not.)
	Program string `json:"program,omitempty"`
}

// Tell passes the facts on to the judges of their tiers.
func (j *Judges) Tell(facts []Fact) {
	for _, f := range facts {
		if t := j.tiers[discovery.TierName{App: f.App, Tier: f.Tier}]; t != nil {
			t.SetProcessors(f.Processors)
			t.Give(f.BaseResidence, f.SaturationPoint)
			t.SetUnseen(f.Unseen)
			t.SetTells(f.Tells)
			t.SetApart(f.Apart)
		}
	}
}

// Skip tells all judges that windows are missing.
func (j *Judges) Skip() {
	for _, t := range j.tiers {
		t.Skip()
	}
}

// Heard is all that a tier's judge is told of a window.
type Heard struct {
	Window window.Window
	Calls  []judgement.Calls
	GC     float64         // share of the window in collections; NaN if there are none
	Work   *judgement.Work // of the window that is judged now; nil if it is not known
	Quota  float64         // share of the waiting in that window for which a quota is to blame
}

// Judge takes a tier's window. It returns the own queue at once, and the judgement of an earlier window if there is
// one.
func (t *Judge) Judge(h Heard) (own float64, done judgement.Judged, ok bool) {
	t.sums.expect(h.Calls)
	t.sums.collect(h.GC, t.width)
	if h.Work != nil {
		t.SetWork(*h.Work)
		t.sums.Active.act(*h.Work, h.GC, h.Quota, t.width)
	}
	w := h.Window
	own, _, done, ok = t.Add(judgement.Window{
		Index: w.Index, Queue: max(0, w.Queue(t.width)), Completions: float64(w.Completions), GC: h.GC, Calls: h.Calls,
		Connections: max(0, w.ClientConnections(t.width)),
	})
	if ok {
		chargeQuota(&done, h.Quota)
		t.sums.add(done, t.width)
		t.stops.add(done, t.width)
	}
	return own, done, ok
}

// Sums are the totals of the judgements so far.
func (t *Judge) Sums() Judgement {
	s := t.sums.copied()
	s.Stops = maps.Clone(t.stops.number)
	return s
}
