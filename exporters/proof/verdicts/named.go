// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"

	"github.com/nstar-project/nstar/exporters/nstartool/diagnose"
	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// answer is the verdict on an episode.
type answer struct {
	tier, cause string  // empty: no tier is to blame
	excess      float64 // request-seconds charged to it
	stopped     float64 // seconds for which the tier was seen stopped by a signal or the freezer
	neighbour   string  // the program that had the processors for longest
	did         string  // what the tier did while it stood still
	others      []string
}

func (a answer) String() string {
	if a.cause == "" {
		return "nobody"
	}
	text := fmt.Sprintf("%s in %s (%.1f request-seconds)", a.cause, a.tier, a.excess)
	if a.neighbour != "" {
		text += ", neighbour " + a.neighbour
	}
	if a.did != "" {
		text += ", meanwhile " + a.did
	}
	if a.stopped > 0 {
		text += fmt.Sprintf(", stopped by signal or freezer for %.1f s", a.stopped)
	}
	if a.others != nil {
		text += "; beside it " + strings.Join(a.others, ", ")
	}
	return text
}

// says reports whether a tier is named, as the first or beside the first.
func (a answer) says(c charge) bool {
	return c == charge{a.tier, a.cause} || slices.ContainsFunc(a.others, func(text string) bool {
		return strings.HasPrefix(text, c.tier+" "+c.cause+" ")
	})
}

// worthBlame is the excess in an episode below which no tier is named: a request that waits for 2 s, or twenty for
// 100 ms.
const worthBlame = 2

// charges are the charges by tier and cause, in request-seconds.
type charges map[charge]float64

type charge struct{ tier, cause string }

// charged is what the rules charged between two times: the whole waiting of the application, charged to the tier that
// finally causes it. The rules look 15 s back, so that it includes some of the time before, and misses as much at the
// end.
func (p *prometheus) charged(app string, from, until time.Time) (charges, error) {
	found, err := p.history(fmt.Sprintf("nstar:app_excess:mean15s{app=%q,of='mean'}", app))
	return chargedIn(found, from, until), err
}

// chargedIn adds up requests that wait, as recorded at each evaluation, to request-seconds.
func chargedIn(excess model.Matrix, from, until time.Time) charges {
	out := make(charges)
	for _, series := range excess {
		of := charge{string(series.Metric["tier"]), string(series.Metric["cause"])}
		for _, v := range series.Values {
			if at := v.Timestamp.Time(); at.After(from) && !at.After(until) {
				out[of] += float64(v.Value) * evaluationInterval.Seconds()
			}
		}
	}
	return out
}

// beyond is the charge minus the usual charge in the same length of time.
func (c charges) beyond(usual charges, times float64) charges {
	out := make(charges)
	for k, v := range c {
		out[k] = v - times*usual[k]
	}
	return out
}

// conclude names the tier and cause that most of an episode's waiting was charged to. Work and bursts of it are no
// fault.
func conclude(charged charges, before, after bed.Samples, app string) answer {
	var all []charge
	for k, v := range charged {
		if v >= worthBlame {
			all = append(all, k)
		}
	}
	slices.SortFunc(all, func(a, b charge) int {
		return cmp.Or(-cmp.Compare(charged[a], charged[b]), cmp.Compare(a.cause, b.cause))
	})
	if len(all) == 0 || all[0].cause == "demand" || all[0].cause == "unknown" {
		return answer{}
	}
	a := answer{tier: all[0].tier, cause: all[0].cause, excess: charged[all[0]]}
	for _, k := range all[1:] {
		a.others = append(a.others, fmt.Sprintf("%s %s %.1f", k.tier, k.cause, charged[k]))
	}
	for _, x := range after.Select("nstar_tier_stopped_seconds_total", "app", app, "tier", a.tier) {
		a.stopped += since(before, x)
	}
	a.did = meanwhile(before, after, app, a.tier)
	if a.cause == "noisy_neighbour" {
		a.neighbour = most(before, after, app, a.tier)
	}
	return a
}

// meanwhile is what a tier did while it stood still, in the words of nstartool.
func meanwhile(before, after bed.Samples, app, tier string) string {
	stood := 0.0
	for _, x := range after.Select("nstar_tier_standstill_seconds_total", "app", app, "tier", tier) {
		stood += since(before, x)
	}
	if stood <= 0 {
		return ""
	}
	shares := make(map[string]float64)
	for _, x := range after.Select("nstar_tier_standstill_cause_seconds_total", "app", app, "tier", tier) {
		shares[x.Labels["cause"]] = since(before, x) / stood
	}
	return diagnose.Meanwhile(shares)
}

// most is the neighbour that took most of a tier's processors, of those that have a name.
func most(before, after bed.Samples, app, tier string) (name string) {
	best := 0.0
	for _, x := range after.Select("nstar_tier_neighbour_seconds_total", "app", app, "tier", tier, "own_application",
		"false") {
		if taken := since(before, x); taken > best && x.Labels["neighbour"] != "other" {
			name, best = x.Labels["neighbour"], taken
		}
	}
	return name
}

// since is how much a counter grew; one that was not there before began at zero.
func since(before bed.Samples, x bed.Sample) float64 {
	var labels []string
	for name, value := range x.Labels {
		labels = append(labels, name, value)
	}
	old, _ := before.Value(x.Name, labels...)
	return x.Value - old
}

// matrix counts what was said of each fault.
type matrix struct {
	faults []string
	quiet  map[string]bool // no faults
	said   map[string]map[string]int
	right  map[string]int
	named  int // neighbours that were named rightly
	wanted int
	seen   int // tiers that were seen doing what they did
	doing  int
	both   map[string]int // of two at once, how often both were named
}

func (m *matrix) add(f fault, a answer) {
	if m.said == nil {
		m.said, m.right, m.quiet = make(map[string]map[string]int), make(map[string]int), make(map[string]bool)
		m.both = make(map[string]int)
	}
	m.quiet[f.name] = f.cause == ""
	if m.said[f.name] == nil {
		m.said[f.name] = make(map[string]int)
		m.faults = append(m.faults, f.name)
	}
	column := "nobody"
	if a.cause != "" {
		column = a.tier + "/" + a.cause
	}
	m.said[f.name][column]++
	one, other := charge{f.tier, f.cause}, f.also
	if other != (charge{}) {
		m.both[f.name] += 0
	}
	if named := (charge{a.tier, a.cause}); named == one || other != (charge{}) && named == other {
		m.right[f.name]++
		if other != (charge{}) && a.says(one) && a.says(other) {
			m.both[f.name]++
		}
	}
	if f.did != "" {
		m.doing++
		if a.tier == f.tier && a.did == f.did {
			m.seen++
		}
	}
	if f.neighbours != nil {
		m.wanted++
		if slices.Contains(f.neighbours, a.neighbour) {
			m.named++
		}
	}
}

// aims, of the episodes.
const (
	rightAim = 0.95
	quietAim = 0.99
)

func (m *matrix) print(r *figures.Report) {
	slices.Sort(m.faults)
	r.Section("What was said (rows: what was done)")
	var right, all, quiet, spells float64
	for _, f := range m.faults {
		n := 0
		var columns []string
		for column, count := range m.said[f] {
			n += count
			columns = append(columns, fmt.Sprintf("%s %d", column, count))
		}
		slices.Sort(columns)
		if both, pair := m.both[f]; pair {
			columns = append(columns, fmt.Sprintf("both %d", both))
		}
		r.Note("%-22s %2d of %2d right: %s", f, m.right[f], n, strings.Join(columns, ", "))
		if m.quiet[f] {
			quiet, spells = quiet+float64(m.right[f]), spells+float64(n)
		} else {
			right, all = right+float64(m.right[f]), all+float64(n)
		}
	}
	r.Check(right >= rightAim*all, "faults whose tier and cause were named: %.0f of %.0f (at least %.0f %%)", right,
		all,
		100*rightAim)
	r.Check(quiet >= quietAim*spells,
		"quiet spells and plain bursts in which nobody was named: %.0f of %.0f (at least %.0f %%)",
		quiet, spells, 100*quietAim)
	r.Check(m.seen == m.doing, "tiers that stood still and were seen doing what they did: %d of %d", m.seen, m.doing)
	r.Check(m.named == m.wanted, "neighbours that were named: %d of %d", m.named, m.wanted)
}
