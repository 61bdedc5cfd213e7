// SPDX-License-Identifier: Apache-2.0

// Package figures prints a proof's measurements, each figure with its limit, and remembers whether any missed its
// limit.
package figures

import (
	"fmt"
	"io"
	"strings"
)

// Report collects the figures of one proof.
type Report struct {
	name           string
	out            io.Writer
	passed, failed int
	missed         []string
}

// New starts a report.
func New(name string, out io.Writer) *Report { return &Report{name: name, out: out} }

// Section starts a part of the report.
func (r *Report) Section(format string, args ...any) {
	fmt.Fprintf(r.out, "\n%s\n", fmt.Sprintf(format, args...))
}

// Note prints a line that is no figure to be checked.
func (r *Report) Note(format string, args ...any) {
	fmt.Fprintf(r.out, "       %s\n", fmt.Sprintf(format, args...))
}

// Check prints a figure and whether it holds.
func (r *Report) Check(ok bool, format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if ok {
		r.passed++
		fmt.Fprintf(r.out, "  PASS %s\n", line)
		return
	}
	r.failed++
	r.missed = append(r.missed, line)
	fmt.Fprintf(r.out, "  FAIL %s\n", line)
}

// Equal checks a count against the one that it must equal.
func (r *Report) Equal(what string, got, want int64, source string) {
	r.Check(got == want, "%s: %d, %s: %d (difference %+d)", what, got, source, want, got-want)
}

// Within checks a figure against a reference with a relative tolerance.
func (r *Report) Within(what string, got, want, tolerance float64, reference string) {
	off := (got - want) / want
	r.Check(off <= tolerance && off >= -tolerance, "%s: %.4g, %s: %.4g (%+.2f %%, at most %.4g %%)",
		what, got, reference, want, 100*off, 100*tolerance)
}

// AtMost checks a figure against an upper limit.
func (r *Report) AtMost(what string, got, limit float64, unit string) {
	r.Check(got <= limit, "%s: %.4g %s (at most %.4g)", what, got, unit, limit)
}

// Close prints the summary; the error says which figures missed their limit.
func (r *Report) Close() error {
	fmt.Fprintf(r.out, "\n%s: %d figures hold, %d do not\n", r.name, r.passed, r.failed)
	if r.failed == 0 {
		return nil
	}
	return fmt.Errorf("%d of %d figures missed: %s", r.failed, r.passed+r.failed, strings.Join(r.missed, "; "))
}
