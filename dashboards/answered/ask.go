// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"
	"time"

	"github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"

	"github.com/nstar-project/nstar/dashboards"
)

// asker asks and keeps count.
type asker struct {
	prometheus v1.API
	view       dashboards.View
	out        io.Writer
	failed     int
}

var errEmpty = errors.New("the answer is empty")

// dashboard asks what the variables, the annotations and the panels ask.
func (a *asker) dashboard(ctx context.Context, d *dashboards.Dashboard) {
	for _, v := range d.Templating.List {
		if v.Type == "query" {
			a.report(d.Title+"/variable/"+v.Name, func() (string, error) { return a.choices(ctx, v) })
		}
	}
	for _, n := range d.Annotations.List {
		a.report(d.Title+"/annotation/"+n.Target.RefID, func() (string,
			error) {
			return a.target(ctx, dashboards.Panel{}, n.Target)
		})
	}
	for _, p := range d.Leaves() {
		for _, target := range p.Targets {
			a.report(d.Title+"/"+p.Title+"/"+target.RefID, func() (string, error) { return a.target(ctx, p, target) })
		}
	}
}

// report prints one line per question, in the form of Go's tests.
func (a *asker) report(name string, ask func() (string, error)) {
	start := time.Now()
	answer, err := ask()
	took := time.Since(start).Seconds()
	reason, allowed := mayBeEmpty[name]
	switch {
	case err == nil:
		fmt.Fprintf(a.out, "--- PASS: %s (%.2fs) %s\n", name, took, answer)
	case errors.Is(err, errEmpty) && allowed:
		fmt.Fprintf(a.out, "--- SKIP: %s (%.2fs) empty: %s\n", name, took, reason)
	default:
		a.failed++
		fmt.Fprintf(a.out, "--- FAIL: %s (%.2fs) %v\n", name, took, err)
	}
}

var (
	labelValues = regexp.MustCompile(`^label_values\((.+), (\w+)\)$`)
	queryResult = regexp.MustCompile(`^query_result\((.+)\)$`)
)

func (a *asker) choices(ctx context.Context, v dashboards.Variable) (string, error) {
	definition, err := a.view.Fill(v.Definition, a.view.Scrape, dashboards.Target{})
	if err != nil {
		return "", err
	}
	if match := labelValues.FindStringSubmatch(definition); match != nil {
		values, _, _, err := a.prometheus.LabelValues(ctx, match[2], []string{match[1]}, a.view.From, a.view.To)
		return told(values, err)
	}
	if match := queryResult.FindStringSubmatch(definition); match != nil {
		answer, _, _, err := a.prometheus.Query(ctx, match[1], a.view.To)
		if err != nil {
			return "", fmt.Errorf("%v: %s", err, match[1])
		}
		return told(takeOut(answer, v.Regex))
	}
	return "", fmt.Errorf("%q is neither label_values(SELECTOR, LABEL) nor query_result(EXPRESSION)", v.Definition)
}

func told[T any](values []T, err error) (string, error) {
	if err == nil && len(values) == 0 {
		err = errEmpty
	}
	return fmt.Sprint(values), err
}

// takeOut returns what an expression between slashes captures in each line of an answer.
func takeOut(answer model.Value, between string) ([]string, error) {
	expression, err := regexp.Compile(strings.Trim(between, "/"))
	if err != nil {
		return nil, err
	}
	var values []string
	for line := range strings.Lines(answer.String()) {
		if match := expression.FindStringSubmatch(line); len(match) == 2 {
			values = append(values, match[1])
		}
	}
	return values, nil
}

func (a *asker) target(ctx context.Context, p dashboards.Panel, t dashboards.Target) (string, error) {
	step, err := a.view.Step(p, t)
	if err != nil {
		return "", err
	}
	expr, err := a.view.Fill(t.Expr, step, t)
	if err != nil {
		return "", err
	}
	var answer model.Value
	if t.Instant {
		answer, _, _, err = a.prometheus.Query(ctx, expr, a.view.To)
	} else {
		// Grafana aligns ranges to the step; windows end on multiples of their width.
		answer, _, _, err = a.prometheus.QueryRange(ctx, expr, v1.Range{Start: a.view.From.Truncate(step),
			End: a.view.To.Truncate(step), Step: step})
	}
	if err != nil {
		return "", fmt.Errorf("%v: %s", err, expr)
	}
	series, values := count(answer)
	if values == 0 {
		return "", fmt.Errorf("%w: %s", errEmpty, expr)
	}
	if t.Instant {
		return fmt.Sprintf("%d series", series), nil
	}
	return fmt.Sprintf("%d series, %d points at %v", series, values, step), nil
}

// count counts series and numbers; what is not a number draws nothing.
func count(answer model.Value) (series, values int) {
	number := func(v model.SampleValue) {
		if !math.IsNaN(float64(v)) {
			values++
		}
	}
	switch answer := answer.(type) {
	case model.Vector:
		for _, sample := range answer {
			number(sample.Value)
		}
		return len(answer), values
	case model.Matrix:
		for _, stream := range answer {
			for _, pair := range stream.Values {
				number(pair.Value)
			}
		}
		return len(answer), values
	}
	return 0, 0
}
