// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"fmt"
	"slices"
)

// Errors are the requests in which a tier failed: it answered with HTTP status 500 or above, or closed the connection
// without an answer.
type Errors struct {
	Tier string `json:"tier"`
	// Times is how often in the range.
	Times float64 `json:"times"`
	// Share of the tier's requests that ended, 0 to 1.
	Share float64 `json:"share"`
	// Over says that none came in the last 20 s of the range.
	Over bool `json:"over,omitempty"`
}

const (
	worthErrors      = 3    // in the range, from which they are told of
	worthErrorsShare = 0.01 // of a tier's requests: some servers fail now and then
)

// errors reads which tiers answered with errors.
func (q *querier) errors(apps map[string]*Application) {
	answers := q.perTier(q.growth("nstar_tier_completions_total"))
	unanswered := q.perTier(q.growth("nstar_tier_aborts_total"))
	still := q.perTier("sum by (app, tier) (increase(nstar_tier_errors_total[20s])) > 0")
	for _, s := range q.vector(fmt.Sprintf("%s >= %d", q.growth("nstar_tier_errors_total"), worthErrors)) {
		app, tier, n := label(s.Metric, "app"), label(s.Metric, "tier"), float64(s.Value)
		share := n / (answers[[2]string{app, tier}] + unanswered[[2]string{app, tier}])
		if a := apps[app]; a != nil && share >= worthErrorsShare {
			a.Errors = append(a.Errors, Errors{tier, n, min(1, share), still[[2]string{app, tier}] == 0})
		}
	}
	for _, a := range apps {
		slices.SortFunc(a.Errors, func(x, y Errors) int {
			return cmp.Or(cmp.Compare(y.Times, x.Times), cmp.Compare(x.Tier, y.Tier))
		})
	}
}

// byError is how a tier answers that failed.
const byError = "with an error (status 500 or above, or the like in gRPC) or by closing the connection"

func (e Errors) sentence() string {
	over := ""
	if e.Over {
		over = ", but none in the last 20 s"
	}
	return fmt.Sprintf("%s answered %s of its requests %s%s.", e.Tier, percent(e.Share), byError, over)
}

// failing says which tiers answered with errors, a sentence for each, without those that the summary names.
func (d diagnosis) failing() (notes []string) {
	for i, e := range d.Errors {
		named := d.finding.Cause == causeErrors && e.Tier == d.finding.Tier
		if !named && (i > 0 || d.finding.Verdict != Learning || !d.sawErrors()) {
			notes = append(notes, e.sentence())
		}
	}
	return notes
}

// blameErrors says that the tier fails by itself, and that nothing waits longer for that.
func (d diagnosis) blameErrors() string {
	tier := d.finding.Tier
	answers := tier + " answers with errors (status 500 or above, or the like in gRPC) or closes the connection"
	for _, e := range d.Errors {
		if e.Tier == tier {
			answers = fmt.Sprintf("%s answers %s of its requests %s", tier, percent(e.Share), byError)
		}
	}
	return answers + ", and no tier behind it says that it failed. The errors come quickly: no request waits for that."
}

// cureFailing is what to do about a tier that fails by itself.
func (d diagnosis) cureFailing(tier string) (first, useless string) {
	asks := ""
	if others := d.calledBy(tier); len(others) > 0 {
		asks = fmt.Sprintf(", or %s said so in a protocol whose errors Nstar can't read", list(others))
	}
	return fmt.Sprintf("Read these errors in the log of %s: something was changed, it lacks a service or a file, or "+
			"has reached a limit%s.", tier, asks),
		"More capacity gains nothing: no request waits longer than it must."
}

// calledBy are the tiers that one calls, and that did not fail.
func (d diagnosis) calledBy(tier string) (names []string) {
	for _, e := range d.Edges {
		fails := slices.ContainsFunc(d.Errors, func(f Errors) bool { return f.Tier == e.To })
		if e.From == tier && !fails && !slices.Contains(names, e.To) {
			names = append(names, e.To)
		}
	}
	return names
}

// butErrors says that some requests failed; which ones is said below.
func (d diagnosis) butErrors() string {
	if len(d.Errors) == 0 {
		return ""
	}
	return " except for errors"
}

// sawErrors reports whether users got so many errors that the application can't have been healthy.
func (d diagnosis) sawErrors() bool {
	return len(d.Errors) > 0 && d.Errors[0].Share >= troublingErrors
}

// troubled reports whether they still get them.
func (d diagnosis) troubled() bool { return d.sawErrors() && !d.Errors[0].Over }

// cureErrors is what to do if users get errors; empty if few do.
func (d diagnosis) cureErrors() string {
	if !d.troubled() {
		return ""
	}
	hide := " Errors take so little time that they hide what is wrong."
	if d.Slower != nil || d.errorsComeLate() {
		hide = ""
	}
	return fmt.Sprintf("Look into the log of %s, which answers with errors. The reason may be a limit that it has "+
		"reached (workers, connections, a time-out).%s", d.firstFailing(), hide)
}

// besideErrors says what is known of the waiting.
func (d diagnosis) besideErrors() string {
	if d.Slower != nil {
		return d.Slower.sentence()
	}
	if d.errorsComeLate() {
		return "They come late, as after a time-out: look at what these requests wait for."
	}
	return "Errors take little time, so the waiting does not show what is wrong."
}

// errorsComeLate reports whether requests take so long that errors are no quick answers.
func (d diagnosis) errorsComeLate() bool { return d.total() >= lateErrorSeconds }

// lateErrorSeconds is the response time from which errors can't be said to take little time.
const lateErrorSeconds = 1

// firstFailing is the tier to look at first, of the tiers that answer with errors. Tiers in front pass on what
// the tier behind answers. So if several tiers have about the same number of errors, it is the last one along the
// calls.
func (d diagnosis) firstFailing() string {
	first := d.Errors[0].Tier
	for _, t := range d.Times {
		for _, e := range d.Errors {
			if e.Tier == t.Tier && e.Times >= d.Errors[0].Times/2 {
				first = t.Tier
			}
		}
	}
	return first
}

// troublingErrors is the share of a tier's answers from which they are a trouble of their own, as for the verdict.
const troublingErrors = 0.05
