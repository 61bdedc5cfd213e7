// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Start is a start of a server of the tier in the range.
type Start struct {
	Tier string `json:"tier"`
	// At is when, the last time.
	At time.Time `json:"at"`
	// Anew is how often the server was there before; 0 if it was new.
	Anew int `json:"anew"`
}

// startedAnew reports whether a tier was started again in the range.
func (d diagnosis) startedAnew(tier string) bool {
	return slices.ContainsFunc(d.Starts, func(s Start) bool { return s.Tier == tier && s.Anew > 0 })
}

// starts reads which tiers were started in the range.
func (q *querier) starts(apps map[string]*Application) {
	anew := make(map[[2]string]int)
	const series = "nstar_tier_start_time_seconds"
	for _, s := range q.vector("max by (app, tier) (changes(" + q.over(series, "") + ")) > 0") {
		anew[[2]string{label(s.Metric, "app"), label(s.Metric, "tier")}] = int(s.Value)
	}
	begin := fmt.Sprintf("%.3f", float64(q.from.UnixMilli())/1000)
	for _, s := range q.vector("max by (app, tier) (last_over_time(" + q.over(series, "") + ")) >= " + begin) {
		if a := apps[label(s.Metric, "app")]; a != nil {
			tier := label(s.Metric, "tier")
			at := moment(s.Value)
			a.Starts = append(a.Starts, Start{tier, at, anew[[2]string{a.Name, tier}]})
		}
	}
	for _, a := range apps {
		// a server that listened elsewhere at first had another name until it listened where it did before
		all := slices.Clone(a.Starts)
		a.Starts = slices.DeleteFunc(a.Starts, func(s Start) bool {
			again := func(o Start) bool { return o.Anew > 0 && o.At.Equal(s.At) }
			return s.Anew == 0 && slices.ContainsFunc(all, again)
		})
		slices.SortFunc(a.Starts, func(x, y Start) int {
			return cmp.Or(x.At.Compare(y.At),
				cmp.Compare(x.Tier, y.Tier))
		})
	}
}

// started says which tiers were started in the range; empty if none was.
func (d diagnosis) started() string {
	var all []string
	for _, s := range d.Starts {
		one := fmt.Sprintf("%s at %s", s.Tier, d.clock(s.At))
		switch {
		case s.Anew == 1:
			one = fmt.Sprintf("%s, again, at %s", s.Tier, d.clock(s.At))
		case s.Anew > 1:
			one = fmt.Sprintf("%s %d times, the last time at %s", s.Tier, s.Anew, d.clock(s.At))
		}
		all = append(all, one)
	}
	if len(all) == 0 {
		return ""
	}
	return "Started in this time: " + strings.Join(all, "; ") + "."
}

// restart is the start that explains why the bottleneck stood still: the tier was there before, and the verdict did
// not hold for longer than the effects of a start last.
func (d diagnosis) restart() (Start, bool) {
	for _, s := range d.Starts {
		if s.Tier != d.finding.Tier || s.Anew == 0 {
			continue
		}
		first, until := held(d.Evaluations, d.finding, bridge)
		if !first.Before(s.At.Add(-lookBack)) && !until.After(s.At.Add(2*lookBack)) {
			return s, true
		}
	}
	return Start{}, false
}

// adviceWhenWell is what there is to do for a healthy application: requests may have been refused meanwhile, and
// nothing waited for these.
func (d diagnosis) adviceWhenWell() string {
	if cure := d.cureEnd(""); cure != "" {
		return cure
	}
	for _, s := range d.Starts {
		if s.Anew > 0 && d.influential(s.Tier) {
			return d.cureRestart(s)
		}
	}
	for _, f := range d.Failed { // errors take no time
		if _, measured := d.time(f.To); measured {
			if cure := d.cureFailed(f.From); cure != "" {
				return cure
			}
		}
	}
	if cure := d.cureErrors(); cure != "" {
		return cure
	}
	if d.rising() || d.justNamed() != "" {
		again := "Ask again in half a minute, for that time alone (--last 30s)."
		if last, _ := d.last(); last.Cause == causeCollection {
			again += " Meanwhile, look at the collector's log of " + last.Tier + " (-Xlog:gc)."
		} else if t, ok := d.farDearest(); ok {
			again += fmt.Sprintf(" Meanwhile, look whether it is %s: %s.", d.whyDearer(), t.takesMore())
		}
		return again
	}
	if last, found := d.last(); !found || last.Verdict == Healthy {
		if len(d.Errors) > 0 {
			return fmt.Sprintf("Look into the log of %s for the errors. No request waits longer than it must.",
				d.firstFailing())
		}
		if again := d.ifAgain(); again != "" {
			return again
		}
		if longer := d.longer(); longer != "" {
			return longer
		}
		if some := d.someWait(); some != "" {
			return some
		}
		next := d.nextLimit()
		if next != nothing {
			return next
		}
		return cmp.Or(d.farDearer(), d.lesser(), nothing)
	}
	if why := d.restless(); why != "" {
		return "Nothing while it was healthy" + why + "."
	}
	return "Nothing while it was healthy. What has happened since then is not known yet: ask again in a minute."
}

// cureRestart is what to do about a restart.
func (d diagnosis) cureRestart(s Start) string {
	return fmt.Sprintf("Find out what started %s again at %s, and why: %s. If the start was intended, wait until "+
		"%[1]s has warmed up.", s.Tier, d.clock(s.At), lookWhyEnded)
}

// cameBack is the start of a tier that could not be reached before it.
func (d diagnosis) cameBack() (s Start, ok bool) {
	i := slices.IndexFunc(d.Starts, func(s Start) bool { return s.Anew > 0 && d.noAnswerAt(s.Tier) })
	if i < 0 {
		return Start{}, false
	}
	return d.Starts[i], true
}

// lookWhyEnded says where to look for the reason why a server ended.
const lookWhyEnded = "look at its log, its unit or container (systemctl status, docker ps), and whether the kernel " +
	"killed it because memory was short (dmesg)"
