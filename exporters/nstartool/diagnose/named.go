// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"fmt"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/prometheus/common/model"
)

// Named is a span of the range in which something wrong was named.
type Named struct {
	From  time.Time `json:"from"`
	To    time.Time `json:"to"`
	Tier  string    `json:"tier"`
	Cause string    `json:"cause"`
	// Share of the response time, 0 to 1: the mean of what was said in the span.
	Share float64 `json:"share"`

	verdict Verdict
}

// mostSpans is how many of these the text shows, the newest.
const mostSpans = 12

// spans finds when something wrong was named for long enough to be believed, in the order of the beginnings. Breaks in
// a span are as long as those in which a finding counts as held.
func spans(history []Evaluation, step time.Duration) []Named {
	var found []Named
	open := make(map[Finding]int) // the last span of each finding
	var counts []float64          // how often each was said
	for _, e := range history {
		if e.Verdict == Healthy || e.Verdict == Learning {
			continue
		}
		i, ok := open[e.Finding]
		if !ok || e.At.Sub(found[i].To) > longestBreak(step) {
			i = len(found)
			open[e.Finding] = i
			found = append(found, Named{e.At.UTC(), e.At.UTC(), e.Tier, e.Cause, 0, e.Verdict})
			counts = append(counts, 0)
		}
		found[i].To = e.At.UTC()
		found[i].Share += e.Share
		counts[i]++
	}
	for i, n := range counts {
		found[i].Share /= n
	}
	return slices.DeleteFunc(found, func(n Named) bool { return n.To.Sub(n.From)+step < named })
}

// recently is for how long what was named, and is over, is worth advice.
const recently = 10 * time.Minute

// passed is what was named last, for long enough to be believed, and not long before the end of the range; false if
// nothing was.
func passed(history []Evaluation, step time.Duration) (Finding, bool) {
	found := spans(history, step)
	if len(found) == 0 {
		return Finding{}, false
	}
	n := found[len(found)-1]
	if history[len(history)-1].At.Sub(n.To) > recently {
		return Finding{}, false
	}
	return Finding{n.verdict, n.Tier, n.Cause}, true
}

// toCure is what advice is given against: what prevailed, or what passed if all is well.
func toCure(history []Evaluation, step time.Duration) (Finding, bool) {
	f, ok := prevailing(history)
	if ok && f.Verdict == Healthy {
		return passed(history, step)
	}
	return f, ok
}

// whileNamed reads what was so while a tier was named for a cause, in each application where advice is given against
// that: then asks for this time alone.
func (q *querier) whileNamed(apps map[string]*Application, cause string,
	read func(a *Application, tier string, then *querier),
) {
	for _, a := range apps {
		f, ok := toCure(a.Evaluations, q.step)
		if !ok || f.Cause != cause {
			continue
		}
		from, until := held(a.Evaluations, f, longestBreak(q.step))
		then := *q
		then.app, then.at, then.span = a.Name, until, model.Duration(max(q.step, until.Sub(from))).String()
		read(a, f.Tier, &then)
		q.err = then.err
	}
}

// ifAgain is what to do if what passed comes again; empty if nothing did.
func (d diagnosis) ifAgain() string {
	f, ok := passed(d.Evaluations, d.step())
	if !ok {
		return ""
	}
	d.finding, d.share = f, share(d.Evaluations, f)
	d.seconds = d.charged()
	first, _ := d.cure(f.Tier, d.others())
	if f.Cause == causeBurst { // whose cure says so itself
		return first
	}
	return "Nothing now: it is over. If it comes again: " + first
}

// writeNamed lists what was named in the range, if that is more than the summary says.
func writeNamed(e *sticky, a Answer, to time.Time) {
	said := func(n Named) bool {
		return a.Bottleneck != nil && n.Tier == a.Bottleneck.Tier && n.Cause == a.Bottleneck.Cause
	}
	if len(a.Named) == 0 || len(a.Named) == 1 && said(a.Named[0]) {
		return
	}
	shown := a.Named[max(0, len(a.Named)-mostSpans):]
	e.printf("\nNamed in this range, with the share of the response time:\n")
	if n := len(a.Named) - len(shown); n > 0 {
		e.printf("  (%d before these)\n", n)
	}
	t := tabwriter.NewWriter(e, 0, 0, 2, ' ', 0)
	for _, n := range shown {
		layout := time.TimeOnly
		if n.From.YearDay() != to.UTC().YearDay() {
			layout = "2 Jan " + layout
		}
		fmt.Fprintf(t, "  %s to %s\t%5s\t%s\n", n.From.Format(layout), n.To.Format(time.TimeOnly), percent(n.Share),
			words(Finding{n.verdict, n.Tier, n.Cause}))
	}
	t.Flush()
}
