// SPDX-License-Identifier: Apache-2.0

// Package judging gives every tier a judge, adds up what the judges say of its windows, and remembers what they learned
// for as long as a tier is away and over a restart.
package judging

import (
	"iter"
	"maps"
	"math"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/judgement"
)

// Judges has a judge for every tier that was ever asked. It is not safe for concurrent use.
type Judges struct {
	width  time.Duration
	tiers  map[discovery.TierName]*Judge
	memory Memory // of an earlier run and of tiers that are away, for tiers that come
}

// Judge is a tier's judge and what it has said so far.
type Judge struct {
	*judgement.Tier
	width time.Duration
	sums  Judgement
}

// New makes judges of windows of the given width.
func New(width time.Duration) *Judges {
	return &Judges{width: width, tiers: make(map[discovery.TierName]*Judge), memory: make(Memory)}
}

// Of finds or makes a tier's judge. It is made at the tier's first request, after so many windows without one.
func (j *Judges) Of(name discovery.TierName, idle uint64) *Judge {
	t := j.tiers[name]
	if t == nil {
		t = &Judge{Tier: judgement.NewTier(j.width), width: j.width, sums: newJudgement()}
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

// Find finds a tier's judge; nil where none was asked yet.
func (j *Judges) Find(name discovery.TierName) *Judge { return j.tiers[name] }

// All are the judges by their tiers.
func (j *Judges) All() iter.Seq2[discovery.TierName, *Judge] { return maps.All(j.tiers) }

// Tell passes on what is known of tiers from elsewhere: on how many processors their processes may run, and what the
// configuration file says.
func (j *Judges) Tell(found discovery.Snapshot, processors func(pids []int32) float64, cfg *config.Config) {
	for _, tier := range found.Tiers {
		if t := j.tiers[tier.FullName()]; t != nil {
			t.SetProcessors(processors(tier.PIDs))
		}
	}
	if cfg == nil {
		return
	}
	for _, rule := range cfg.Tiers {
		if t := j.tiers[discovery.TierName{App: rule.App, Tier: rule.Name}]; t != nil {
			t.Give(given(rule.BaseResidence.Seconds()), given(rule.SaturationPoint))
		}
	}
}

// given is a value of the configuration file; NaN where it says nothing.
func given(v float64) float64 {
	if v == 0 {
		return math.NaN()
	}
	return v
}

// Skip says that windows are missing.
func (j *Judges) Skip() {
	for _, t := range j.tiers {
		t.Skip()
	}
}

// Judge judges a tier's window, and charges a quota with the given share of its waiting. It returns the own queue at
// once, and a state for an earlier window if one was judged.
func (t *Judge) Judge(w judgement.Window, quota float64) (own float64, done judgement.Judged, ok bool) {
	t.sums.expect(w.Calls)
	own, _, done, ok = t.Add(w)
	if ok {
		chargeQuota(&done, quota)
		t.sums.add(done, t.width)
	}
	return own, done, ok
}

// Sums are what was said so far.
func (t *Judge) Sums() Judgement { return t.sums.copied() }
