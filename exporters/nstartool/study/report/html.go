// SPDX-License-Identifier: Apache-2.0

package report

import (
	_ "embed"
	"html/template"
	"io"
	"math"
	"slices"

	"github.com/nstar-project/nstar/exporters/nstartool/study"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// setupView is a setup as the page shows it.
type setupView struct {
	Name, Throughput, Margin string
	Curve                    template.HTML
	Added                    bool
	Groups                   []groupView
}

// groupView holds the metrics of a tier.
type groupView struct {
	Tier    string
	Metrics []metricView
}

type metricView struct {
	Name, Type, SubPattern, Reason, Confidence string
	Category                                   study.Category
	CategoryName                               string
	Watched                                    bool
	Picture                                    template.HTML
}

type cellView struct {
	Category study.Category
	Title    string
}

type rowView struct {
	Name, Type string
	Watched    bool
	Cells      []cellView
}

// HTML writes the report as one page with everything inside.
func HTML(w io.Writer, r *study.Report) error {
	data := struct {
		App, Summary string
		Choices      [][2]string
		Names        []string
		Rows         []rowView
		Setups       []setupView
	}{App: r.App, Summary: summary(r), Choices: choices(r)}
	watched := r.Watched()
	for i := range r.Setups {
		data.Names = append(data.Names, r.Setups[i].Name)
		data.Setups = append(data.Setups, viewSetup(r, i, watched))
	}
	for i := range r.Rows {
		row := &r.Rows[i]
		v := rowView{Name: title(&row.Metric), Type: row.Metric.Type, Watched: slices.Contains(watched, row)}
		for k := range row.Judgements {
			j := &row.Judgements[k]
			v.Cells = append(v.Cells, cellView{j.Category, j.Category.Name() + ": " + j.SubPattern})
		}
		data.Rows = append(data.Rows, v)
	}
	return page.Execute(w, data)
}

func viewSetup(r *study.Report, i int, watched []*study.Row) setupView {
	c := &r.Curves[i]
	s := &r.Setups[i]
	picture := chart{width: 760, height: 300, left: 56, right: 14, top: 20, base: 30, x: c.Clients,
		y: c.Throughput, e: c.Error,
		class: c.Class, unit: r.ThroughputUnit, label: "throughput of " + s.Name + " over the number of clients"}
	picture.lines = []rule{{at: c.Th95.Value, class: "limit server"}, {at: c.Limit.Value, class: "limit gray"}}
	if s.Added != nil {
		e := extra{class: "added"}
		for _, p := range s.Added.Points {
			sum := 0.0
			for _, v := range p.Throughput {
				sum += v
			}
			e.x, e.y = append(e.x, p.Clients), append(e.y, sum/float64(len(p.Throughput)))
		}
		picture.more = append(picture.more, e)
	}
	v := setupView{Name: s.Name, Throughput: throughput(r, i), Margin: margin(c), Curve: picture.svg(),
		Added: s.Added != nil}
	for k := range r.Rows {
		row := &r.Rows[k]
		tier := row.Metric.Tier
		g := slices.IndexFunc(v.Groups, func(g groupView) bool { return g.Tier == tier })
		if g < 0 {
			v.Groups = append(v.Groups, groupView{Tier: tier})
			g = len(v.Groups) - 1
		}
		v.Groups[g].Metrics = append(v.Groups[g].Metrics, viewMetric(row, i, slices.Contains(watched, row)))
	}
	for g := range v.Groups {
		slices.SortStableFunc(v.Groups[g].Metrics, func(a, b metricView) int { return rank(a) - rank(b) })
	}
	return v
}

// rank puts the metrics that help first.
func rank(m metricView) int {
	return slices.Index([]study.Category{study.Reliable, study.Partial, study.Misleading, study.NotReliable,
		study.Unidentified},
		m.Category)
}

func viewMetric(row *study.Row, setup int, watched bool) metricView {
	j := &row.Judgements[setup]
	m := &row.Metric
	v := metricView{Name: m.Name, Type: m.Type, SubPattern: j.SubPattern, Reason: reason(j), Category: j.Category,
		CategoryName: j.Category.Name(), Watched: watched}
	if j.Category != study.Unidentified {
		v.Confidence = percent(j.Confidence)
	}
	if len(j.Clients) == 0 {
		return v
	}
	picture := chart{width: 300, height: 170, left: 42, right: 8, top: 18, base: 26, x: j.Clients,
		y: j.Mean, e: j.Error,
		class: j.Class, line: j.Line, unit: m.Unit, label: title(m) + " over the number of clients"}
	if !math.IsNaN(j.ServerBound) && j.Category == study.Reliable {
		picture.lines = []rule{{at: j.ServerBound, class: "limit server"}, {at: j.ClientBound, class: "limit client"}}
	}
	v.Picture = picture.svg()
	return v
}
