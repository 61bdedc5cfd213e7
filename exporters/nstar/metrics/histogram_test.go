// SPDX-License-Identifier: Apache-2.0

package metrics

import (
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
)

// histograms asks for protobuf, as a server with native histograms does.
func histograms(t *testing.T) map[string]*dto.Histogram {
	t.Helper()
	_, get := handler(Collector{Monitor: fixed{state: sample()}, Window: width50})
	format := expfmt.NewFormat(expfmt.TypeProtoDelim)
	body, _ := get(string(format))
	decoder := expfmt.NewDecoder(strings.NewReader(body), format)
	out := make(map[string]*dto.Histogram)
	for {
		var f dto.MetricFamily
		err := decoder.Decode(&f)
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range f.GetMetric() {
			if h := m.GetHistogram(); h != nil {
				out[f.GetName()+" "+m.GetLabel()[1].GetValue()] = h
			}
		}
	}
}

// native unpacks the spans: counts by the bucket's upper bound.
func native(h *dto.Histogram) map[float64]int64 {
	out := make(map[float64]int64)
	if n := h.GetZeroCount(); n > 0 {
		out[h.GetZeroThreshold()] = int64(n)
	}
	var index int32
	var count int64
	next := 0
	for _, span := range h.GetPositiveSpan() {
		index += span.GetOffset()
		for range span.GetLength() {
			count += h.GetPositiveDelta()[next]
			next++
			if count > 0 {
				out[math.Exp2(float64(index)/4)] = count
			}
			index++
		}
	}
	return out
}

func TestNativeHistograms(t *testing.T) {
	got := histograms(t)
	for _, tt := range []struct {
		name  string
		want  map[float64]int64
		count uint64
		sum   float64
	}{
		{"nstar_tier_queue_length web", map[float64]int64{
			0.0625: 2, 1: 1, math.Exp2(2.75): 1, math.Exp2(12.25): 1,
		}, 5, 5007.03125},
		{"nstar_tier_residence_time_seconds web", map[float64]int64{
			math.Exp2(-30): 1, math.Exp2(-7.5): 11, math.Exp2(-7): 3, 1: 2, math.Exp2(9.5): 4,
		}, 21, 2.0465625},
		{"nstar_tier_queue_length idle", map[float64]int64{}, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := got[tt.name]
			if diff := cmp.Diff(tt.want, native(h)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if h.GetSchema() != 2 || h.GetSampleCount() != tt.count || math.Abs(h.GetSampleSum()-tt.sum) > 1e-9 {
				t.Errorf("schema %d, count %d, sum %g; want 2, %d, %g", h.GetSchema(), h.GetSampleCount(),
					h.GetSampleSum(),
					tt.count, tt.sum)
			}
			if h.CreatedTimestamp != nil {
				t.Errorf("created at %s: the exporter does not know", h.CreatedTimestamp.AsTime())
			}
		})
	}
}

// The classic buckets count the same as the native ones up to the same bound.
func TestClassicAgreesWithNative(t *testing.T) {
	for name, h := range histograms(t) {
		counts := native(h)
		if len(h.GetBucket()) < 10 {
			t.Errorf("%s: %d classic buckets", name, len(h.GetBucket()))
		}
		for _, b := range h.GetBucket() {
			var want uint64
			for bound, n := range counts {
				if bound <= b.GetUpperBound() {
					want += uint64(n)
				}
			}
			if b.GetCumulativeCount() != want {
				t.Errorf("%s: %d up to %g, want %d", name, b.GetCumulativeCount(), b.GetUpperBound(), want)
			}
		}
	}
}
