// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/nstar-project/nstar/exporters/nstartool/study"
)

// Markdown writes the report as text.
func Markdown(w io.Writer, r *study.Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Capacity study of %s\n\n%s\n\n## Throughput\n\n", r.App, summary(r))
	for i := range r.Setups {
		fmt.Fprintf(&b, "**%s**: %s %s\n\n", r.Setups[i].Name, throughput(r, i), margin(&r.Curves[i]))
		c := &r.Curves[i]
		fmt.Fprintf(&b, "| clients | %s | bottleneck |\n|--:|--:|---|\n", r.ThroughputUnit)
		for k := range c.Clients {
			fmt.Fprintf(&b, "| %s | %s ± %s | %s |\n", short(c.Clients[k]), short(c.Throughput[k]), short(c.Error[k]),
				c.Class[k])
		}
		b.WriteString("\n")
	}
	b.WriteString("## Sets of metrics\n\n")
	for _, c := range choices(r) {
		fmt.Fprintf(&b, "- %s: %s\n", c[0], c[1])
	}
	b.WriteString("\n## Metrics\n\nR: reliable, PR: partially reliable, NR: not reliable, M: misleading, -: " +
		"unidentified.\n\n")
	b.WriteString("| metric | type |")
	for i := range r.Setups {
		fmt.Fprintf(&b, " %s |", r.Setups[i].Name)
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(r.Setups)) + "\n")
	for i := range r.Rows {
		row := &r.Rows[i]
		fmt.Fprintf(&b, "| %s | %s |", title(&row.Metric), row.Metric.Type)
		for k := range row.Judgements {
			fmt.Fprintf(&b, " %s |", row.Judgements[k].Category)
		}
		b.WriteString("\n")
	}
	b.WriteString("\n## Reasons\n")
	for i := range r.Setups {
		fmt.Fprintf(&b, "\n### %s\n\n", r.Setups[i].Name)
		b.WriteString("| metric | category | confidence | sub-pattern | reason |\n|---|---|--:|---|---|\n")
		for k := range r.Rows {
			j := &r.Rows[k].Judgements[i]
			confidence := percent(j.Confidence)
			if j.Category == study.Unidentified {
				confidence = "-"
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", title(&r.Rows[k].Metric), j.Category.Name(), confidence,
				j.SubPattern,
				reason(j))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
