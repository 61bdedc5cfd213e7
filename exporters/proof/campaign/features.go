// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"
	"go.yaml.in/yaml/v3"
)

// feature is an indicator as the rules define it, asked for over the time that a point is measured.
type feature struct {
	record, kind, metric, query string // kind is the thesis's type
}

// readFeatures takes the expressions from the rules, so that a model learns from what Prometheus will record. Their
// rates are over a minute, and a point is shorter: the range becomes the point's.
func readFeatures(directory string, files []string, length time.Duration) ([]feature, error) {
	var out []feature
	for _, name := range files {
		content, err := os.ReadFile(filepath.Join(directory, name))
		if err != nil {
			return nil, err
		}
		var file struct {
			Groups []struct {
				Rules []struct {
					Record string
					Expr   string
					Labels map[string]string
				}
			}
		}
		if err := yaml.Unmarshal(content, &file); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, g := range file.Groups {
			for _, r := range g.Rules {
				if strings.HasPrefix(r.Record, "nstar:indicator:") {
					out = append(out, feature{r.Record, r.Labels["type"], r.Labels["metric"],
						overPoint(r.Expr, length)})
				}
			}
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no indicators in %s", directory)
	}
	return out, nil
}

// overPoint is the expression over the time of a point that ends now: its rates over that, and gauges, which have no
// range, as their mean.
func overPoint(expr string, length time.Duration) string {
	span := model.Duration(length).String()
	minute := strings.NewReplacer("[1m]", "["+span+"]", "offset 1m", "offset "+span)
	if replaced := minute.Replace(expr); replaced != expr {
		return replaced
	}
	return "avg_over_time((" + expr + ")[" + span + ":1s])"
}

// column is a metric of a tier in the table of points.
type column struct{ record, kind, metric, tier string }

func (c column) name() string {
	if c.tier == "" {
		return c.metric
	}
	return c.tier + "/" + c.metric
}

// ask evaluates all features of an application at a time.
func ask(ctx context.Context, server v1.API, app string, features []feature, at time.Time) (map[column]float64, error) {
	out := map[column]float64{}
	for _, f := range features {
		answer, _, _, err := server.Query(ctx, f.query, at)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.metric, err)
		}
		vector, ok := answer.(model.Vector)
		if !ok {
			return nil, fmt.Errorf("%s: a %s, want a vector", f.metric, answer.Type())
		}
		for _, s := range vector {
			if v := float64(s.Value); string(s.Metric["app"]) == app && !math.IsNaN(v) && !math.IsInf(v, 0) {
				out[column{f.record, f.kind, f.metric, string(s.Metric["tier"])}] = v
			}
		}
	}
	return out, nil
}

// sorted are columns in a stable order.
func sorted[T any](columns map[column]T) []column {
	return slices.SortedFunc(maps.Keys(columns), func(a, b column) int { return strings.Compare(a.name(), b.name()) })
}
