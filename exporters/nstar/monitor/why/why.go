// SPDX-License-Identifier: Apache-2.0

// Package why keeps an account for each tier of what kept it from work. It asks the collectors of package causes for
// each window, some time after the window, and adds up what they say.
package why

import (
	"maps"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/judgement"
	"github.com/nstar-project/nstar/exporters/nstar/samples"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Causes measures what keeps tiers from work in a window. It is implemented by *causes.Set, which documents the
// methods.
type Causes interface {
	Up() map[string]bool
	Look(tier causes.Tier, index int64)
	Account(tier causes.Tier, w causes.Window) causes.Account
	Cores(tier window.Station, index int64) []causes.Core
	TakeMoves(tier causes.Tier) causes.Moves
	Host() causes.Host
}

// Tiers has an account for every tier that was ever asked for. It is not safe for concurrent use.
type Tiers struct {
	width, settle time.Duration
	causes        Causes
	tiers         map[discovery.TierName]*Tier
}

// New keeps accounts for windows of the given width, which are known so long after their end. Without causes there are
// no accounts.
func New(width, settle time.Duration, c Causes) *Tiers {
	return &Tiers{width: width, settle: settle, causes: c, tiers: make(map[discovery.TierName]*Tier)}
}

// Of finds or makes a tier's account; nil if no causes are measured.
func (a *Tiers) Of(tier causes.Tier) *Tier {
	if a.causes == nil {
		return nil
	}
	name := discovery.TierName{App: tier.App, Tier: tier.Name}
	t := a.tiers[name]
	if t == nil {
		t = newTier(a.width, a.settle, a.causes, tier)
		a.tiers[name] = t
	}
	return t
}

// Reasons returns what a tier's account says so far; empty if there is none.
func (a *Tiers) Reasons(name discovery.TierName) Reasons {
	if t := a.tiers[name]; t != nil {
		return t.reasons()
	}
	return Reasons{}
}

// Retire closes the account of a tier that is gone.
func (a *Tiers) Retire(name discovery.TierName) { delete(a.tiers, name) }

// Reasons are what has kept a tier from work so far.
type Reasons struct {
	Seconds    map[string]float64     // by cause, added up over threads
	Neighbours map[causes.Who]float64 // seconds for which the tier waited for processors that these had
	Disk       DiskNeighbours
	With       map[string]float64 // correlation of the own queue with the cause's share; NaN if there is none
	Standstill Standstill
	Placement
}

// Tier is one tier's account. If no causes are measured, it is nil and knows nothing.
type Tier struct {
	width, settle time.Duration
	causes        Causes
	tier          causes.Tier
	seconds       map[string]float64
	neighbours    causes.Ledger
	disk          *diskLedgers // nil if it is not known which programs use disks
	with          map[string]*judgement.Correlation
	throttled     []float64 // one value for each window of the last second
	standstill    Standstill
	place         *placement
	kinds         []samples.Cause // of the last window
	noted         map[int64]noted // windows whose causes are not read yet
	stay          stay
}

func newTier(width, settle time.Duration, c Causes, tier causes.Tier) *Tier {
	t := &Tier{
		width: width, settle: settle, causes: c, tier: tier,
		seconds: make(map[string]float64), with: make(map[string]*judgement.Correlation),
		noted:      make(map[int64]noted),
		standstill: Standstill{Causes: make(map[string]float64)},
	}
	for name, ok := range c.Up() {
		if ok { // a counter that appears with its first increment hides it from rate()
			t.seconds[name], t.standstill.Causes[name] = 0, 0
		}
	}
	return t
}

func (t *Tier) reasons() Reasons {
	r := Reasons{
		Seconds: maps.Clone(t.seconds), Neighbours: t.neighbours.Sums(), With: make(map[string]float64, len(t.with)),
		Standstill: Standstill{t.standstill.Seconds, maps.Clone(t.standstill.Causes)}, Disk: t.disk.sums(),
	}
	for name, c := range t.with {
		r.With[name] = c.Pearson()
	}
	if t.place != nil {
		r.Placement = t.place.state()
	}
	return r
}
