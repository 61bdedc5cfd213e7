// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"maps"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/judgement"
	"github.com/nstar-project/nstar/exporters/nstar/samples"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Causes measure what keeps tiers from work: *causes.Set, which documents the methods.
type Causes interface {
	Up() map[string]bool
	SetClock(offset time.Duration) error
	Follow([]causes.Tier) error
	Poll(now time.Duration)
	Look(tier causes.Tier, index int64)
	Account(tier causes.Tier, w causes.Window) causes.Account
	Accept(tier window.Station) (causes.Accept, bool)
	Late() uint64
	Cost() (program string, runs uint64, took time.Duration, ok bool)
	Cores(tier window.Station, index int64) []causes.Core
	TakeMoves(tier causes.Tier) causes.Moves
	Host() causes.Host
}

// Why is what kept a tier from work so far.
type Why struct {
	Seconds    map[string]float64     // by cause, added up over threads
	Neighbours map[causes.Who]float64 // seconds for which it waited for processors that these had
	With       map[string]float64     // correlation of the own queue with the cause's share; NaN where there is none
	Standstill Standstill
	Placement
}

// whys follows one tier's causes.
type whys struct {
	width      time.Duration
	seconds    map[string]float64
	neighbours causes.Ledger
	with       map[string]*judgement.Correlation
	throttled  []float64 // of the last second's windows
	standstill Standstill
	place      *placement
	kinds      []samples.Cause   // of the last window
	own        map[int64]float64 // own queues of the windows whose causes are not read yet
}

func newWhys(width time.Duration, up map[string]bool) *whys {
	w := &whys{
		width: width, seconds: make(map[string]float64), with: make(map[string]*judgement.Correlation),
		own:        make(map[int64]float64),
		standstill: Standstill{Causes: make(map[string]float64)},
	}
	for name, ok := range up {
		if ok { // a counter that appears with its first increment hides it from rate()
			w.seconds[name], w.standstill.Causes[name] = 0, 0
		}
	}
	return w
}

// lag is the number of windows that causes are read later than queues.
func (w *whys) lag() int64 { return int64(causes.Lag / w.width) }

// state is what is exported.
func (w *whys) state() Why {
	y := Why{
		Seconds: maps.Clone(w.seconds), Neighbours: w.neighbours.Sums(), With: make(map[string]float64, len(w.with)),
		Standstill: Standstill{w.standstill.Seconds, maps.Clone(w.standstill.Causes)},
	}
	for name, c := range w.with {
		y.With[name] = c.Pearson()
	}
	if w.place != nil {
		y.Placement = w.place.state()
	}
	return y
}

// followCauses tells the collectors what a scan found.
func (m *Monitor) followCauses(found discovery.Snapshot) {
	if m.causes == nil {
		return
	}
	var tiers []causes.Tier
	for _, t := range found.Tiers {
		if n, ok := m.stations.numbers[t.FullName()]; ok {
			tiers = append(tiers, causes.Tier{Station: n, App: t.App, Name: t.Name, PIDs: t.PIDs, Listeners: t.Listeners})
		}
	}
	if err := m.causes.Follow(tiers); err != nil {
		m.options.Log.Warn("The causes of some processes are not measured", "err", err)
	}
}

func (m *Monitor) pollCauses() {
	if m.causes != nil {
		m.causes.Poll(m.now())
	}
}

// why finds or makes what follows a tier's causes.
func (m *Monitor) why(t *judged) *whys {
	if t.why == nil {
		t.why = newWhys(m.options.Window, m.causes.Up())
	}
	return t.why
}

// past is a tier's window whose causes are read when a later one is judged: they are known later than queues.
type past struct {
	tier causes.Tier
	causes.Window
	causes.Account
}

// lookBack reads the causes of the past window when that of an index is judged; false where causes are not measured, or
// where the past window was skipped.
func (m *Monitor) lookBack(t *judged, tier causes.Tier, index int64) (past, bool) {
	if m.causes == nil {
		return past{}, false
	}
	m.causes.Look(tier, index+int64(m.options.Settle/m.options.Window))
	w := m.why(t)
	of := index - w.lag()
	own, measured := w.own[of]
	for i := range w.own {
		if i <= of { // windows that were skipped, too
			delete(w.own, i)
		}
	}
	if !measured {
		return past{}, false
	}
	to := time.Duration(of+1)*m.options.Window - m.offset.Value()
	window := causes.Window{Index: of, From: to - m.options.Window, To: to, Own: own}
	return past{tier, window, m.causes.Account(tier, window)}, true
}

// followWork tells a tier's judge what its threads did in a window, which is the next to be judged, and keeps account
// of who had the processors for which they waited.
func (m *Monitor) followWork(t *judged, p past) {
	work := p.Work
	if work == nil {
		return
	}
	taken := time.Duration(0)
	for _, n := range work.Neighbours {
		if !n.Own {
			taken += n.Time
		}
		t.why.neighbours.Add(n, p.To)
	}
	share := func(d time.Duration) float64 { return d.Seconds() / m.options.Window.Seconds() }
	t.SetWork(judgement.Work{
		Index: p.Index, Ran: share(work.Ran), Waited: share(work.Waited), Taken: share(taken),
		Unaccepted: work.Unaccepted, Stopped: work.Stopped,
	})
}

// sample is a window's shares for /windows.
func (w *whys) sample(tier causes.Tier, end time.Duration, shares []causes.Share) samples.Causes {
	ratios, same := make([]float32, len(shares)), len(shares) == len(w.kinds)
	for i, s := range shares {
		ratios[i] = float32(s.Ratio)
		same = same && w.kinds[i].Name == s.Cause
	}
	if !same {
		w.kinds = make([]samples.Cause, len(shares)) // windows that were handed out keep the old one
		for i, s := range shares {
			w.kinds[i] = samples.Cause{Name: s.Cause, Help: s.Help}
		}
	}
	return samples.Causes{App: tier.App, Tier: tier.Name, End: end, Kinds: w.kinds, Ratios: ratios}
}

// sampleCauses adds a tier's causes in a window to the batch of the later one in which they are known. still is the
// window of which it is known now that the tier stood still in it, or -1.
func (m *Monitor) sampleCauses(b *samples.Batch, w *whys, p past, still int64) {
	if p.Index == still {
		w.standstill.Seconds += m.options.Window.Seconds()
	}
	b.Causes = append(b.Causes, w.sample(p.tier, p.To+m.offset.Value(), p.Shares))
	for _, s := range p.Shares {
		if s.Cause == string(Throttled) {
			w.throttle(s.Ratio)
		}
		w.seconds[s.Cause] += s.Ratio * m.options.Window.Seconds()
		if p.Index == still {
			w.standstill.Causes[s.Cause] += s.Ratio * m.options.Window.Seconds()
		}
		if w.with[s.Cause] == nil {
			w.with[s.Cause] = judgement.NewCorrelation(m.options.Window)
		}
		w.with[s.Cause].Add(p.Own, s.Ratio)
	}
	m.place(w, p.tier, p.Index)
}
