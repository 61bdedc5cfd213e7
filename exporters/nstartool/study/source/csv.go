// SPDX-License-Identifier: Apache-2.0

// Package source reads load experiments: from CSV, or from Prometheus by the
// times and numbers of clients that a file names, or that the load's own
// series shows.
package source

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/nstar-project/nstar/exporters/nstartool/study"
)

// Columns of a CSV with a meaning of their own; each of the others is a metric.
const (
	columnSetup      = "setup"
	columnClients    = "clients"
	columnThroughput = "throughput"
	columnRun        = "run" // repetitions may be numbered; the numbers are not used
)

// ReadCSV reads one line per number of clients and repetition: the columns clients and throughput, setup if
// there are several, and one per metric. A metric's column is called by its name, or tier/name; an empty
// field was not measured. Setups come in the order of their first lines.
func ReadCSV(r io.Reader) ([]study.Setup, []study.Metric, error) {
	lines := csv.NewReader(r)
	lines.Comment = '#'
	lines.TrimLeadingSpace = true
	header, err := lines.Read()
	if errors.Is(err, io.EOF) {
		return nil, nil, errors.New("the file is empty; its first line must name the columns")
	}
	if err != nil {
		return nil, nil, err
	}
	columns, metrics, err := readHeader(header)
	if err != nil {
		return nil, nil, err
	}
	var setups []study.Setup
	for {
		fields, err := lines.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		line, _ := lines.FieldPos(0)
		name := ""
		if i, ok := columns[columnSetup]; ok {
			name = fields[i]
		}
		if err := addLine(setupOf(&setups, name), columns, metrics, header, fields); err != nil {
			return nil, nil, fmt.Errorf("line %d: %w", line, err)
		}
	}
	if len(setups) == 0 {
		return nil, nil, errors.New("no line after the header")
	}
	return setups, metrics, nil
}

// readHeader maps the columns with a meaning of their own to their places; the
// metrics are in the order of the other columns.
func readHeader(header []string) (map[string]int, []study.Metric, error) {
	columns := map[string]int{}
	var metrics []study.Metric
	seen := map[string]bool{}
	for i, name := range header {
		name = strings.TrimSpace(name)
		header[i] = name
		if name == "" || seen[name] {
			return nil, nil, fmt.Errorf("column %d: the name %q is empty or used twice", i+1, name)
		}
		seen[name] = true
		switch name {
		case columnSetup, columnClients, columnThroughput, columnRun:
			columns[name] = i
		default:
			m := study.Metric{Name: name}
			if tier, metric, ok := strings.Cut(name, "/"); ok && tier != "" && metric != "" {
				m.Tier, m.Name = tier, metric
			}
			metrics = append(metrics, m)
		}
	}
	for _, name := range []string{columnClients, columnThroughput} {
		if _, ok := columns[name]; !ok {
			return nil, nil, fmt.Errorf("there is no column %q", name)
		}
	}
	return columns, metrics, nil
}

func setupOf(setups *[]study.Setup, name string) *study.Setup {
	i := slices.IndexFunc(*setups, func(s study.Setup) bool { return s.Name == name })
	if i < 0 {
		*setups = append(*setups, study.Setup{Name: name})
		i = len(*setups) - 1
	}
	return &(*setups)[i]
}

func addLine(s *study.Setup, columns map[string]int, metrics []study.Metric, header, fields []string) error {
	number := func(i int) (float64, error) {
		v, err := strconv.ParseFloat(strings.TrimSpace(fields[i]), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, fmt.Errorf("column %s: %q is not a number", header[i], fields[i])
		}
		return v, nil
	}
	clients, err := number(columns[columnClients])
	if err != nil {
		return err
	}
	throughput, err := number(columns[columnThroughput])
	if err != nil {
		return err
	}
	p := pointOf(s, clients)
	p.Throughput = append(p.Throughput, throughput)
	next := 0
	for i, name := range header {
		if _, special := columns[name]; special {
			continue
		}
		m := &metrics[next]
		next++
		if strings.TrimSpace(fields[i]) == "" {
			continue
		}
		v, err := number(i)
		if err != nil {
			return err
		}
		p.Values[m.Key()] = append(p.Values[m.Key()], v)
	}
	return nil
}

func pointOf(s *study.Setup, clients float64) *study.Point {
	for i := range s.Points {
		if s.Points[i].Clients == clients {
			return &s.Points[i]
		}
	}
	s.Points = append(s.Points, study.Point{Clients: clients, Values: map[string][]float64{}})
	return &s.Points[len(s.Points)-1]
}
