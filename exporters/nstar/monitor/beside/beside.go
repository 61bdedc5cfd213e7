// SPDX-License-Identifier: Apache-2.0

// Package beside compares applications that share a host, as the paper on consolidation does (CONS, figures 3, 5 and
// 6). It shows whether they take the processor from each other, and whether the requests of one queue and take longer
// while the other one computes.
package beside

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
)

const (
	// stepWidth is the time over which values are added up, as in the paper.
	stepWidth = 100 * time.Millisecond
	// steps is the number of steps from which a coefficient is computed: 12 s.
	steps = 120
	// lags is by how many steps queue and time may follow the processor.
	lags = 6
	// atHome is the share of a processor from which on a tier or application counts as running there.
	atHome = 0.01
	// mostPairs limits the pairs of a tier and another application, and with them the series and the work.
	mostPairs = 64
)

// What the processor time of an application is held against.
const (
	Processor = "processor" // processor time of the tier, on the processors that both use
	Queue     = "queue"     // its own queue
	Time      = "time"      // mean time in the tier of the requests that it completed
)

// Window is what a tier did in a window.
type Window struct {
	Tier        discovery.TierName
	Index       int64
	ByCore      bool          // it is measured on which processors the tier ran
	Own         float64       // own queue
	Completions float64       // requests
	Residence   time.Duration // time that these spent in the tier, added up
	Cores       []causes.Core // processor time of each processor on which it ran
}

// Pearson is a coefficient over the last 12 s, in steps of 100 ms.
type Pearson struct {
	Tier discovery.TierName
	// Neighbour is the application whose processor time is compared with the tier. If it is another application,
	// its time on the processors that both use counts. If it is the tier's own, the tier's own time on all
	// processors counts.
	Neighbour string
	Of        string        // Processor, Queue or Time
	Lag       time.Duration // by which the value named in Of follows the processor
	Value     float64
}

// Pairs holds the tiers and the other applications that run on the same processors. It is not safe for concurrent use.
type Pairs struct {
	windows int64 // windows in a step
	step    int64
	tiers   map[discovery.TierName]*tier
	pairs   map[key]*pair
	refused uint64
}

type key struct {
	tier      discovery.TierName
	neighbour string // application
}

// tier is what one tier does.
type tier struct {
	windows                int64 // of the step under way
	own                    float64
	completions, residence float64
	ran                    []float64 // seconds in the step, by processor
	home                   []float64 // mean per step over the last 12 s or so, by processor
	settled                float64   // number of steps in home
	partly                 bool      // a window of the step is missing
	processor, queue, time track
}

// pair is the processor time of a tier and of another application, on the processors that both use.
type pair struct{ mine, theirs track }

// New makes an empty set for windows of the given width.
func New(width time.Duration) *Pairs {
	windows := max(1, int64(stepWidth/width))
	return &Pairs{windows: windows, tiers: make(map[discovery.TierName]*tier), pairs: make(map[key]*pair)}
}

// Add takes a tier's window. Windows come in order, and those of one time come together.
func (p *Pairs) Add(w Window) {
	if !w.ByCore {
		return
	}
	if step := w.Index / p.windows; step != p.step {
		p.end(step)
	}
	t := p.tiers[w.Tier]
	if t == nil {
		t = new(tier)
		p.tiers[w.Tier] = t
	}
	t.windows++
	t.own += w.Own
	t.completions += w.Completions
	t.residence += w.Residence.Seconds()
	for _, c := range w.Cores {
		t.reach(c.CPU + 1)
		t.ran[c.CPU] += c.Ran.Seconds()
	}
}

// end ends the present step; next is the step that begins. Steps that were skipped in between leave nothing to compare.
func (p *Pairs) end(next int64) {
	if next != p.step+1 {
		clear(p.tiers)
		clear(p.pairs)
	}
	p.step = next
	for name, t := range p.tiers {
		if t.windows == 0 { // the tier is gone
			delete(p.tiers, name)
			continue
		}
		t.settle(p.windows)
	}
	p.meet(p.applications())
	for _, t := range p.tiers {
		t.begin()
	}
}

// applications are what all tiers of each application did together.
func (p *Pairs) applications() map[string]*tier {
	apps := make(map[string]*tier)
	for name, t := range p.tiers {
		a := apps[name.App]
		if a == nil {
			a = new(tier)
			apps[name.App] = a
		}
		a.reach(len(t.ran))
		for cpu := range t.ran {
			a.ran[cpu] += t.ran[cpu]
			a.home[cpu] += t.home[cpu]
		}
		a.partly = a.partly || t.partly
	}
	return apps
}

// meet compares each tier with each other application, and forgets pairs that share no processor any more.
func (p *Pairs) meet(apps map[string]*tier) {
	met := make(map[key]bool)
	for name, t := range p.tiers {
		for app, other := range apps {
			if k := (key{name, app}); app != name.App && p.held(k, t, other) {
				met[k] = true
			}
		}
	}
	for k := range p.pairs {
		if !met[k] {
			delete(p.pairs, k)
		}
	}
}

// reach makes room for so many processors.
func (t *tier) reach(processors int) {
	for len(t.ran) < processors {
		t.ran, t.home = append(t.ran, 0), append(t.home, 0)
	}
}

// settle keeps what the tier did in a step.
func (t *tier) settle(windows int64) {
	t.settled = min(t.settled+1, steps)
	sum := 0.0
	for cpu, ran := range t.ran {
		t.home[cpu] += (ran - t.home[cpu]) / t.settled
		sum += ran
	}
	queue, took := t.own/float64(windows), t.residence/t.completions // NaN without completions
	if t.partly = t.windows != windows; t.partly {
		sum, queue, took = math.NaN(), math.NaN(), math.NaN()
	}
	t.processor.add(sum)
	t.queue.add(queue)
	t.time.add(took)
}

// begin begins the next step.
func (t *tier) begin() {
	t.windows, t.own, t.completions, t.residence = 0, 0, 0, 0
	clear(t.ran)
}

// held stores what a tier and another application had of the processors that both use. It reports whether there are
// any.
func (p *Pairs) held(k key, t, other *tier) bool {
	mine, theirs, both := 0.0, 0.0, false
	for cpu, home := range t.home[:min(len(t.home), len(other.home))] {
		if least := atHome * stepWidth.Seconds(); home >= least && other.home[cpu] >= least {
			mine, theirs, both = mine+t.ran[cpu], theirs+other.ran[cpu], true
		}
	}
	if !both {
		return false
	}
	if t.partly || other.partly {
		mine, theirs = math.NaN(), math.NaN()
	}
	if p.pairs[k] == nil {
		if len(p.pairs) >= mostPairs {
			p.refused++
			return false
		}
		p.pairs[k] = new(pair)
	}
	p.pairs[k].mine.add(mine)
	p.pairs[k].theirs.add(theirs)
	return true
}

// Refused counts the steps of pairs for which there was no room.
func (p *Pairs) Refused() uint64 { return p.refused }

// State returns the coefficients of tiers that share processors with another application. Coefficients that are not
// known are left out.
func (p *Pairs) State() (out []Pearson) {
	add := func(k key, of string, processor, other track, lag int) {
		if v := processor.pearson(other, lag); !math.IsNaN(v) {
			out = append(out, Pearson{k.tier, k.neighbour, of, time.Duration(lag) * stepWidth, v})
		}
	}
	selves := make(map[discovery.TierName]bool)
	for k, pair := range p.pairs {
		if len(pair.mine) < steps {
			continue
		}
		t := p.tiers[k.tier]
		add(k, Processor, pair.theirs, pair.mine, 0)
		for lag := range lags {
			add(k, Queue, pair.theirs, t.queue, lag)
			add(k, Time, pair.theirs, t.time, lag)
		}
		selves[k.tier] = true
	}
	for name := range selves {
		for lag := range lags {
			add(key{name, name.App}, Queue, p.tiers[name].processor, p.tiers[name].queue, lag)
		}
	}
	slices.SortFunc(out, func(a, b Pearson) int {
		return cmp.Or(cmp.Compare(a.Tier.App, b.Tier.App), cmp.Compare(a.Tier.Tier, b.Tier.Tier),
			cmp.Compare(a.Neighbour, b.Neighbour),
			cmp.Compare(a.Of, b.Of), cmp.Compare(a.Lag, b.Lag))
	})
	return out
}
