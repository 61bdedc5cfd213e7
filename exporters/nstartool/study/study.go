// SPDX-License-Identifier: Apache-2.0

package study

import (
	"cmp"
	"fmt"
	"slices"
)

// Experiment is what is studied: setups of one application, and the metrics
// that were recorded.
type Experiment struct {
	App     string
	Metrics []Metric
	Setups  []Setup
	// ThroughputUnit is what the throughput counts, such as requests/s.
	ThroughputUnit string
	// ThroughputQuery gives the present throughput in Prometheus.
	ThroughputQuery string
}

// Report is what the study found.
type Report struct {
	*Experiment
	Curves []Curve // by setup
	Rows   []Row   // by metric
	// Recommended is the smallest set that is reliable and never misleading. Companion adds a second type
	// if the set has only one; nil if none is needed or none exists.
	Recommended Choice
	Companion   *Row
	// ServerOnly is the same of the server's own metrics; Any of all metrics,
	// be they misleading elsewhere.
	ServerOnly, Any Choice
}

// Run studies an experiment. margin is M, or below 0 to choose it for each setup.
func Run(e *Experiment, margin float64) (*Report, error) {
	r := &Report{Experiment: e}
	for i := range e.Setups {
		s := &e.Setups[i]
		if err := s.Sort(); err != nil {
			return nil, err
		}
		if s.Added != nil {
			if err := s.Added.Sort(); err != nil {
				return nil, err
			}
		}
		r.Curves = append(r.Curves, NewCurve(s, margin))
	}
	for _, m := range e.Metrics {
		row := Row{Metric: m}
		for i := range e.Setups {
			row.Judgements = append(row.Judgements, judgeIn(&e.Setups[i], &r.Curves[i], m.Key()))
		}
		r.Rows = append(r.Rows, row)
	}
	if len(r.Rows) == 0 {
		return nil, fmt.Errorf("the experiment has no metrics besides the throughput")
	}
	r.recommend()
	return r, nil
}

// judgeIn judges a metric by the points at which it was measured.
func judgeIn(s *Setup, c *Curve, metric string) Judgement {
	var x []float64
	var values [][]float64
	var class []Class
	for i, p := range s.Points {
		if v := p.Values[metric]; len(v) > 0 {
			x, values, class = append(x, p.Clients), append(values, v), append(class, c.Class[i])
		}
	}
	if len(x) == 0 {
		return Judgement{Category: Unidentified, SubPattern: "not measured"}
	}
	if c.Reason != "" { // there is nothing to compare the metric with
		for i := range class {
			class[i] = Client
		}
	}
	j := Judge(x, values, class)
	j.Clients, j.Class = x, class
	if c.Reason != "" {
		j.SubPattern = "the experiment does not show both sides"
	} else if j.Category == Unidentified {
		j.SubPattern = "measured at too few points"
	}
	return j
}

func (r *Report) recommend() {
	var never, server, any []*Row
	for i := range r.Rows {
		row := &r.Rows[i]
		any = append(any, row)
		if row.Count(Misleading) > 0 {
			continue
		}
		never = append(never, row)
		if !row.Metric.Client {
			server = append(server, row)
		}
	}
	n := len(r.Setups)
	r.Recommended, r.ServerOnly, r.Any = choose(never, n), choose(server, n), choose(any, n)
	r.Companion = companion(&r.Recommended, never)
}

// Watched are the metrics to watch: the recommended set and its companion, by
// tier and name.
func (r *Report) Watched() []*Row {
	rows := slices.Clone(r.Recommended.Rows)
	if r.Companion != nil {
		rows = append(rows, r.Companion)
	}
	slices.SortFunc(rows, func(a, b *Row) int {
		return cmp.Or(cmp.Compare(a.Metric.Tier, b.Metric.Tier), cmp.Compare(a.Metric.Name, b.Metric.Name))
	})
	return rows
}
