// SPDX-License-Identifier: Apache-2.0

// Package report writes what a study found: as a page with its pictures inside,
// as Markdown, and as rules for Prometheus with their test.
package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/nstar-project/nstar/exporters/nstartool/study"
)

func percent(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) }

// throughput says where the limits are, in a sentence or two.
func throughput(r *study.Report, i int) string {
	c := &r.Curves[i]
	unit := r.ThroughputUnit
	var b strings.Builder
	fmt.Fprintf(&b, "Peak %s %s (%s to %s). ", short(c.Peak.Value), unit, short(c.Peak.Low), short(c.Peak.High))
	if c.Reason != "" {
		fmt.Fprintf(&b, "Metrics can't be judged by this experiment: %s.", c.Reason)
		return b.String()
	}
	fmt.Fprintf(&b, "From %s clients on (Th0.95 = %s %s) the server is the bottleneck", short(c.FirstServer),
		short(c.Th95.Value),
		unit)
	if c.FirstGray < c.FirstServer {
		fmt.Fprintf(&b, ", below %s clients (Th_limit = %s %s) the clients are; between them is the gray zone.",
			short(c.FirstGray),
			short(c.Limit.Value), unit)
	} else {
		b.WriteString(", below that the clients are; no point is in the gray zone.")
	}
	return b.String()
}

// margin says what M is and why.
func margin(c *study.Curve) string {
	m := &c.Margin
	size := fmt.Sprintf("M = %.1f %%", 100*m.Value)
	if m.High > m.Low {
		size += fmt.Sprintf(" (%.1f to %.1f %%)", 100*m.Low, 100*m.High)
	}
	switch m.Source {
	case study.GivenMargin:
		return size + ", as given."
	case study.AddedServer:
		size += fmt.Sprintf(", measured with one more server: it gains 2 %% from %s clients on", short(m.From))
	case study.FromCurve:
		size += fmt.Sprintf(
			", from the roundness of the knee: one more server would gain 2 %% from about %s clients on",
			short(math.Round(m.From)))
	default:
		return size + ", the thesis's value: the curve has too few points before its peak to tell."
	}
	if m.Bounded {
		size += "; that is so early that it shortens answers more than it adds capacity, so M is bounded"
	}
	return size + "."
}

// reason says why a metric is in its category, in a sentence.
func reason(j *study.Judgement) string {
	switch j.Category {
	case study.Reliable:
		side, other := "above", "below"
		if j.ServerBound < j.ClientBound {
			side, other = other, side
		}
		return fmt.Sprintf("It changes where the bottleneck shifts (%s), and one value tells: "+
			"at %s or %s the server is the bottleneck, at %s or %s the clients.", places(j, true),
			short(j.ServerBound), side, short(j.ClientBound), other)
	case study.Partial:
		return fmt.Sprintf("It changes where the bottleneck shifts (%s), but the same values are seen on both sides: "+
			"only the trend tells.", places(j, true))
	case study.Misleading:
		return fmt.Sprintf("It changes clearly, but %s and not where the bottleneck shifts.", places(j, false))
	case study.NotReliable:
		switch {
		case j.SubPattern == "constant":
			return "It does not change."
		case j.SubPattern == "linear":
			return "It goes on without a break, so that a threshold would be one of this setup only."
		case j.SubPattern == "periodic variation":
			return "It goes up and down all the time."
		case strings.HasPrefix(j.SubPattern, "change in behaviour"):
			return "It goes up and down from some point on, and comes back to its earlier value again and again."
		}
		return fmt.Sprintf("It changes (%s), but its values and its trend are those of before.", places(j, true))
	}
	return strings.ToUpper(j.SubPattern[:1]) + j.SubPattern[1:] + "."
}

// places names the changes, or those at the shift.
func places(j *study.Judgement, atShift bool) string {
	var all []string
	for _, c := range j.Changes {
		if c.AtShift || !atShift {
			all = append(all, fmt.Sprintf("between %s and %s clients", short(c.Low), short(c.High)))
		}
	}
	if len(all) == 0 {
		return "at the shift"
	}
	return strings.Join(all, ", ")
}

// summary is what to remember of the study.
func summary(r *study.Report) string {
	judged := 0
	for i := range r.Curves {
		if r.Curves[i].Reason == "" {
			judged++
		}
	}
	if judged == 0 {
		return "No setup shows both sides of the capacity, so that nothing can be said about metrics."
	}
	where := "in this setup"
	if judged > 1 {
		where = fmt.Sprintf("in %d of %d setups", r.Recommended.Covers(), judged)
	}
	rows := r.Recommended.Rows
	if len(rows) == 0 {
		return "No metric is reliable and never misleading. " + trends(r)
	}
	var names []string
	for _, row := range rows {
		names = append(names, title(&row.Metric))
	}
	verb := "tells"
	if len(names) > 1 {
		verb = "together tell"
	}
	s := fmt.Sprintf("%s %s %s whether the server has reached its capacity, and never %s.", list(names), verb, where,
		map[bool]string{true: "misleads", false: "mislead"}[len(names) == 1])
	if r.Companion != nil {
		s += fmt.Sprintf(" Watch %s as well: it is of another type, and one type alone should not page anybody.",
			title(&r.Companion.Metric))
	}
	return s
}

func trends(r *study.Report) string {
	for i := range r.Rows {
		if r.Rows[i].Count(study.Partial) > 0 && r.Rows[i].Count(study.Misleading) == 0 {
			return "Partially reliable ones are marked PR: watch how they change with the load."
		}
	}
	return "Add metrics of other types: queues, idle threads, errors."
}

// title of a metric: tier and name.
func title(m *study.Metric) string {
	if m.Tier == "" {
		return m.Name
	}
	return m.Tier + " " + m.Name
}

func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// choices are the sets, each as a line.
func choices(r *study.Report) [][2]string {
	line := func(c *study.Choice) string {
		if len(c.Rows) == 0 {
			return "none"
		}
		var names []string
		for _, row := range c.Rows {
			name := title(&row.Metric)
			if row.Metric.Type != "" {
				name += " (" + row.Metric.Type + ")"
			}
			names = append(names, name)
		}
		return fmt.Sprintf("%s: %d of %d setups", list(names), c.Covers(), len(r.Setups))
	}
	return [][2]string{
		{"reliable, never misleading (recommended)", line(&r.Recommended)},
		{"the same, the server's metrics only", line(&r.ServerOnly)},
		{"reliable, may mislead in other setups", line(&r.Any)},
	}
}
