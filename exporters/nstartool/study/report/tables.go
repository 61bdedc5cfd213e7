// SPDX-License-Identifier: Apache-2.0

package report

import (
	"encoding/csv"
	"io"
	"strconv"

	"github.com/nstar-project/nstar/exporters/nstartool/study"
)

// Classes writes as CSV which side was the bottleneck at each point, for programs that learn from the points.
// identified is 0 if the experiment does not show it, for a reason that the report gives.
func Classes(w io.Writer, r *study.Report) error {
	c := csv.NewWriter(w)
	_ = c.Write([]string{"setup", "clients", "class", "throughput", "limit", "th95", "identified"}) // Flush tells
	for i := range r.Curves {
		curve := &r.Curves[i]
		identified := "0"
		if curve.Reason == "" {
			identified = "1"
		}
		for k, clients := range curve.Clients {
			_ = c.Write([]string{r.Setups[i].Name, float(clients), curve.Class[k].String(), float(curve.Throughput[k]),
				float(curve.Limit.Value), float(curve.Th95.Value), identified})
		}
	}
	c.Flush()
	return c.Error()
}

// Points writes the experiment as CSV, a line per run, in the form in which it can be read again. If a metric does not
// exist for each run of a point, its mean is used for all runs: which runs lack it is not known.
func Points(w io.Writer, r *study.Report) error {
	c := csv.NewWriter(w)
	header := []string{"setup", "clients", "run", "throughput"}
	for i := range r.Metrics {
		header = append(header, r.Metrics[i].Key())
	}
	_ = c.Write(header) // Flush tells
	for i := range r.Setups {
		for _, p := range r.Setups[i].Points {
			for run, throughput := range p.Throughput {
				line := []string{r.Setups[i].Name, float(p.Clients), strconv.Itoa(run + 1), float(throughput)}
				for k := range r.Metrics {
					line = append(line, value(p.Values[r.Metrics[k].Key()], run, len(p.Throughput)))
				}
				_ = c.Write(line)
			}
		}
	}
	c.Flush()
	return c.Error()
}

// value is that of one of several runs.
func value(values []float64, run, runs int) string {
	switch {
	case len(values) == 0:
		return ""
	case len(values) == runs:
		return float(values[run])
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return float(sum / float64(len(values)))
}

// Metrics writes as CSV what is known about each metric, in how many setups it is of each category, and whether it
// belongs to the set to watch.
func Metrics(w io.Writer, r *study.Report) error {
	c := csv.NewWriter(w)
	categories := []study.Category{study.Reliable, study.Partial, study.NotReliable, study.Misleading}
	header := []string{"column", "tier", "metric", "type", "client", "recommended", "query"}
	for _, category := range categories {
		header = append(header, string(category))
	}
	_ = c.Write(header) // Flush tells
	watched := map[*study.Row]bool{}
	for _, row := range r.Watched() {
		watched[row] = true
	}
	for i := range r.Rows {
		row := &r.Rows[i]
		m := &row.Metric
		line := []string{m.Key(), m.Tier, m.Name, m.Type, yes(m.Client), yes(watched[row]), m.Query}
		for _, category := range categories {
			line = append(line, strconv.Itoa(row.Count(category)))
		}
		_ = c.Write(line)
	}
	c.Flush()
	return c.Error()
}

func float(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

func yes(is bool) string {
	if is {
		return "1"
	}
	return "0"
}
