// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"math"
	"reflect"
	"slices"
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

// kindsOf is what is known of the kinds of a tier. A kind keeps its number when the configuration is read again, so
// that its sums go on.
type kindsOf struct {
	names []string // by number, from Other
	given []time.Duration
	base  []probe.KindSums // that the station's tier before had
	last  []probe.KindSums // at the last look
	times [][]time.Duration
	queue []time.Duration // as shown last
	work  float64         // seconds
}

const (
	// timesKept is how many seconds with completions are remembered of a kind.
	timesKept = 60
	// timesNeeded is how many of them must be there before their fastest tell what a request takes without load.
	timesNeeded = 10
	// lightShare of these seconds are taken to be those with the least load.
	lightShare = 0.1
)

func newKinds(base []probe.KindSums) *kindsOf {
	if base == nil { // the kernel programs run without kinds
		base = make([]probe.KindSums, kinds.Max)
	}
	return &kindsOf{
		names: []string{kinds.Other}, given: make([]time.Duration, kinds.Max), base: base, last: slices.Clone(base),
		times: make([][]time.Duration, kinds.Max), queue: make([]time.Duration, kinds.Max),
	}
}

// number is that of a kind, which is new or was there before; false where there is no room.
func (k *kindsOf) number(name string) (int, bool) {
	n := slices.Index(k.names, name)
	if n < 0 {
		if len(k.names) == kinds.Max {
			return 0, false
		}
		n = len(k.names)
		k.names = append(k.names, name)
	}
	return n, true
}

// fillKinds tells the kernel side which kinds the tiers have.
func (m *Monitor) fillKinds() {
	var all []kinds.Kind
	if m.config != nil {
		for _, rule := range m.config.Tiers {
			if n, ok := m.stations.numbers[discovery.TierName{App: rule.App, Tier: rule.Name}]; ok && len(rule.Kinds) > 0 {
				all = append(all, m.numbered(n, rule)...)
			}
		}
	}
	if reflect.DeepEqual(all, m.kindsSet) {
		return
	}
	m.kindsSet = all
	if err := m.probe.SetKinds(all); err != nil {
		m.options.Log.Warn("Kinds of requests are not told apart", "err", err)
	} else if len(all) > 0 {
		m.options.Log.Info("Kinds of requests are told apart", "kinds", len(all))
	}
}

// numbered gives the kinds of a tier their numbers.
func (m *Monitor) numbered(station window.Station, rule config.TierRule) (out []kinds.Kind) {
	k := m.kinds[station]
	if k == nil {
		k = newKinds(m.kindBase[station])
		m.kinds[station] = k
	}
	clear(k.given)
	for _, kind := range rule.Kinds {
		pattern, err := kinds.Parse(kind.Request)
		if err != nil {
			continue // the configuration was checked
		}
		n, ok := k.number(kind.Request)
		if !ok {
			m.options.Log.Warn("No number is left for a kind of request until the exporter is started again", "tier", rule.Name,
				"kind", kind.Request)
			continue
		}
		k.given[n] = kind.ServiceTime
		out = append(out, kinds.Kind{Tier: int(station), Number: n, Pattern: pattern})
	}
	return out
}

// readKinds learns what requests take, and adds up the work that was done since the last time.
func (m *Monitor) readKinds() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for station, k := range m.kinds {
		k.read(m.probe.KindSums(station))
	}
}

func (k *kindsOf) read(sums []probe.KindSums) {
	for n := range min(len(k.names), len(sums)) {
		since := sums[n].Sub(k.last[n])
		if done := int64(since.Completions); done > 0 && since.Residence > 0 {
			mean := since.Residence / time.Duration(done)
			if k.times[n] = append(k.times[n], mean); len(k.times[n]) > timesKept {
				k.times[n] = k.times[n][1:]
			}
			weight := k.serviceTime(n)
			if weight == 0 {
				weight = mean
			}
			k.work += float64(done) * weight.Seconds()
		}
	}
	k.last = sums
}

// serviceTime is what a request of a kind takes without load: what the configuration says, or what the seconds took in
// which it took least.
func (k *kindsOf) serviceTime(n int) time.Duration {
	if k.given[n] > 0 {
		return k.given[n]
	}
	if len(k.times[n]) < timesNeeded {
		return 0
	}
	sorted := slices.Sorted(slices.Values(k.times[n]))
	return sorted[int(math.Ceil(lightShare*float64(len(sorted))))-1]
}

// state is what /metrics shows. Between reading the sums and the clock requests come and go, so that an integral may
// seem to shrink by microseconds, which a counter must not.
func (k *kindsOf) state(sums []probe.KindSums, now time.Duration) (out []Kind) {
	for n, name := range k.names {
		if n >= len(sums) {
			break
		}
		s := sums[n].Sub(k.base[n])
		k.queue[n] = max(k.queue[n], s.QueueTime(now))
		out = append(out, Kind{Name: name, KindSums: s, QueueTime: k.queue[n], ServiceTime: k.serviceTime(n)})
	}
	return out
}
