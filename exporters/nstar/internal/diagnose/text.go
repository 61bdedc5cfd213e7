// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// WriteJSON writes the report as one indented object.
func (r Report) WriteJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}

// WriteText writes the report for a person: the finding, the evidence, what to
// do, and the table of the tiers.
func (r Report) WriteText(w io.Writer) error {
	e := &sticky{w: w}
	e.printf("%s to %s UTC (%s)\n\n", r.From.UTC().Format(time.DateTime), r.To.UTC().Format(time.TimeOnly), r.To.Sub(r.From).Round(time.Second))
	e.printf("%s\n", r.Summary)
	for i, a := range r.Alternations {
		if i > 0 {
			e.printf("%s and %s of %s take turns as well (correlation %.2f).\n", a.From, a.To, a.App, a.Pearson)
		}
	}
	for _, c := range r.Causes {
		e.printf("%s\n", c.Evidence)
	}
	e.printf("\nWhat to do: %s\n", r.Advice)
	if len(r.Tiers) == 0 {
		return e.err
	}
	e.printf("\n")
	t := tabwriter.NewWriter(e, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "app\ttier\t\tN*\tTPmax\tidle\tnormal\tsaturated\tfrozen\t\n")
	unknown := false
	for _, tier := range r.Tiers {
		unknown = unknown || tier.NStar == nil
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", tier.App, tier.Tier, tier.Instance,
			optional(tier.NStar, "%.1f"), optional(tier.TPMax, "%.0f/s"),
			percent(tier.Share[stateIdle]), percent(tier.Share[stateNormal]), percent(tier.Share[stateSaturated]), percent(tier.Share[stateFrozen]))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if unknown {
		e.printf("\nN* is the queue length from which a tier serves no more; - where the tier was not seen saturated.\n")
	}
	return e.err
}

func optional(v *float64, format string) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf(format, *v)
}

// sticky keeps the first error, so that a report is written without a check at
// each line.
type sticky struct {
	w   io.Writer
	err error
}

func (s *sticky) Write(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(p)
	s.err = err
	return n, err
}

func (s *sticky) printf(format string, args ...any) { fmt.Fprintf(s, format, args...) }
