// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/nstar-project/nstar/exporters/nstartool/study"
)

// Text writes the report in short, for a terminal.
func Text(w io.Writer, r *study.Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", summary(r))
	for i := range r.Setups {
		fmt.Fprintf(&b, "%s: %s\n  %s\n", r.Setups[i].Name, throughput(r, i), margin(&r.Curves[i]))
	}
	b.WriteString("\n")
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "metric\ttype")
	for i := range r.Setups {
		fmt.Fprintf(t, "\t%s", r.Setups[i].Name)
	}
	fmt.Fprintln(t)
	for i := range r.Rows {
		fmt.Fprintf(t, "%s\t%s", title(&r.Rows[i].Metric), r.Rows[i].Metric.Type)
		for k := range r.Rows[i].Judgements {
			fmt.Fprintf(t, "\t%s", r.Rows[i].Judgements[k].Category)
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}
