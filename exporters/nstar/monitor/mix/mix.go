// SPDX-License-Identifier: Apache-2.0

// Package mix tells the kinds of requests of a tier apart, where the configuration names some: which kind has which
// number, what a request of it takes without load, and how much work that was done adds up to, so that a change of the
// mix is not taken for a change of the tier's capacity.
package mix

import (
	"log/slog"
	"reflect"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/kinds"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Kind is a kind of request of a tier for /metrics.
type Kind struct {
	Name string
	probe.KindSums
	QueueTime   time.Duration
	ServiceTime time.Duration // without load; 0 while nothing is known
}

// Probe is the kernel side: *probe.Probe, which documents the methods.
type Probe interface {
	SetKinds([]kinds.Kind) error
	KindSums(tier window.Station) []probe.KindSums
}

// Mixes has the mix of each tier that tells kinds apart. It is not safe for concurrent use.
type Mixes struct {
	probe Probe
	log   *slog.Logger
	tiers map[window.Station]*mix
	base  map[window.Station][]probe.KindSums // that the number's tier before had
	set   []kinds.Kind                        // as the kernel side was told
}

// New tells nothing apart yet.
func New(p Probe, log *slog.Logger) *Mixes {
	return &Mixes{probe: p, log: log, tiers: make(map[window.Station]*mix),
		base: make(map[window.Station][]probe.KindSums)}
}

// Begin gives a number to a tier. Nothing may be under way on it yet.
func (m *Mixes) Begin(n window.Station) { m.base[n] = m.probe.KindSums(n) }

// Forget drops what is known of a number's tier.
func (m *Mixes) Forget(n window.Station) { delete(m.tiers, n) }

// Follow tells the kernel side which kinds the tiers have that have a number.
func (m *Mixes) Follow(rules []config.TierRule, number func(discovery.TierName) (window.Station, bool)) {
	var all []kinds.Kind
	for _, rule := range rules {
		n, ok := number(discovery.TierName{App: rule.App, Tier: rule.Name})
		if ok && len(rule.Kinds) > 0 {
			all = append(all, m.numbered(n, rule)...)
		}
	}
	if reflect.DeepEqual(all, m.set) {
		return
	}
	m.set = all
	if err := m.probe.SetKinds(all); err != nil {
		m.log.Warn("Kinds of requests are not told apart", "err", err)
	} else if len(all) > 0 {
		m.log.Info("Kinds of requests are told apart", "kinds", len(all))
	}
}

// numbered gives the kinds of a tier their numbers.
func (m *Mixes) numbered(station window.Station, rule config.TierRule) (out []kinds.Kind) {
	k := m.tiers[station]
	if k == nil {
		k = newMix(m.base[station])
		m.tiers[station] = k
	}
	clear(k.given)
	for _, kind := range rule.Kinds {
		pattern, err := kinds.Parse(kind.Request)
		if err != nil {
			continue // the configuration was checked
		}
		n, ok := k.number(kind.Request)
		if !ok {
			m.log.Warn("No number is left for a kind of request until the exporter is started again", "tier", rule.Name,
				"kind", kind.Request)
			continue
		}
		k.given[n] = kind.ServiceTime
		out = append(out, kinds.Kind{Tier: int(station), Number: n, Pattern: pattern})
	}
	return out
}

// Read learns what requests take, and adds up the work that was done since the last time. It is to be called every
// second.
func (m *Mixes) Read() {
	for station, k := range m.tiers {
		k.read(m.probe.KindSums(station))
	}
}

// Of is what is known of a tier's kinds now, monotonic, and the work that it has done, in seconds of service without
// load; nil where kinds are not told apart.
func (m *Mixes) Of(n window.Station, now time.Duration) (of []Kind, work float64) {
	k := m.tiers[n]
	if k == nil {
		return nil, 0
	}
	return k.state(m.probe.KindSums(n), now), k.work
}
