// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"fmt"
	"slices"
)

// Mirror is how an application follows the processor time of another one on the same processors of a host (CONS): means
// over the range of correlations at 100 ms.
type Mirror struct {
	Neighbour, Instance string
	Tier                string  // whose processor time mirrors the neighbour's most
	Processor           float64 // its own processor time against the neighbour's
	Queue, Time         float64 // queue, and time in a tier, against that; 0 if not known
}

const (
	// mirrored is the correlation from which two applications take the processor from each other. CONS shows mirror
	// images (figure 3); on two processors its experiment gave -0.68 and -0.56.
	mirrored = -0.3
	// felt is the correlation from which requests wait for that: 0.50 and 0.63 there.
	felt = 0.3
)

// mirrors reads how applications on the same processors affect each other.
func (q *querier) mirrors(apps map[string]*Application) {
	type pair struct{ app, instance, neighbour string }
	found := make(map[pair]*Mirror)
	for _, s := range q.vector("avg_over_time(" + q.over("nstar:app_colocated:pearson1m", "") + ")") {
		key := pair{label(s.Metric, "app"), label(s.Metric, "instance"), label(s.Metric, "neighbour")}
		if key.app == key.neighbour {
			continue // its own processor time
		}
		if found[key] == nil {
			found[key] = &Mirror{Neighbour: key.neighbour, Instance: key.instance}
		}
		switch label(s.Metric, "of") {
		case "processor":
			found[key].Processor = float64(s.Value)
		case "queue":
			found[key].Queue = float64(s.Value)
		case "time":
			found[key].Time = float64(s.Value)
		}
	}
	if len(found) == 0 {
		return
	}
	for _, s := range q.vector("bottomk by (instance, app, neighbour) (1, avg_over_time(" +
		q.over("nstar:tier_colocated:pearson1m", `of="processor"`) + "))") {
		if m := found[pair{label(s.Metric, "app"), label(s.Metric, "instance"),
			label(s.Metric, "neighbour")}]; m != nil {
			m.Tier = label(s.Metric, "tier")
		}
	}
	for key, m := range found {
		if a := apps[key.app]; a != nil {
			a.Mirrors = append(a.Mirrors, *m)
		}
	}
	for _, a := range apps {
		slices.SortFunc(a.Mirrors, func(x, y Mirror) int {
			return cmp.Or(cmp.Compare(x.Processor, y.Processor), cmp.Compare(x.Neighbour, y.Neighbour),
				cmp.Compare(x.Instance, y.Instance))
		})
	}
}

// competes reports whether an application and another one take the processor from each other.
func (a *Application) competes(with string) bool {
	return slices.ContainsFunc(a.Mirrors, func(m Mirror) bool { return m.Neighbour == with && m.Processor <= mirrored })
}

// mirroring says of a bottleneck which other application takes the processor from the application, and has it taken.
func (d diagnosis) mirroring() string {
	if !d.bottleneck() || len(d.Mirrors) == 0 {
		return ""
	}
	m := d.Mirrors[0]
	if m.Tier == "" || m.Processor > mirrored || max(m.Queue, m.Time) < felt {
		return ""
	}
	feels := fmt.Sprintf("requests queue in %s (%.2f)", d.Name, m.Queue)
	switch {
	case m.Queue >= felt && m.Time >= felt:
		feels = fmt.Sprintf("requests queue in %s (%.2f) and take longer (%.2f)", d.Name, m.Queue, m.Time)
	case m.Time >= felt:
		feels = fmt.Sprintf("requests of %s take longer (%.2f)", d.Name, m.Time)
	}
	return fmt.Sprintf("%[1]s and %[2]s take the processor from each other on %[3]s: the processor times of %[1]s's "+
		"%[4]s and of %[2]s are mirror images (correlation %.2[5]f at 100 ms), and while %[2]s computes, %[6]s.",
		d.Name, m.Neighbour, host(m.Instance), m.Tier, m.Processor, feels)
}
