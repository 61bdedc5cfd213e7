// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"
)

// mostSteps bounds the instants at which a range is looked at: each second of
// 20 minutes, each minute of 20 hours. The recorded series are means over a
// minute, so that steps up to that leave no gap.
const mostSteps = 1200

// stepOf is the distance of the instants at which a range is looked at; the
// rules record once a second or less often.
func stepOf(d time.Duration) time.Duration {
	return max(time.Second, (d / mostSteps).Round(time.Second))
}

// querier asks queries over one range that ends at one time. The first error
// stays; queries after it return nothing.
type querier struct {
	ctx      context.Context
	api      v1.API
	app      string
	span     string
	step     time.Duration
	from, at time.Time
	past     bool // a range that did not end now
	err      error
}

func (q *querier) scalar(expr string) {
	value, _, _, err := q.api.Query(q.ctx, expr, q.at)
	if err != nil {
		q.err = err
		return
	}
	s, ok := value.(*model.Scalar)
	if !ok {
		q.err = fmt.Errorf("query %s: got a %s, want a scalar", expr, value.Type())
		return
	}
	q.at = s.Timestamp.Time()
}

// selector completes a metric name with the application that was asked for;
// without one, with all but the monitoring.
func (q *querier) selector(metric, matchers string) string {
	if matchers != "" {
		matchers += ","
	}
	if q.app != "" {
		return metric + "{" + matchers + "app=" + strconv.Quote(q.app) + "}"
	}
	return metric + "{" + matchers + "app!=" + strconv.Quote(monitoring) + "}"
}

// over is a selector over the whole range.
func (q *querier) over(metric, matchers string) string {
	return q.selector(metric, matchers) + "[" + q.span + "]"
}

// growth is by how much a counter of the tiers has grown over the range.
func (q *querier) growth(metric string) string {
	return "sum by (app, tier) (increase(" + q.over(metric, "") + "))"
}

// growing takes the tiers of which a counter grows by at least this much per second, in the order of their names.
func (q *querier) growing(apps map[string]*Application, metric string, least int,
	take func(a *Application, tier string, rate float64)) {
	found := q.vector(fmt.Sprintf("sum by (app, tier) (rate(%s)) >= %d", q.over(metric, ""), least))
	slices.SortFunc(found, func(x, y *model.Sample) int {
		return cmp.Compare(label(x.Metric, "tier"),
			label(y.Metric, "tier"))
	})
	for _, s := range found {
		if a := apps[label(s.Metric, "app")]; a != nil {
			take(a, label(s.Metric, "tier"), float64(s.Value))
		}
	}
}

// subquery looks at an expression at each step of the range.
func (q *querier) subquery() string {
	return "[" + q.span + ":" + model.Duration(q.step).String() + "]"
}

// median asks for the middle of an expression's values in the range.
func (q *querier) median(expr string) model.Vector {
	return q.vector("quantile_over_time(0.5, (" + expr + ")" + q.subquery() + ")")
}

// lastSeen asks when an expression had a value for the last time in the range, by these labels.
func (q *querier) lastSeen(by, expr string) string {
	return "max by (" + by + ") (max_over_time(timestamp(" + expr + ")" + q.subquery() + "))"
}

// moment is the time that a query returned as a value, in seconds since 1970.
func moment(v model.SampleValue) time.Time { return time.UnixMilli(int64(float64(v) * 1000)).UTC() }

// vector asks at the end of the range. Values that are no numbers are left out.
func (q *querier) vector(expr string) model.Vector {
	if q.err != nil {
		return nil
	}
	value, _, _, err := q.api.Query(q.ctx, expr, q.at)
	if err != nil {
		q.err = err
		return nil
	}
	v, ok := value.(model.Vector)
	if !ok {
		q.err = fmt.Errorf("query %s: got a %s, want a vector", expr, value.Type())
	}
	finite := v[:0]
	for _, s := range v {
		if isFinite(s.Value) {
			finite = append(finite, s)
		}
	}
	return finite
}

// perTier asks for one value of each tier, at the end of the range.
func (q *querier) perTier(expr string) map[[2]string]float64 {
	out := make(map[[2]string]float64)
	for _, s := range q.vector(expr) {
		out[tierOf(s)] = float64(s.Value)
	}
	return out
}

// tierOf is the application and the tier of a sample.
func tierOf(s *model.Sample) [2]string {
	return [2]string{label(s.Metric, "app"), label(s.Metric, "tier")}
}

// steps asks at each step of a range.
func (q *querier) steps(expr string, from, to time.Time, step time.Duration) model.Matrix {
	if q.err != nil {
		return nil
	}
	value, _, _, err := q.api.QueryRange(q.ctx, expr, v1.Range{Start: from, End: to, Step: step})
	return q.matrix(expr, value, err)
}

// samples asks for the samples of a range themselves, with their own time stamps.
func (q *querier) samples(expr string, at time.Time) model.Matrix {
	if q.err != nil {
		return nil
	}
	value, _, _, err := q.api.Query(q.ctx, expr, at)
	return q.matrix(expr, value, err)
}

func (q *querier) matrix(expr string, value model.Value, err error) model.Matrix {
	if err != nil {
		q.err = err
		return nil
	}
	m, ok := value.(model.Matrix)
	if !ok {
		q.err = fmt.Errorf("query %s: got a %s, want a matrix", expr, value.Type())
	}
	return m
}

func isFinite(v model.SampleValue) bool {
	return !math.IsNaN(float64(v)) && !math.IsInf(float64(v), 0)
}

func label(m model.Metric, name model.LabelName) string { return string(m[name]) }
