// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"time"
)

// WriteJSON writes the report as one indented object.
func (r Report) WriteJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}

// WriteText writes the report for people: for each application the finding, the evidence, what to do, and
// where the time went; at the end the states.
func (r Report) WriteText(w io.Writer) error {
	e := &sticky{w: w}
	e.printf("%s to %s UTC (%s)\n", r.From.UTC().Format(time.DateTime), r.To.UTC().Format(time.TimeOnly),
		r.To.Sub(r.From).Round(time.Second))
	if len(r.Apps) == 0 {
		e.printf("\n%s\n\nWhat to do: %s\n", r.Summary, r.Advice)
	}
	for _, a := range r.Apps {
		e.printf("\n%s\n", a.Summary)
		// Beside others, applications that are well take one line each.
		if len(r.Apps) == 1 || a.Bottleneck != nil || a.Verdict == Learning {
			r.writeAnswer(e, a)
		} else if a.Capacity.worthALine() {
			e.printf("Capacity: %s\n", a.Capacity.sentence())
		}
	}
	return e.err
}

func (r Report) writeAnswer(e *sticky, a Answer) {
	var neighbours []Cause
	for i, c := range r.causesOf(a.App) {
		switch {
		case i == 0 && c.TailShare > 0: // the summary has its other figures
			e.printf("That accounts for %s of the longest waits.\n", percent(c.TailShare))
		case i > 0 && c.Cause == causeNeighbour:
			neighbours = append(neighbours, c)
		case i > 0:
			e.printf("%s\n", c.Evidence)
		}
	}
	writeNotes(e, a, false)
	writeNeighbours(e, neighbours)
	if a.Capacity != nil {
		e.printf("Capacity: %s\n", a.Capacity.sentence())
	}
	e.printf("\nWhat to do: %s\n", a.Advice)
	for _, g := range a.Gain {
		e.printf("Expected with %s, by replaying the recorded windows: %s throughput, %s response time.\n", g.Change,
			change(g.ThroughputRatio), change(g.ResponseTimeRatio))
	}
	if a.GainMissing != "" {
		e.printf("What that would gain is not known: %s.\n", a.GainMissing)
	}
	writeNamed(e, a, r.To)
	writeTimes(e, a)
	writeCode(e, a)
	writeNotes(e, a, true)
	writeWaiting(e, a)
	writeStates(e, r.Tiers, a)
}

// forInformation begins notes that nobody has to act upon: they stand below the table.
const forInformation = "For information: "

func writeNotes(e *sticky, a Answer, below bool) {
	for _, n := range a.Notes {
		if strings.HasPrefix(n, forInformation) == below {
			e.printf("%s\n", n)
		}
	}
}

// writeNeighbours writes what other programs cost beside the finding, which may be a little in each of many tiers.
func writeNeighbours(e *sticky, causes []Cause) {
	if len(causes) <= 2 {
		for _, c := range causes {
			e.printf("%s\n", c.Evidence)
		}
		return
	}
	var tiers []string
	var share, time float64
	for _, c := range causes[1:] {
		tiers, share, time = append(tiers, c.Tier), share+c.Share, time+c.Milliseconds/1000
	}
	e.printf("%s\nNoisy neighbours in %s account for %s (%s) more.\n", causes[0].Evidence, list(tiers), millis(time),
		percent(share))
}

func (r Report) causesOf(app string) []Cause {
	var found []Cause
	for _, c := range r.Causes {
		if c.App == app {
			found = append(found, c)
		}
	}
	return found
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

// change is a ratio as what it is more or less, in words.
func change(ratio float64) string {
	if p := math.Round(100 * (ratio - 1)); p != 0 {
		return fmt.Sprintf("%+.0f %%", p)
	}
	return "the same"
}
