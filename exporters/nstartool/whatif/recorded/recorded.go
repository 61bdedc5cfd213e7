// SPDX-License-Identifier: Apache-2.0

// Package recorded reads the windows of an application from Prometheus, as
// package whatif replays them.
package recorded

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/api"
	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"

	"github.com/nstar-project/nstar/exporters/nstartool/whatif"
)

const (
	// frozen is the value of nstar_window_state for a stopped tier.
	frozen = 3
	// settled is how long after its end a window has its state: stops are
	// confirmed 2 s later, and a scrape and its transport take a second or two.
	settled = 5 * time.Second
	// lost is the share of windows that may be missing: throughput and queues
	// are wrong by no more than that.
	lost = 0.02
	// defaultApp is the application of all that no file names.
	defaultApp = "default"
)

// Read fetches the windows of the d until end, or of the last d of the server's time if end is zero. app may be empty
// if there is only one. Errors are one line.
func Read(ctx context.Context, client api.Client, app string, end time.Time, d time.Duration) (whatif.Trace, error) {
	q := &querier{ctx: ctx, api: v1.NewAPI(client), span: model.Duration(d).String()}
	q.until(end)
	if app == "" {
		app = q.onlyApp()
	}
	if q.err != nil {
		return whatif.Trace{}, q.err
	}
	q.app = app
	// If own queues exist, all other series of an exporter of that age exist, too.
	own := q.windows("nstar_window_own_queue_length")
	if q.err == nil && len(own.series) == 0 {
		return whatif.Trace{}, q.absent(fmt.Sprintf(" of app %q", app))
	}
	g := gridOf(own)
	t := whatif.Trace{App: app, Width: g.width}
	tiers, err := q.tiers(g, own)
	if err != nil {
		return t, err
	}
	// Calls of processes that answer no requests are no part of any request.
	t.Tiers, t.Edges = tiers, slices.DeleteFunc(q.edges(g), func(e whatif.Edge) bool {
		return !slices.ContainsFunc(tiers, func(u whatif.Tier) bool { return u.Name == e.From })
	})
	t.Machines = q.machines(t.Tiers)
	return t, q.err
}

// querier asks for one range of one application. The first error stays;
// queries after it return nothing.
type querier struct {
	ctx  context.Context
	api  v1.API
	app  string
	span string
	at   time.Time
	err  error
}

func (q *querier) query(expr string) model.Value {
	if q.err != nil {
		return nil
	}
	value, _, _, err := q.api.Query(q.ctx, expr, q.at)
	if err != nil {
		q.err = fmt.Errorf("Prometheus does not answer %s: %w", expr, err)
		return nil
	}
	return value
}

// until sets the end of the range: where the windows are complete by the server's clock, or before.
func (q *querier) until(end time.Time) {
	if s, ok := q.query("time()").(*model.Scalar); ok {
		q.at = s.Timestamp.Time().Add(-settled)
		if !end.IsZero() && end.Before(q.at) {
			q.at = end
		}
	}
}

// onlyApp finds the one application that was named in an exporter's file.
func (q *querier) onlyApp() string {
	v, _ := q.query("group by (app) (last_over_time(nstar_window_own_queue_length[" + q.span + "]))").(model.Vector)
	var apps []string
	for _, s := range v {
		apps = append(apps, string(s.Metric["app"]))
	}
	slices.Sort(apps)
	if len(apps) > 1 {
		apps = slices.DeleteFunc(apps, func(a string) bool { return a == defaultApp })
	}
	switch {
	case q.err != nil:
	case len(apps) == 0:
		q.err = q.absent("")
	case len(apps) > 1:
		q.err = fmt.Errorf("there are several applications; choose one with --app: %s", strings.Join(apps, ", "))
	default:
		return apps[0]
	}
	return ""
}

// absent says what is missing if there are no windows.
func (q *querier) absent(of string) error {
	return fmt.Errorf("there are no windows%s with own queues in the %s until %s: "+
		"does the exporter give nstar_window_own_queue_length?", of, q.span, q.at.UTC().Format(time.RFC3339))
}

// windows are the samples of one metric of the application.
type windows struct{ series model.Matrix }

func (q *querier) windows(metric string) windows {
	m, _ := q.query(fmt.Sprintf("%s{app=%q}[%s]", metric, q.app, q.span)).(model.Matrix)
	return windows{m}
}

// last is the newest value of a gauge, by the labels given.
func (q *querier) last(metric string, labels ...model.LabelName) map[string]float64 {
	v, _ := q.query(fmt.Sprintf("last_over_time(%s{app=%q}[%s])", metric, q.app, q.span)).(model.Vector)
	values := map[string]float64{}
	for _, s := range v {
		values[labelled(s.Metric, labels...)] = float64(s.Value)
	}
	return values
}

func labelled(m model.Metric, labels ...model.LabelName) string {
	var parts []string
	for _, l := range labels {
		parts = append(parts, string(m[l]))
	}
	return strings.Join(parts, "\xff")
}

// grid is the windows of the range: samples are stamped with their ends.
type grid struct {
	first model.Time
	count int
	width float64
}

// gridOf takes the width from the least distance of two samples.
func gridOf(w windows) grid {
	first, last, step := model.Latest, model.Earliest, int64(0)
	for _, s := range w.series {
		for i, v := range s.Values {
			first, last = min(first, v.Timestamp), max(last, v.Timestamp)
			if i > 0 {
				if d := int64(v.Timestamp - s.Values[i-1].Timestamp); d > 0 && (step == 0 || d < step) {
					step = d
				}
			}
		}
	}
	if step == 0 {
		return grid{}
	}
	return grid{first, int(int64(last-first)/step) + 1, float64(step) / 1e3}
}

// column puts samples into windows, times a factor, and says how many there were.
func (g grid) column(series *model.SampleStream, factor float64) (values []float64, found int) {
	values = make([]float64, g.count)
	if series == nil {
		return values, 0
	}
	for _, v := range series.Values {
		k := int(float64(v.Timestamp-g.first)/(g.width*1e3) + 0.5)
		if v.Timestamp >= g.first && k < g.count {
			values[k] = float64(v.Value) * factor
			found++
		}
	}
	return values, found
}

// of finds the series with the given labels.
func (w windows) of(want string, labels ...model.LabelName) *model.SampleStream {
	for _, s := range w.series {
		if labelled(s.Metric, labels...) == want {
			return s
		}
	}
	return nil
}
