// SPDX-License-Identifier: Apache-2.0

package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"
	"go.yaml.in/yaml/v3"

	"github.com/nstar-project/nstar/exporters/nstartool/study"
)

// file is an experiment as its YAML says it; docs/study.md describes it.
type file struct {
	App        string `yaml:"app"`
	Throughput struct {
		Query string `yaml:"query"`
		Unit  string `yaml:"unit"`
	} `yaml:"throughput"`
	Clients struct {
		Query  string         `yaml:"query"`
		Settle model.Duration `yaml:"settle"`
	} `yaml:"clients"`
	Step model.Duration `yaml:"step"`
	// Indicators adds all series of nstar:indicator:ratio and :value; if no metrics are named, only these
	// are used.
	Indicators *bool `yaml:"indicators"`
	Metrics    []struct {
		Name   string `yaml:"name"`
		Tier   string `yaml:"tier"`
		Type   string `yaml:"type"`
		Client bool   `yaml:"client"`
		Query  string `yaml:"query"`
		Unit   string `yaml:"unit"`
	} `yaml:"metrics"`
	Setups []setup `yaml:"setups"`
}

// setup says where the points of one load experiment are.
type setup struct {
	Name    string `yaml:"name"`
	Servers int    `yaml:"servers"`
	CSV     string `yaml:"csv"`
	Points  []span `yaml:"points"`
	// From and To hold points that the clients' series shows.
	From  time.Time `yaml:"from"`
	To    time.Time `yaml:"to"`
	Added *setup    `yaml:"added"`
}

// span is one run under one number of clients.
type span struct {
	Clients float64   `yaml:"clients"`
	From    time.Time `yaml:"from"`
	To      time.Time `yaml:"to"`
}

const (
	defaultStep   = 5 * time.Second
	defaultSettle = 10 * time.Second
)

var metricTypes = []string{"", "RC", "ITD", "ER", "QWT", "QS", "LY", "PT", "IOD", "UC"}

// Read reads an experiment: a CSV, or a YAML file that names CSVs or times in
// Prometheus. connect is asked for the API only if Prometheus is needed.
func Read(ctx context.Context, path, app string, connect func() (v1.API, error)) (*study.Experiment, error) {
	if strings.EqualFold(filepath.Ext(path), ".csv") {
		e := &study.Experiment{App: app, ThroughputUnit: "requests/s"}
		if e.App == "" {
			e.App = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		}
		var err error
		e.Setups, e.Metrics, err = openCSV(path)
		return e, err
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f, err := parse(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if app != "" {
		f.App = app
	}
	e, err := f.read(ctx, filepath.Dir(path), connect)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return e, nil
}

func openCSV(path string) ([]study.Setup, []study.Metric, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	setups, metrics, err := ReadCSV(f)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(setups) == 1 && setups[0].Name == "" {
		setups[0].Name = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	}
	return setups, metrics, nil
}

func parse(content []byte) (*file, error) {
	f := &file{}
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	decoder.KnownFields(true)
	if err := decoder.Decode(f); err != nil {
		return nil, err
	}
	if f.App == "" {
		return nil, errors.New("app: the application has no name")
	}
	if len(f.Setups) == 0 {
		return nil, errors.New("setups: the file has no setups")
	}
	for _, m := range f.Metrics {
		if m.Name == "" {
			return nil, errors.New("metrics: one metric has no name")
		}
		if !slices.Contains(metricTypes, m.Type) {
			return nil, fmt.Errorf("metrics: %s: type %q is not one of %s", m.Name, m.Type,
				strings.Join(metricTypes[1:], ", "))
		}
	}
	for i := range f.Setups {
		if err := f.Setups[i].check(); err != nil {
			return nil, fmt.Errorf("setups: %s: %w", f.Setups[i].Name, err)
		}
	}
	if f.Throughput.Unit == "" {
		f.Throughput.Unit = "requests/s"
	}
	if f.Throughput.Query == "" {
		f.Throughput.Query = "nstar:app_throughput:requests_per_second{app=" + strconv.Quote(f.App) + "}"
	}
	if f.Step == 0 {
		f.Step = model.Duration(defaultStep)
	}
	if f.Clients.Settle == 0 {
		f.Clients.Settle = model.Duration(defaultSettle)
	}
	return f, nil
}

// check reports whether a setup says in exactly one way where its points are.
func (s *setup) check() error {
	ways := 0
	for _, has := range []bool{s.CSV != "", len(s.Points) > 0, !s.From.IsZero() || !s.To.IsZero()} {
		if has {
			ways++
		}
	}
	if ways != 1 {
		return errors.New("it needs one of csv, points, or from and to")
	}
	for _, p := range s.Points {
		if !(p.Clients > 0) || !p.From.Before(p.To) {
			return fmt.Errorf("the point with %g clients needs clients above 0 and from before to", p.Clients)
		}
	}
	if s.CSV == "" && len(s.Points) == 0 && !s.From.Before(s.To) {
		return errors.New("from must be before to")
	}
	if s.Added != nil {
		if s.Added.Added != nil {
			return errors.New("added: it can't have another added server")
		}
		if err := s.Added.check(); err != nil {
			return fmt.Errorf("added: %w", err)
		}
	}
	return nil
}

// read collects all setups.
func (f *file) read(ctx context.Context, dir string, connect func() (v1.API, error)) (*study.Experiment, error) {
	e := &study.Experiment{App: f.App, ThroughputUnit: f.Throughput.Unit, ThroughputQuery: f.Throughput.Query}
	for _, m := range f.Metrics {
		e.Metrics = append(e.Metrics, study.Metric{Name: m.Name, Tier: m.Tier, Type: m.Type,
			Client: m.Client, Query: m.Query,
			Unit: m.Unit})
	}
	named := len(e.Metrics) > 0
	reader := &reader{ctx: ctx, file: f, experiment: e, connect: connect}
	reader.indicators = f.Indicators == nil && !named || f.Indicators != nil && *f.Indicators
	for i := range f.Setups {
		all, err := reader.setups(&f.Setups[i], dir, named)
		if err != nil {
			return nil, fmt.Errorf("setup %s: %w", f.Setups[i].Name, err)
		}
		if a := f.Setups[i].Added; a != nil {
			added, err := reader.setups(a, dir, true)
			if err != nil {
				return nil, fmt.Errorf("setup %s, added: %w", f.Setups[i].Name, err)
			}
			all[0].Added = &added[0]
		}
		e.Setups = append(e.Setups, all...)
	}
	return e, nil
}

// setups reads one entry of the file; a CSV may hold several setups.
func (r *reader) setups(s *setup, dir string, named bool) ([]study.Setup, error) {
	if s.CSV == "" {
		one, err := r.recorded(s)
		return []study.Setup{one}, err
	}
	path := s.CSV
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	all, columns, err := openCSV(path)
	if err != nil {
		return nil, err
	}
	for i := range all {
		all[i].Servers = s.Servers
		if s.Name != "" && len(all) == 1 {
			all[i].Name = s.Name
		}
	}
	if !named {
		r.add(columns)
		return all, nil
	}
	// The file's metrics have tiers; columns may be called by the name alone.
	for _, m := range r.experiment.Metrics {
		for i := range all {
			for _, p := range all[i].Points {
				if v, ok := p.Values[m.Name]; ok && m.Key() != m.Name {
					p.Values[m.Key()] = v
				}
			}
		}
	}
	return all, nil
}

// add adds metrics that are not there yet.
func (r *reader) add(metrics []study.Metric) {
	for _, m := range metrics {
		if !slices.ContainsFunc(r.experiment.Metrics, func(o study.Metric) bool { return o.Key() == m.Key() }) {
			r.experiment.Metrics = append(r.experiment.Metrics, m)
		}
	}
}
