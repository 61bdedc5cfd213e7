// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

const (
	// otherNeighbours is the neighbour that stands for all that an exporter does not name.
	otherNeighbours = "other"
	// hypervisor is the one outside of the virtual machine.
	hypervisor = "hypervisor"
)

const (
	// worthSaying is the share from which a neighbour is named.
	worthSaying = 0.1
	// mostNamed is how many are.
	mostNamed = 3
	// mostOfIt is the share that the named neighbours must have together, to be presented as if they were all.
	mostOfIt = 0.5
)

// neighbours reads which programs had the processors for which tiers waited. Tiers of the same application are left
// out: their work is demand.
func (q *querier) neighbours(apps map[string]*Application) {
	seconds := q.vector("sum by (app, tier, neighbour) (increase(" +
		q.over("nstar_tier_neighbour_seconds_total", `own_application="false"`) + ")) > 0")
	for _, s := range seconds {
		if a := apps[label(s.Metric, "app")]; a != nil {
			n := Neighbour{label(s.Metric, "tier"), label(s.Metric, "neighbour"), float64(s.Value)}
			a.Neighbours = append(a.Neighbours, n)
		}
	}
	for _, a := range apps {
		all := map[string]float64{}
		for _, n := range a.Neighbours {
			all[n.Tier] += n.Share
		}
		for i := range a.Neighbours {
			a.Neighbours[i].Share /= all[a.Neighbours[i].Tier]
		}
		slices.SortFunc(a.Neighbours, func(x, y Neighbour) int {
			return cmp.Or(cmp.Compare(x.Tier, y.Tier), -cmp.Compare(x.Share, y.Share), cmp.Compare(x.Name, y.Name))
		})
	}
}

// noise lists the programs that keep the bottleneck from its processors, if they are its cause: the longest first,
// and last those without a name.
func (d diagnosis) noise() []Neighbour {
	if d.finding.Cause != causeNeighbour {
		return []Neighbour{}
	}
	return d.noiseFor(d.finding.Tier)
}

// noiseFor lists the programs that keep a tier from its processors.
func (d diagnosis) noiseFor(tier string) []Neighbour {
	found := []Neighbour{}
	for _, n := range d.Neighbours {
		if n.Tier == tier && n.Name != otherNeighbours && n.Share >= worthSaying && len(found) < mostNamed {
			found = append(found, n)
		}
	}
	return found
}

// robbed are the tiers that need the processors that others take: the bottleneck, and the tiers in which that costs
// enough.
func (d diagnosis) robbed() string {
	names := []string{d.finding.Tier}
	for _, e := range d.Blame { // the longest first
		if e.Cause == causeNeighbour && e.Tier != d.finding.Tier && e.Seconds >= causeShare*d.total() {
			names = append(names, e.Tier)
		}
	}
	if len(names) == 1 {
		return names[0] + " needs"
	}
	return list(names) + " need"
}

// called is the neighbour in words.
func (n Neighbour) called() string {
	if n.Name == hypervisor {
		return "the hypervisor"
	}
	return n.Name
}

// noisy are the programs that keep a tier from its processors, each with its share of that time.
func (d diagnosis) noisy(tier string) (names []string) {
	for _, n := range d.noiseFor(tier) {
		names = append(names, fmt.Sprintf("%s (%s of that time)", n.called(), percent(n.Share)))
	}
	return names
}

// processors are the processors that the bottleneck waits for, by the programs that have them.
func (d diagnosis) processors() string {
	names := d.noisy(d.finding.Tier)
	switch {
	case names == nil:
		return "processors that something else uses"
	case !d.knowsMost():
		return "processors that others used, among them " + list(names)
	}
	return "processors that " + list(names) + " used"
}

// knowsMost reports whether the named programs had the processors for most of the time.
func (d diagnosis) knowsMost() bool {
	sum := 0.0
	for _, n := range d.noise() {
		sum += n.Share
	}
	return sum >= mostOfIt
}

// cureNeighbour is what helps against others on the same processors.
func (d diagnosis) cureNeighbour(tier string) string {
	var names, cures []string
	for _, n := range d.noise() {
		if n.Name == hypervisor {
			cures = append(cures, "This virtual machine does not get its processors: ask for dedicated ones, or for "+
				"a host with fewer virtual machines on it.")
			continue
		}
		names = append(names, n.Name)
	}
	if names == nil && cures != nil {
		return cures[0]
	}
	if names != nil && !d.knowsMost() {
		return strings.Join(append(cures, fmt.Sprintf("Find out which other programs use the processors of %s "+
			"(top and pidstat show them; for most of that time their turns were too short and too many to name the "+
			"programs). Move them and %s to another host or other cores, or limit them (CPUQuota=, CPUWeight=, "+
			"nice).%s",
			tier, list(names), d.mayBeWorkers(names))), " ")
	}
	if names == nil {
		return fmt.Sprintf("Move the programs that use the processors of %s to another host or other cores, or give "+
			"%[1]s processors of its own (top and pidstat show these programs).", tier)
	}
	whose := "its"
	if len(names) > 1 {
		whose = "their"
	}
	return strings.Join(append(cures, fmt.Sprintf("Move %s to another host or other cores, limit %s processor time "+
		"(CPUQuota=, CPUWeight=, nice), or give %s processors of its own.%s", list(names), whose, tier,
		d.mayBeWorkers(names))), " ")
}

// disturbed reads in which tiers other programs may be the reason for what looks like demand.
func (q *querier) disturbed(apps map[string]*Application) {
	for _, s := range q.vector("group by (app, tier) (last_over_time(" +
		q.over("nstar:app_disturbed:ratio", "") + ") >= 0.3)") {
		if a := apps[label(s.Metric, "app")]; a != nil {
			a.Disturbed = append(a.Disturbed, label(s.Metric, "tier"))
		}
	}
	for _, a := range apps {
		slices.Sort(a.Disturbed)
	}
}

// cureDisturbed says what to do first where work of the tier and other programs can't be told apart; it is empty if
// there is no such tier.
func (d diagnosis) cureDisturbed() string {
	var cures []string
	for _, tier := range d.Disturbed {
		which := "top and pidstat show them"
		var names []string
		for _, n := range d.noiseFor(tier) {
			names = append(names, fmt.Sprintf("%s for %s of the time for which %s waited for them", n.called(),
				percent(n.Share), tier))
		}
		if len(names) > 0 {
			which = list(names)
		}
		cures = append(cures, fmt.Sprintf("Other programs use a part of the processors of %s (%s): move these "+
			"programs to another host or other cores first. If requests still wait then, %[1]s has too much work.",
			tier, which))
	}
	return strings.Join(cures, " ")
}
