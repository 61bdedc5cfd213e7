// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"slices"
	"time"
)

// Decide takes the verdict of each application that prevailed in the range and
// puts it into sentences.
func Decide(o Observations) Report {
	r := Report{From: o.From, To: o.To}
	// In JSON these are lists, never null.
	r.Tiers, r.Alternations, r.Causes, r.Apps = []Tier{}, []Alternation{}, []Cause{}, []Answer{}
	var diagnoses []diagnosis
	for _, a := range o.Apps {
		diagnoses = append(diagnoses, conclude(a, o))
	}
	slices.SortFunc(diagnoses, func(a, b diagnosis) int {
		return cmp.Or(cmp.Compare(rank[a.finding.Verdict], rank[b.finding.Verdict]),
			cmp.Compare(b.share, a.share), cmp.Compare(a.Name, b.Name))
	})
	for _, d := range diagnoses {
		r.Tiers = append(r.Tiers, d.servers...)
		r.Alternations = append(r.Alternations, d.alternations()...)
		r.Causes = append(r.Causes, d.causes()...)
		r.Apps = append(r.Apps, d.answer())
	}
	if len(r.Apps) == 0 {
		r.Verdict = NotEnoughData
		r.Summary = "Nothing has been recorded of any application in this range."
		r.Advice = adviceOnTime
		r.Notes, r.Neighbours, r.Waiting = []string{}, []Neighbour{}, []Waiting{}
		r.DiskNeighbours, r.Starts, r.Failed, r.Errors = []DiskNeighbour{}, []Start{}, []Failed{}, []Errors{}
		return r
	}
	r.Answer = r.Apps[0]
	return r
}

// rank orders applications, the worst first. An application that is still learning comes before a healthy
// one.
var rank = map[Verdict]int{SingleBottleneck: 0, AlternatingBottleneck: 0, Learning: 1, Healthy: 2, NotEnoughData: 3}

// diagnosis is an application with the finding that prevailed.
type diagnosis struct {
	Application
	observed Observations
	// servers of the application, along the chain of calls.
	servers []Tier
	finding Finding
	// share of the mean response time, and the seconds of it.
	share, seconds float64
}

func conclude(a Application, o Observations) diagnosis {
	d := diagnosis{Application: a, observed: o}
	for _, t := range o.Tiers {
		if t.App == a.Name {
			d.servers = append(d.servers, t)
		}
	}
	chain := alongChain(a.Edges)
	slices.SortFunc(d.servers, func(x, y Tier) int {
		return cmp.Or(chain(x.Tier, y.Tier), cmp.Compare(x.Instance, y.Instance))
	})
	finding, found := prevailing(a.Evaluations)
	d.finding = finding
	switch {
	case !found, !d.bottleneck() && (a.Throughput <= 0 || a.total() <= 0):
		d.finding = Finding{Verdict: NotEnoughData}
	case d.consumer() != nil: // which costs no response time
	case d.bottleneck():
		d.share = share(a.Evaluations, finding)
		d.seconds = d.charged()
		// Milliseconds that are means over the range, and shares that are theirs.
		if d.seconds == 0 || d.uncharged() {
			d.seconds = d.share * a.total()
		} else if a.total() > 0 {
			d.share = d.seconds / a.total()
		}
	}
	return d
}

// step is the distance of the instants at which the range was looked at.
func (d diagnosis) step() time.Duration { return stepOf(d.observed.To.Sub(d.observed.From)) }

// longestBreak is that of a finding that counts as held.
func (d diagnosis) longestBreak() time.Duration { return longestBreak(d.step()) }

// charged is what the bottleneck costs, in seconds per request.
func (d diagnosis) charged() (seconds float64) {
	for _, e := range d.Blame {
		if d.blames(e) {
			seconds += e.Seconds
		}
	}
	return seconds
}

// uncharged reports whether a slow tier was named by how much longer than usual its requests take, and less than half
// of that is charged to it: its base residence may have been learned again.
func (d diagnosis) uncharged() bool {
	return d.finding.Cause == causeSlow && d.measures(d.finding.Tier) &&
		d.charged() < share(d.Evaluations, d.finding)*d.total()/2
}

// blames reports whether this is a part of what the bottleneck costs. For tiers that share full processors, this
// is all waiting for these; for neighbours, all waiting because of them; for collections and work, those of all
// servers of one kind; for a slow tier, also what it waits for without a known reason.
func (d diagnosis) blames(e Excess) bool {
	switch {
	case d.crowds(e), d.finding.Cause == causeNeighbour && e.Cause == causeNeighbour:
		return true
	case e.Tier != d.finding.Tier:
		return e.Cause == d.finding.Cause && slices.Contains(d.alike(), e.Tier)
	}
	return e.Cause == d.finding.Cause || d.finding.Cause == causeBurst && e.Cause == causeDemand || d.sleepsToo(e)
}

// sleepsToo reports whether this is waiting for an unknown reason in the tier that is slow: a tier whose requests sleep
// for longer than usual is slow, whether that is charged to it as slow or without a reason.
func (d diagnosis) sleepsToo(e Excess) bool {
	return d.finding.Cause == causeSlow && e.Cause == causeUnknown && e.Tier == d.finding.Tier
}

// waitsOutside reports whether much of the response time passes in places whose windows no exporter measures, so
// that the longest waits are not known.
func (d diagnosis) waitsOutside() bool {
	return slices.ContainsFunc(d.Blame, func(e Excess) bool {
		return e.Cause == causeSlow && e.Seconds >= causeShare*d.total() && !d.measures(e.Tier)
	})
}

// measures reports whether an exporter measures the tier, and not only its callers.
func (d diagnosis) measures(tier string) bool {
	t, _ := d.time(tier)
	return t.Status != ""
}

// bottleneck reports whether a tier or a destination is to blame.
func (d diagnosis) bottleneck() bool {
	return d.finding.Verdict == SingleBottleneck || d.finding.Verdict == AlternatingBottleneck
}

func (d diagnosis) answer() Answer {
	a := Answer{App: d.Name, Verdict: d.finding.Verdict, ResponseTime: d.responseTime(), Capacity: d.capacityNow(),
		Notes: d.notes(), Neighbours: d.noise(), DiskNeighbours: d.onDisk(),
		Starts: append([]Start{}, d.Starts...), Ends: d.Ends, Code: d.Code, Failed: append([]Failed{}, d.Failed...),
		Errors: append([]Errors{}, d.Errors...)} // in JSON lists, never null
	if d.bottleneck() {
		a.Bottleneck = &Bottleneck{App: d.Name, Tier: d.finding.Tier, Cause: d.finding.Cause, Share: d.share,
			Milliseconds: d.seconds * 1000, Consumer: d.consumer(), CallsTo: d.placesTo(), lost: d.lost()}
		if _, pool, ok := d.keeps(); ok && a.Bottleneck.CallsTo != "" {
			a.Bottleneck.Keeps = pool.To
		}
	}
	if d.finding.Verdict != NotEnoughData && !d.Held.IsZero() {
		since := d.Held.UTC()
		a.Since = &since
	}
	a.Named = spans(d.Evaluations, d.step())
	a.Summary, a.Advice = d.summary(), d.advice()
	a.folded = d.folded()
	a.Waiting = append([]Waiting{}, d.Waiting...) // in JSON a list, never null
	return a
}

// responseTime converts seconds to milliseconds. Every tier that is to blame has a row, also a destination
// that is no tier.
func (d diagnosis) responseTime() *ResponseTime {
	if d.total() <= 0 || d.Throughput <= 0 {
		return nil
	}
	r := &ResponseTime{Throughput: d.Throughput, Mean: Split{Total: d.total() * 1000, Tiers: []SplitTier{}}}
	row := func(tier string) *SplitTier {
		i := slices.IndexFunc(r.Mean.Tiers, func(t SplitTier) bool { return t.Tier == tier })
		if i < 0 {
			i = len(r.Mean.Tiers)
			r.Mean.Tiers = append(r.Mean.Tiers, SplitTier{Tier: tier, Causes: map[string]float64{}})
		}
		return &r.Mean.Tiers[i]
	}
	for _, t := range d.Times {
		s := row(t.Tier)
		s.Milliseconds, s.Base = t.Own*1000, t.Base*1000
	}
	for _, e := range d.Blame {
		if e.Seconds > 0 {
			row(e.Tier).Causes[e.Cause] += e.Seconds * 1000
		}
	}
	if d.Worst != nil {
		r.Worst = &Split{Tiers: []SplitTier{}}
		for _, w := range d.Worst {
			s := SplitTier{Tier: w.Tier, Milliseconds: w.Own * 1000, Base: w.Base * 1000, Causes: map[string]float64{}}
			for cause, seconds := range d.asBlamed(w) {
				s.Causes[cause] = seconds * 1000
			}
			r.Worst.Total += s.Milliseconds
			r.Worst.Tiers = append(r.Worst.Tiers, s)
		}
	}
	return r
}

// alternations names the neighbour with which the bottleneck takes turns: the tier whose own queue moves most
// against the bottleneck's, or else the one whose pauses cost most.
func (d diagnosis) alternations() []Alternation {
	if d.finding.Verdict != AlternatingBottleneck {
		return nil
	}
	minutes := d.observed.To.Sub(d.observed.From).Minutes()
	var turns []Alternation
	for _, e := range d.Edges {
		concerned := e.From == d.finding.Tier || e.To == d.finding.Tier
		if concerned && e.Pearson != nil && (*e.Pearson < 0 || d.bothPause(e)) {
			turns = append(turns, Alternation{d.Name, e.From, e.To, *e.Pearson, e.Turns / minutes})
		}
	}
	slices.SortStableFunc(turns, func(a, b Alternation) int {
		return cmp.Or(cmp.Compare(min(a.Pearson, opposed), min(b.Pearson, opposed)),
			cmp.Compare(d.pauses(b.From)+d.pauses(b.To), d.pauses(a.From)+d.pauses(a.To)))
	})
	return turns[:min(1, len(turns))]
}

// opposed is the coefficient from which on two queues move against each other, as in nstar:edge_alternating:bool.
const opposed = -0.3

// pauses is what collections and stops of a tier cost, in seconds of the mean response time.
func (d diagnosis) pauses(tier string) float64 {
	return d.excess(tier, causeCollection) + d.excess(tier, causeStopped)
}

// bothPause reports whether both ends of an edge have pauses, of which neither costs twice what the other costs.
func (d diagnosis) bothPause(e Edge) bool {
	from, to := d.pauses(e.From), d.pauses(e.To)
	return min(from, to) > 0 && max(from, to) <= 2*min(from, to)
}

const (
	// causeShare of the mean response time, or causeTail of the longest waits, is worth a sentence beside
	// the main cause.
	causeShare = 0.05
	causeTail  = 0.1
	// hardlyAny of the response time is not, however much of the longest waits it is: if all is quick but for errors,
	// the longest waits are short.
	hardlyAny = 0.01
)

// causes lists what is to blame, the verdict's cause first. If nothing is wrong, the list is empty.
func (d diagnosis) causes() []Cause {
	if !d.bottleneck() {
		return nil
	}
	first := Excess{d.finding.Tier, d.finding.Cause, d.seconds, 0}
	var others []Excess
	for _, e := range d.Blame {
		switch {
		case d.blames(e):
			first.Tail += e.Tail
		case e.Seconds >= causeShare*d.total() || e.Tail >= causeTail && e.Seconds >= hardlyAny*d.total():
			others = append(others, e)
		}
	}
	var list []Cause
	for _, e := range append([]Excess{first}, others...) {
		c := Cause{App: d.Name, Tier: e.Tier, Cause: e.Cause, Milliseconds: e.Seconds * 1000}
		if !d.waitsOutside() {
			c.TailShare = e.Tail
		}
		if total := d.total(); total > 0 {
			c.Share = e.Seconds / total
		}
		for _, k := range d.Correlations {
			if k.Tier == e.Tier && k.Cause == e.Cause {
				c.Correlation = &k.Correlation
			}
		}
		c.Evidence = d.evidence(c)
		if waits := d.consumer(); waits != nil && len(list) == 0 {
			c.Evidence = d.blameConsumed(*waits)
		}
		if d.sharers() != nil && len(list) == 0 {
			c.Evidence = d.blameCrowd()
		}
		list = append(list, c)
	}
	return list
}
