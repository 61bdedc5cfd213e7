// SPDX-License-Identifier: Apache-2.0

package whatif

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
)

// WriteText writes the prediction for people: what would be gained, where requests would spend their time,
// and what the prediction rests on.
func (p Prediction) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", p.Sentence())
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "time per request in\tnow\tthen\t\n")
	for i, now := range p.Recorded.Tiers {
		then := "-"
		if i < len(p.Predicted.Tiers) {
			then = milliseconds(p.Predicted.Tiers[i].Seconds)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t\n", now.Tier, milliseconds(now.Seconds), then)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(&b, "\n%s", p.basis())
	_, err := io.WriteString(w, b.String())
	return err
}

// Sentence is the prediction in words.
func (p Prediction) Sentence() string {
	var changes []string
	for _, c := range p.Changes {
		changes = append(changes, c.String())
	}
	s := fmt.Sprintf("With %s, %s would serve %s requests/s instead of %s (%s)",
		strings.Join(changes, " and "), p.App, digits(p.Predicted.Throughput), digits(p.Recorded.Throughput),
		p.Throughput)
	if p.Overload {
		return s + ", which is less than the requests that would arrive: its queue would grow without end."
	}
	return s + fmt.Sprintf(" and answer in %s on average instead of %s (%s).",
		milliseconds(p.Predicted.Response), milliseconds(p.Recorded.Response), p.Response)
}

// String is a gain with its interval.
func (g Gain) String() string {
	return fmt.Sprintf("%s, likely %s to %s", percent(g.Mean), percent(g.Low), percent(g.High))
}

func percent(v float64) string {
	v = math.Round(v * 100)
	if v == 0 {
		return "0 %"
	}
	return fmt.Sprintf("%+.0f %%", v)
}

// basis says what the prediction is based on.
func (p Prediction) basis() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Replayed from %d windows (%.0f s). "+
		"Without a change the replay gives %s requests/s (%s) and %s (%s).\n",
		p.Windows, p.Seconds, digits(p.Replayed.Throughput), percent(p.Replayed.Throughput/p.Recorded.Throughput-1),
		milliseconds(p.Replayed.Response), percent(p.Replayed.Response/p.Recorded.Response-1))
	switch p.Source.Kind {
	case closed.String():
		fmt.Fprintf(&b, "Users wait for the answer before they ask again: %s; about %s users who think for %s.\n",
			p.Source.Reason, digits(p.Source.Users), milliseconds(p.Source.Think))
	case open.String():
		fmt.Fprintf(&b, "Requests arrive whether earlier requests were answered or not: %s.\n", p.Source.Reason)
	default:
		fmt.Fprintf(&b, "It is not known whether users wait for the answer before they ask again (%s): both cases "+
			"were replayed.\n", p.Source.Reason)
	}
	for _, c := range p.Pools {
		fmt.Fprintf(&b, "%s had at most %d calls to %s at once.\n", c.From, c.Places, c.To)
	}
	for _, a := range p.Assumptions {
		fmt.Fprintf(&b, "%s\n", a)
	}
	return b.String()
}

func milliseconds(seconds float64) string {
	if seconds >= 10 {
		return digits(seconds) + " s"
	}
	return digits(seconds*1e3) + " ms"
}
