// SPDX-License-Identifier: Apache-2.0

package samples

import (
	"maps"
	"math"
	"slices"
	"strings"

	dto "github.com/prometheus/client_model/go"
	"google.golang.org/protobuf/proto"
)

// A batch's values as metric families, in the order of their names.
var (
	outstanding = family{"nstar_window_edge_outstanding",
		"Time average of the calls from one tier to another that wait for an answer."}
	edgeCalls = family{"nstar_window_edge_calls",
		"Calls per second that one tier began to another."}
	edgePeak = family{"nstar_window_edge_outstanding_max",
		"Most calls from one tier to another that waited for an answer at once."}
	edgeConnections = family{"nstar_window_edge_connections",
		"Connections open from one tier to another at the window's end."}
	edgeUsed = family{"nstar_window_edge_connections_used",
		"Connections from one tier to another that carried a call in the window."}
	edgeGap = family{"nstar_window_edge_gap_seconds",
		"Mean time between an answer and the next call on its connection; no sample where none followed."}
	connections = family{"nstar_window_connections",
		"Time average of the connections that the tier's clients had open."}
	own = family{"nstar_window_own_queue_length",
		"Time average of the requests in the tier that wait for no tier behind it."}
	state = family{"nstar_window_state",
		"What the window was: 0 idle, 1 normal, 2 saturated, 3 frozen, 4 waiting, 5 unknown. Comes two seconds later."}
	gc = family{"nstar_window_gc_ratio",
		"Share of the window in which garbage collection stopped the tier's Java virtual machine."}
	queueLength = family{"nstar_window_queue_length",
		"Time average of the requests in the tier during the window that ends at the sample's time."}
	residence = family{"nstar_window_residence_seconds",
		"Mean time in the tier of the requests completed in the window; no sample where none was."}
	throughput = family{"nstar_window_throughput",
		"Completions per second in the window."}
)

type family struct{ name, help string }

// gather puts the samples of some batches into families: all samples of a series together and in order of time, which
// is what Prometheus needs. It is a Gatherer of its own because a registry would sort and check each sample, at ten
// times the cost.
func gather(batches []Batch) []*dto.MetricFamily {
	tiers, edges := make(table), make(table)
	shares := make(map[string]*family)
	for _, b := range batches {
		at := proto.Int64(b.End.Milliseconds())
		for _, t := range b.Tiers {
			s := tiers.series([3]string{t.App, t.Tier}, "app", "tier")
			s.add(&gc, at, t.GC, coarse)
			s.add(&queueLength, at, t.Queue, coarse)
			s.add(&residence, at, t.Residence, fine)
			s.add(&throughput, at, t.Throughput, coarse)
			s.add(&own, at, t.Own, coarse)
			s.add(&connections, at, t.Connections, coarse)
		}
		for _, w := range b.States {
			s := tiers.series([3]string{w.App, w.Tier}, "app", "tier")
			s.add(&state, proto.Int64(w.End.Milliseconds()), float64(w.State), coarse)
		}
		for _, c := range b.Causes {
			s := tiers.series([3]string{c.App, c.Tier}, "app", "tier")
			end := proto.Int64(c.End.Milliseconds())
			for i, k := range c.Kinds {
				f := shares[k.Name]
				if f == nil {
					f = &family{"nstar_window_" + k.Name + "_ratio", k.Help}
					shares[k.Name] = f
				}
				s.add(f, end, float64(c.Ratios[i]), medium)
			}
		}
		for _, e := range b.Edges {
			s := edges.series([3]string{e.App, e.From, e.To}, "app", "from", "to")
			s.add(&edgeCalls, at, e.Calls, coarse)
			s.add(&edgeConnections, at, e.Connections, coarse)
			s.add(&edgeUsed, at, e.Used, coarse)
			s.add(&edgeGap, at, e.Gap, fine)
			s.add(&outstanding, at, e.Outstanding, coarse)
			s.add(&edgePeak, at, e.Peak, coarse)
		}
	}
	var out []*dto.MetricFamily
	for _, f := range []*family{&edgeCalls, &edgeConnections, &edgeUsed, &edgeGap, &outstanding, &edgePeak} {
		out = edges.append(out, f)
	}
	for _, f := range []*family{&connections, &gc, &own, &queueLength, &residence, &state, &throughput} {
		out = tiers.append(out, f)
	}
	for _, f := range shares {
		out = tiers.append(out, f)
	}
	slices.SortFunc(out, func(a, b *dto.MetricFamily) int { return strings.Compare(a.GetName(), b.GetName()) })
	return out
}

// table holds the series of all tiers, or of all edges, by their label values.
type table map[[3]string]*series

type series struct {
	labels  []*dto.LabelPair
	samples map[*family][]*dto.Metric
}

func (t table) series(values [3]string, names ...string) *series {
	if s := t[values]; s != nil {
		return s
	}
	s := &series{samples: make(map[*family][]*dto.Metric)}
	for i, name := range names {
		s.labels = append(s.labels, &dto.LabelPair{Name: proto.String(name), Value: proto.String(values[i])})
	}
	t[values] = s
	return s
}

// add appends a sample, unless there is nothing to say.
func (s *series) add(f *family, at *int64, value, steps float64) {
	if math.IsNaN(value) {
		return
	}
	x := &point{value: grid(value, steps)}
	x.gauge.Value = &x.value
	x.metric.Label, x.metric.TimestampMs, x.metric.Gauge = s.labels, at, &x.gauge
	s.samples[f] = append(s.samples[f], &x.metric)
}

// point is all that a sample consists of, in one piece: there are thousands in an answer.
type point struct {
	metric dto.Metric
	gauge  dto.Gauge
	value  float64
}

// append makes a family of the table's samples, with the series in order of their labels.
func (t table) append(out []*dto.MetricFamily, f *family) []*dto.MetricFamily {
	var all []*dto.Metric
	keys := slices.SortedFunc(maps.Keys(t), func(a, b [3]string) int { return slices.Compare(a[:], b[:]) })
	for _, key := range keys {
		all = append(all, t[key].samples[f]...)
	}
	if all == nil {
		return out
	}
	return append(out, &dto.MetricFamily{
		Name: proto.String(f.name), Help: proto.String(f.help), Type: dto.MetricType_GAUGE.Enum(), Metric: all,
	})
}

// Values are rounded to a binary grid: Prometheus' compression works on the bits of successive values. Short
// fractions cost about 2 bytes a sample, arbitrary ones 8. Times of residence need microseconds.
const (
	coarse = 64
	medium = 1 << 8 // 0.2 ms of 50
	fine   = 1 << 20
)

func grid(v, steps float64) float64 { return math.Round(v*steps) / steps }
