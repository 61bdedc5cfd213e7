// SPDX-License-Identifier: Apache-2.0

package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"

	"github.com/nstar-project/nstar/exporters/nstartool/study"
)

// reader reads the setups of one file.
type reader struct {
	ctx        context.Context
	file       *file
	experiment *study.Experiment
	indicators bool
	connect    func() (v1.API, error)
	api        v1.API
}

// parts of a run are used as repetitions if it was not repeated (batch means).
const parts = 5

// mostSteps is the most that Prometheus answers to one query.
const mostSteps = 10000

// recorded reads a setup from Prometheus.
func (r *reader) recorded(s *setup) (study.Setup, error) {
	out := study.Setup{Name: s.Name, Servers: s.Servers}
	if r.api == nil {
		var err error
		if r.api, err = r.connect(); err != nil {
			return out, err
		}
	}
	spans := s.Points
	if len(spans) == 0 {
		var err error
		if spans, err = r.find(s.From, s.To); err != nil {
			return out, err
		}
	}
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Compare(a.Clients, b.Clients) })
	throughput, err := r.single(r.file.Throughput.Query, spans)
	if err != nil {
		return out, fmt.Errorf("throughput: %w", err)
	}
	for i := 0; i < len(spans); {
		n := i + 1
		for n < len(spans) && spans[n].Clients == spans[i].Clients {
			n++
		}
		p := study.Point{Clients: spans[i].Clients, Throughput: runs(throughput, spans[i:n]),
			Values: map[string][]float64{}}
		if len(p.Throughput) == 0 {
			return out, fmt.Errorf("no throughput was recorded under %g clients; is %s right?", p.Clients,
				r.file.Throughput.Query)
		}
		out.Points = append(out.Points, p)
		i = n
	}
	values := func(m *study.Metric, samples []model.SamplePair) {
		for i := range out.Points {
			p := &out.Points[i]
			own := slices.DeleteFunc(slices.Clone(spans), func(s span) bool { return s.Clients != p.Clients })
			if v := runs(samples, own); len(v) > 0 {
				p.Values[m.Key()] = v
			}
		}
	}
	if r.indicators {
		found, err := r.all(spans)
		if err != nil {
			return out, err
		}
		for i := range found {
			r.add([]study.Metric{found[i].metric})
			values(&found[i].metric, found[i].samples)
		}
	}
	for i := range r.experiment.Metrics {
		m := &r.experiment.Metrics[i]
		if m.Query == "" || len(out.Points[0].Values[m.Key()]) > 0 {
			continue
		}
		samples, err := r.single(m.Query, spans)
		if err != nil {
			return out, fmt.Errorf("%s: %w", m.Key(), err)
		}
		values(m, samples)
	}
	return out, nil
}

// find takes the stretches during which the load's own series stands still.
func (r *reader) find(from, to time.Time) ([]span, error) {
	if r.file.Clients.Query == "" {
		return nil, errors.New("clients: a query is needed to find the points between from and to")
	}
	samples, err := r.single(r.file.Clients.Query, []span{{From: from, To: to}})
	if err != nil {
		return nil, fmt.Errorf("clients: %w", err)
	}
	spans := plateaus(samples, time.Duration(r.file.Clients.Settle))
	if len(spans) == 0 {
		return nil, fmt.Errorf("clients: %s never stays the same for twice %v", r.file.Clients.Query,
			r.file.Clients.Settle)
	}
	return spans, nil
}

// plateaus are the stretches with one number of clients, without the time to settle at their beginning.
// Stretches shorter than twice that time are left out.
func plateaus(samples []model.SamplePair, settle time.Duration) []span {
	var all []span
	for i := 0; i < len(samples); {
		n := i
		for n+1 < len(samples) && samples[n+1].Value == samples[i].Value {
			n++
		}
		from, to := samples[i].Timestamp.Time(), samples[n].Timestamp.Time()
		if clients := float64(samples[i].Value); clients > 0 && to.Sub(from) >= 2*settle {
			all = append(all, span{Clients: clients, From: from.Add(settle), To: to})
		}
		i = n + 1
	}
	return all
}

// runs are the means of the spans; if there is a single span, the means of its parts.
func runs(samples []model.SamplePair, spans []span) []float64 {
	var all []float64
	if len(spans) == 1 {
		whole := spans[0]
		length := whole.To.Sub(whole.From) / parts
		spans = nil
		for i := range parts {
			from := whole.From.Add(time.Duration(i) * length)
			spans = append(spans, span{From: from, To: from.Add(length)})
		}
	}
	for _, s := range spans {
		sum, n := 0.0, 0
		for _, one := range samples {
			at := one.Timestamp.Time()
			if v := float64(one.Value); at.After(s.From) && !at.After(s.To) && !math.IsNaN(v) && !math.IsInf(v, 0) {
				sum += v
				n++
			}
		}
		if n > 0 {
			all = append(all, sum/float64(n))
		}
	}
	return all
}

// single asks for one series over all spans; none is no error.
func (r *reader) single(query string, spans []span) ([]model.SamplePair, error) {
	m, err := r.matrix(query, spans)
	if err != nil || len(m) == 0 {
		return nil, err
	}
	if len(m) > 1 {
		return nil, fmt.Errorf("%s gives %d series; sum or average them", query, len(m))
	}
	return m[0].Values, nil
}

// matrix asks span after span, because there may be hours between them.
func (r *reader) matrix(query string, spans []span) (model.Matrix, error) {
	byLabels := map[model.Fingerprint]*model.SampleStream{}
	for _, s := range spans {
		step := max(time.Duration(r.file.Step), s.To.Sub(s.From)/mostSteps)
		value, _, _, err := r.api.QueryRange(r.ctx, query, v1.Range{Start: s.From, End: s.To, Step: step})
		if err != nil {
			return nil, fmt.Errorf("query %s: %w", query, err)
		}
		m, ok := value.(model.Matrix)
		if !ok {
			return nil, fmt.Errorf("query %s: got a %s, want a matrix", query, value.Type())
		}
		for _, series := range m {
			at := series.Metric.Fingerprint()
			if byLabels[at] == nil {
				byLabels[at] = &model.SampleStream{Metric: series.Metric}
			}
			byLabels[at].Values = append(byLabels[at].Values, series.Values...)
		}
	}
	var all model.Matrix
	for _, series := range byLabels {
		all = append(all, series)
	}
	slices.SortFunc(all, func(a, b *model.SampleStream) int {
		return cmp.Compare(a.Metric.String(),
			b.Metric.String())
	})
	return all, nil
}

// indicator is a recorded series.
type indicator struct {
	metric  study.Metric
	samples []model.SamplePair
}

// indicatorSeries are the indicators of the general rules, and not those that an
// earlier study has made.
const indicatorSeries = `{__name__=~"nstar:indicator:(ratio|value)",source="",app=%s}`

// all asks for every indicator of the application.
func (r *reader) all(spans []span) ([]indicator, error) {
	app := strconv.Quote(r.file.App)
	m, err := r.matrix(fmt.Sprintf(indicatorSeries, app), spans)
	if err != nil {
		return nil, err
	}
	var found []indicator
	for _, series := range m {
		l := series.Metric
		metric := study.Metric{Name: string(l["metric"]), Tier: string(l["tier"]), Type: string(l["type"])}
		name := string(l[model.MetricNameLabel])
		if name == "nstar:indicator:ratio" {
			metric.Unit = "ratio"
		}
		metric.Query = fmt.Sprintf(`%s{source="",app=%s,tier=%q,type=%q,metric=%q}`, name,
			app, metric.Tier, metric.Type, metric.Name)
		found = append(found, indicator{metric, series.Values})
	}
	return found, nil
}
