// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"fmt"
	"slices"
)

// Slower says that requests take longer at the end of the range than in most of the hour before, though no more are
// asked for.
type Slower struct {
	// Times is how many times as long as usual they take; Usual in seconds.
	Times, Usual float64
	// In are the tiers in which that time passes, the largest share first.
	In []SlowerTier
}

// SlowerTier is a tier's share of the time by which requests take longer, 0 to 1.
type SlowerTier struct {
	Tier  string
	Share float64
}

// slower reads by how much longer requests take than usual. Mostly they don't, and nothing more is asked.
func (q *querier) slower(apps map[string]*Application) {
	found := make(map[string]*Slower)
	for _, s := range q.vector(q.selector("nstar:app_slower:ratio", "")) {
		if a := apps[label(s.Metric, "app")]; a != nil {
			a.Slower = &Slower{Times: float64(s.Value)}
			found[a.Name] = a.Slower
		}
	}
	if len(found) == 0 {
		return
	}
	read := func(expr string, take func(of *Slower, tier string, value float64)) {
		for _, s := range q.vector(expr) {
			if of := found[label(s.Metric, "app")]; of != nil {
				take(of, label(s.Metric, "tier"), float64(s.Value))
			}
		}
	}
	read(q.selector("nstar:app_usual_response_time:seconds", ""), func(of *Slower, _ string, seconds float64) {
		of.Usual = seconds
	})
	read(q.selector("nstar:tier_slower:ratio", "")+" > 0", func(of *Slower, tier string, share float64) {
		of.In = append(of.In, SlowerTier{tier, share})
	})
	for _, of := range found {
		of.level()
		slices.SortFunc(of.In, func(x, y SlowerTier) int {
			return cmp.Or(cmp.Compare(y.Share, x.Share), cmp.Compare(x.Tier, y.Tier))
		})
	}
}

// level makes the shares of all tiers one together, if they are more: requests may take less time than usual in others.
func (s *Slower) level() {
	sum := 0.0
	for _, t := range s.In {
		sum += t.Share
	}
	for i := range s.In {
		s.In[i].Share /= max(1, sum)
	}
}

// most are the tiers that have a quarter of that time.
func (s *Slower) most() (tiers []SlowerTier) {
	for _, t := range s.In {
		if t.Share >= muchSlower {
			tiers = append(tiers, t)
		}
	}
	return tiers
}

const (
	muchSlower = 0.25
	// mostSlower of the time, or of that by which requests take longer, is enough to say whose fault it is.
	mostSlower = 0.5
	// somewhatGrown is the factor from which on work or calls for a request may be the reason for that.
	somewhatGrown = 1.3
)

// sentence says by how much longer requests take, and where.
func (s *Slower) sentence() string {
	var where []string
	for _, t := range s.most() {
		where = append(where, fmt.Sprintf("%s in %s", percent(t.Share), t.Tier))
	}
	in := ""
	if len(where) > 0 {
		in = "; of what is longer, " + list(where)
	}
	return fmt.Sprintf("Requests now take %s, %s as long as usual, and the load does not explain that%s.",
		millis(s.Times*s.Usual), times(s.Times), in)
}

// unnamed says why no cause is named if requests take longer than usual.
func (d diagnosis) unnamed() string {
	if d.crowdedOut() {
		return "Most of that is waiting for processors that other programs have, but too little to be named."
	}
	why := "No cause is large enough to be named."
	if len(d.Slower.most()) > 0 {
		why = "It is not known why."
	}
	return cmp.Or(d.suspect(), why)
}

// crowdedOut reports whether most of the time by which requests take longer is lost to other programs on the same
// processors, whichever tiers feel it. It is not if half of that time passes in a tier in which requests sleep, or that
// lost less to them than it waits for other reasons.
func (d diagnosis) crowdedOut() bool {
	for _, in := range d.Slower.In {
		if t, _ := d.time(in.Tier); in.Share >= mostSlower && (d.asleep(t) || d.waitsOtherwise(in.Tier)) {
			return false
		}
	}
	lost := d.toNeighbours()
	return lost > 0 && lost >= mostSlower*(d.total()-d.Slower.Usual)
}

// waitsOtherwise reports whether a tier causes more waiting of its own than other programs cause there.
func (d diagnosis) waitsOtherwise(tier string) bool {
	lost, otherwise := 0.0, 0.0
	for _, e := range d.Blame {
		switch {
		case e.Tier != tier:
		case e.Cause == causeNeighbour:
			lost += e.Seconds
		default:
			otherwise += e.Seconds
		}
	}
	return otherwise > lost
}

// cureCrowdedOut is what to look at then: the programs that took most from the tier that lost most.
func (d diagnosis) cureCrowdedOut() string {
	i := slices.IndexFunc(d.Blame, func(e Excess) bool { return e.Cause == causeNeighbour }) // the greatest comes first
	var names []string
	for _, n := range d.noiseFor(d.Blame[i].Tier) {
		names = append(names, n.called())
	}
	those := ""
	if len(names) > 0 {
		those = " (" + list(names) + ")"
	}
	return fmt.Sprintf("Find out which other programs use the processors%s, and whether they may: give them less "+
		"(CPUQuota, nice), or move them.", those)
}

// suspect says what most of the response time is charged to, if that is much of it and not named yet.
func (d diagnosis) suspect() string {
	most, known := d.greatest(nearLimit)
	if !known {
		return ""
	}
	return fmt.Sprintf("%s of the response time is charged to %s (cause: %s), but other things may be the reason for "+
		"that, so that it is not named yet.", percent(min(1, most.Seconds/d.total())), most.Tier, causeName(most.Cause))
}

// waitedFor is the tier that half of the response time is charged to, for a reason that is known, if most of that time
// passes in other tiers; empty if there is none.
func (d diagnosis) waitedFor() string {
	most, known := d.greatest(mostSlower)
	if t, _ := d.time(most.Tier); !known || t.Own >= mostSlower*most.Seconds {
		return ""
	}
	return most.Tier
}

// worksLonger reports whether the processor time of a tier's requests has grown so much that it may be the reason why
// requests take longer: a quarter as much as the response time, at least.
func (d diagnosis) worksLonger(t TierTime) bool {
	return t.Cost.times() >= somewhatGrown && t.Cost.times()-1 >= muchSlower*(d.Slower.Times-1)
}

// cureSlower is what to look at if requests take longer than usual: what has grown, and the tiers in which the time
// passes. It is empty if they don't.
func (d diagnosis) cureSlower() string {
	if d.Slower == nil {
		return ""
	}
	if d.crowdedOut() {
		return d.cureCrowdedOut()
	}
	var cures []string
	most := 0.0
	for _, t := range d.Times {
		most = max(most, t.Cost.times())
	}
	for _, t := range d.Times {
		if d.worksLonger(t) && t.Cost.times()-1 >= muchSlower*(most-1) {
			cures = append(cures, capital(t.dearer())+".")
		}
	}
	for _, calls := range d.moreCalls(somewhatGrown) {
		cures = append(cures, calls+".") // a name stays as it is
	}
	if len(cures) > 0 {
		return d.askWhy(cures)
	}
	if tier := d.waitedFor(); tier != "" {
		return fmt.Sprintf("Look at %s first, for which the others wait: the log, what the threads do, what was "+
			"changed when it began.", tier)
	}
	var idle []string
	for _, t := range d.Slower.most() {
		if one, _ := d.time(t.Tier); d.asleep(one) {
			continue // look says more
		}
		idle = append(idle, t.Tier)
	}
	if len(idle) == 0 {
		return ""
	}
	return fmt.Sprintf("Look at %s first: the log, what the threads do, what was changed when it began.", list(idle))
}
