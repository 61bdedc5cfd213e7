// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// finish writes the tables for other programs, with all points so far: points.csv and study.yaml for `nstartool
// study`, runs.csv with the origin of each point, tiers.csv with the tier that limits each setup, calls.csv with
// the calls between tiers.
func (s *store) finish() error {
	if len(s.points) == 0 {
		return nil
	}
	points := slices.Clone(s.points)
	slices.SortStableFunc(points, func(a, b measured) int {
		return cmp.Or(strings.Compare(a.setup, b.setup), strings.Compare(a.grown, b.grown),
			cmp.Compare(a.clients, b.clients), cmp.Compare(a.run, b.run))
	})
	columns := map[column]bool{}
	for _, m := range points {
		for c := range m.values {
			columns[c] = true
		}
	}
	all := sorted(columns)
	study, err := studyFile(s.app, all)
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{
		"points.csv": pointsTable(s.app, points, all), "runs.csv": runsTable(points),
		"tiers.csv":  tiersTable(s.app, points),
		"calls.csv":  callsTable(s.app),
		"study.yaml": study,
	} {
		if err := replace(filepath.Join(s.dir, name), content); err != nil {
			return err
		}
	}
	return nil
}

// table is a CSV.
func table(header []string, rows [][]string) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write(header) // a buffer takes everything
	_ = w.WriteAll(rows)
	return b.Bytes()
}

// number has as many digits as a point is worth.
func number(v float64) string { return strconv.FormatFloat(v, 'g', 5, 64) }

// client is the tier for the metrics of its users.
const client = "client"

func pointsTable(app *application, points []measured, columns []column) []byte {
	header := []string{"setup", "clients", "run", "throughput", client + "/" + app.answer}
	for _, c := range columns {
		header = append(header, c.name())
	}
	var rows [][]string
	for _, m := range points {
		if m.grown != "" {
			continue
		}
		row := []string{m.setup, strconv.Itoa(m.clients), strconv.Itoa(m.run), number(m.throughput), number(m.mean)}
		for _, c := range columns {
			field := ""
			if v, ok := m.values[c]; ok {
				field = number(v)
			}
			row = append(row, field)
		}
		rows = append(rows, row)
	}
	return table(header, rows)
}

func callsTable(app *application) []byte {
	var rows [][]string
	for _, c := range app.calls {
		rows = append(rows, c[:])
	}
	return table([]string{"from", "to"}, rows)
}

func runsTable(points []measured) []byte {
	var rows [][]string
	for _, m := range points {
		rows = append(rows, []string{m.setup, m.grown, strconv.Itoa(m.clients), strconv.Itoa(m.run),
			m.begun.UTC().Format(time.RFC3339),
			number(m.throughput), number(m.mean), strconv.Itoa(m.errors), strconv.FormatFloat(m.others, 'f', 3, 64)})
	}
	return table([]string{"setup", "grown", "clients", "run", "begun", "throughput", "mean_seconds",
		"errors", "others"},
		rows)
}

// leastGain is the gain of throughput by a bigger tier from which the thesis says that it limits (3.3.2.3).
const leastGain = 0.02

// gains are the mean gains of each setup by each bigger tier, over the points that were measured both ways.
func gains(points []measured) map[string]map[string]float64 {
	sums := map[point][]float64{} // of the repetitions
	for _, m := range points {
		key := point{m.setup, m.grown, 0, m.clients}
		sums[key] = append(sums[key], m.throughput)
	}
	collected := map[string]map[string][]float64{}
	for key, bigger := range sums {
		usual := sums[point{key.setup, "", 0, key.clients}]
		if key.grown == "" || len(usual) == 0 || mean(usual) <= 0 {
			continue
		}
		if collected[key.setup] == nil {
			collected[key.setup] = map[string][]float64{}
		}
		collected[key.setup][key.grown] = append(collected[key.setup][key.grown], mean(bigger)/mean(usual)-1)
	}
	out := map[string]map[string]float64{}
	for setup, tiers := range collected {
		out[setup] = map[string]float64{}
		for tier, all := range tiers {
			out[setup][tier] = mean(all)
		}
	}
	return out
}

// limiting is the tier that gains most by being bigger, if that is worth it.
func (a *application) limiting(gains map[string]float64) string {
	best, name := leastGain, ""
	for _, t := range a.tiers {
		if g, ok := gains[t.name]; ok && g >= best {
			best, name = g, t.name
		}
	}
	return name
}

func tiersTable(app *application, points []measured) []byte {
	all := gains(points)
	header := []string{"setup", "limiting"}
	for _, t := range app.tiers {
		header = append(header, "gain_"+t.name)
	}
	var rows [][]string
	for _, s := range app.setups {
		found, ok := all[s.name]
		if !ok {
			continue
		}
		row := []string{s.name, app.limiting(found)}
		for _, t := range app.tiers {
			field := ""
			if g, ok := found[t.name]; ok {
				field = strconv.FormatFloat(g, 'f', 3, 64)
			}
			row = append(row, field)
		}
		rows = append(rows, row)
	}
	return table(header, rows)
}

// studyFile is the experiment as `nstartool study` reads it. Each metric's query is the recorded indicator.
func studyFile(app *application, columns []column) ([]byte, error) {
	type metric struct {
		Name   string `yaml:"name"`
		Tier   string `yaml:"tier,omitempty"`
		Type   string `yaml:"type,omitempty"`
		Unit   string `yaml:"unit,omitempty"`
		Client bool   `yaml:"client,omitempty"`
		Query  string `yaml:"query,omitempty"`
	}
	file := struct {
		App        string              `yaml:"app"`
		Throughput map[string]string   `yaml:"throughput"`
		Metrics    []metric            `yaml:"metrics"`
		Setups     []map[string]string `yaml:"setups"`
	}{App: app.name, Throughput: map[string]string{"unit": app.unit},
		Setups: []map[string]string{{"csv": "points.csv"}}}
	file.Metrics = append(file.Metrics, metric{Name: app.answer, Tier: client, Type: "LY", Unit: "s", Client: true})
	for _, c := range columns {
		unit := ""
		if strings.HasSuffix(c.record, ":ratio") {
			unit = "ratio"
		}
		file.Metrics = append(file.Metrics, metric{c.metric, c.tier, c.kind, unit, c.tier == app.clients,
			fmt.Sprintf("%s{app=%q,tier=%q,metric=%q}", c.record, app.name, c.tier, c.metric)})
	}
	return yaml.Marshal(file)
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
