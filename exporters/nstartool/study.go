// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kingpin/v2"
	v1 "github.com/prometheus/client_golang/api/prometheus/v1"

	"github.com/nstar-project/nstar/exporters/nstartool/study"
	"github.com/nstar-project/nstar/exporters/nstartool/study/report"
	"github.com/nstar-project/nstar/exporters/nstartool/study/source"
)

const studyHelp = `Find the metrics that tell whether a server has reached its capacity, from a load experiment.

The experiment is a CSV, or a YAML file that names CSVs or times in Prometheus (see docs/study.md).
report.html, report.md, rules.yaml and rules_test.yaml are written.

Exit codes: 0 the study was made; 1 it could not be made (one line on standard error says why).`

// studying is the command line of `nstartool study`.
type studying struct {
	server     server
	experiment string
	app        string
	directory  string
	margin     float64
	setup      string
	timeout    time.Duration
}

func (s *studying) addFlags(cmd *kingpin.CmdClause) {
	cmd.Arg("experiment", "The experiment: .csv or .yaml.").Required().StringVar(&s.experiment)
	s.server.addFlags(cmd)
	cmd.Flag("app", "The application, if it is not the one that the file names.").StringVar(&s.app)
	cmd.Flag("output.directory", "The directory for the reports and rules.").Default("study").StringVar(&s.directory)
	cmd.Flag("margin", "M, the width of the gray zone as a share of Th0.95, for example 0.07; if it is not given, "+
		"the data decide.").
		Default("-1").Float64Var(&s.margin)
	cmd.Flag("rules.setup", "The setup that the rules are for; by default the first that can be judged.").StringVar(
		&s.setup)
	cmd.Flag("timeout", "Longest wait for Prometheus.").Default("1m").DurationVar(&s.timeout)
}

// run makes the study, writes the files and prints a short result.
func (s *studying) run(stdout io.Writer) error {
	if s.margin >= 1 {
		return fmt.Errorf("--margin %g: M is a share of Th0.95, below 1", s.margin)
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.timeout)
	defer cancel()
	e, err := source.Read(ctx, s.experiment, s.app, func() (v1.API, error) {
		client, err := s.server.client()
		if err != nil {
			return nil, err
		}
		return v1.NewAPI(client), nil
	})
	if err != nil {
		return err
	}
	r, err := study.Run(e, s.margin)
	if err != nil {
		return err
	}
	setup, err := s.chosen(r)
	if err != nil {
		return err
	}
	return s.write(stdout, r, setup)
}

// chosen is the setup that the rules are for, -1 if none can be judged.
func (s *studying) chosen(r *study.Report) (int, error) {
	if s.setup == "" {
		return slices.IndexFunc(r.Curves, func(c study.Curve) bool { return c.Reason == "" }), nil
	}
	for i := range r.Setups {
		if r.Setups[i].Name == s.setup {
			if reason := r.Curves[i].Reason; reason != "" {
				return 0, fmt.Errorf("--rules.setup %s: %s", s.setup, reason)
			}
			return i, nil
		}
	}
	return 0, fmt.Errorf("--rules.setup %q: there is no such setup", s.setup)
}

func (s *studying) write(stdout io.Writer, r *study.Report, setup int) error {
	if err := os.MkdirAll(s.directory, 0o755); err != nil {
		return err
	}
	var written []string
	put := func(name string, write func(io.Writer) error) error {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			return err
		}
		written = append(written, name)
		return os.WriteFile(filepath.Join(s.directory, name), b.Bytes(), 0o644)
	}
	errs := []error{
		put("report.html", func(w io.Writer) error { return report.HTML(w, r) }),
		put("report.md", func(w io.Writer) error { return report.Markdown(w, r) }),
		put("points.csv", func(w io.Writer) error { return report.Points(w, r) }),
		put("classes.csv", func(w io.Writer) error { return report.Classes(w, r) }),
		put("metrics.csv", func(w io.Writer) error { return report.Metrics(w, r) }),
	}
	if setup >= 0 {
		errs = append(errs,
			put("rules.yaml", func(w io.Writer) error { return report.Rules(w, r, setup) }),
			put("rules_test.yaml", func(w io.Writer) error { return report.RulesTest(w, r, setup, "rules.yaml") }))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if err := report.Text(stdout, r); err != nil {
		return err
	}
	_, err := fmt.Fprintf(stdout, "\nWritten to %s: %s\n", s.directory, strings.Join(written, ", "))
	return err
}
