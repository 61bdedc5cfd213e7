// SPDX-License-Identifier: Apache-2.0

// Package mix tells the kinds of requests of a tier apart, if the configuration names any. It knows the number of each
// kind, how long a request of this kind takes without load, and how much work was done in total. So a change of the mix
// is not taken for a change of the tier's capacity.
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

// Probe is the kernel side. It is implemented by *probe.Probe, which documents the methods.
type Probe interface {
	SetKinds([]kinds.Kind) error
	KindSums(tier window.Station) []probe.KindSums
}

// Mixes has the mix of each tier that distinguishes kinds. It is not safe for concurrent use.
type Mixes struct {
	probe Probe
	log   *slog.Logger
	tiers map[window.Station]*mix
	base  map[window.Station][]probe.KindSums // of the tier that had the number before
	set   []kinds.Kind                        // as the kernel side was told
}

// New makes an empty set, which does not distinguish any kinds yet.
func New(p Probe, log *slog.Logger) *Mixes {
	return &Mixes{probe: p, log: log, tiers: make(map[window.Station]*mix),
		base: make(map[window.Station][]probe.KindSums)}
}

// Begin gives a number to a tier. No request of the tier may be under way yet.
func (m *Mixes) Begin(n window.Station) { m.base[n] = m.probe.KindSums(n) }

// Forget drops what is known of a number's tier.
func (m *Mixes) Forget(n window.Station) { delete(m.tiers, n) }

// Follow tells the kernel side the kinds of all tiers that have a number.
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

// numbered gives numbers to the kinds of a tier.
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
			continue // can't happen: the configuration was checked
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

// Read learns how long requests take, and adds up the work that was done since the last call. It must be called every
// second.
func (m *Mixes) Read() {
	for station, k := range m.tiers {
		k.read(m.probe.KindSums(station))
	}
}

// Of returns what is known of a tier's kinds now (monotonic) and the work that the tier has done, in seconds of service
// without load. It returns nil if the tier does not distinguish kinds.
func (m *Mixes) Of(n window.Station, now time.Duration) (of []Kind, work float64) {
	k := m.tiers[n]
	if k == nil {
		return nil, 0
	}
	return k.state(m.probe.KindSums(n), now), k.work
}
