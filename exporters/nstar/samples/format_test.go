// SPDX-License-Identifier: Apache-2.0

package samples

import (
	"flag"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
)

var update = flag.Bool("update", false, "write the golden files")

// sample is a buffer with everything that can occur in two windows.
func sample() *Buffer {
	b := NewBuffer(time.Minute)
	runqueue := Cause{"runqueue", "Waiting for a processor."}
	b.Add(Batch{
		End: epoch,
		Tiers: []Tier{
			{App: "shop", Tier: "web", Queue: 1.23456, Throughput: 40, Residence: 0.0123456, GC: math.NaN(), Own: 0.2,
				Connections: 2.5},
			{App: "shop", Tier: "jvm \"a\\b\"", Queue: 0.001, Throughput: 0, Residence: math.NaN(),
				GC: 0.5004, Own: 0.001},
		},
		Edges: []Edge{{
			App: "shop", From: "web", To: "jvm \"a\\b\"", Outstanding: 1.0156,
			Calls: 60, Peak: 3, Connections: 8, Used: 2, Gap: 0.00125,
		}},
		States: []State{{App: "shop", Tier: "web", End: epoch - 40*width, State: 2}},
		Causes: []Causes{{App: "shop", Tier: "web", End: epoch - 40*width, Kinds: []Cause{runqueue},
			Ratios: []float32{1.5004}}},
	})
	b.Add(Batch{
		End:    epoch + width,
		Tiers:  []Tier{{App: "shop", Tier: "web", Queue: 0, Throughput: 20, Residence: 3e-6, GC: math.NaN()}},
		Edges:  []Edge{{App: "shop", From: "web", To: "jvm \"a\\b\"", Outstanding: 0, Gap: math.NaN()}},
		States: []State{{App: "shop", Tier: "web", End: epoch - 39*width, State: 5}},
		Causes: []Causes{{
			App: "shop", Tier: "web", End: epoch - 39*width, Kinds: []Cause{runqueue, {"cpu", "At work."}},
			Ratios: []float32{0, 0.25},
		}},
	})
	return b
}

func page(t *testing.T, accept string) (string, http.Header) {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, "/windows?consumer=a", nil)
	r.Header.Set("Accept", accept)
	w := httptest.NewRecorder()
	handler(sample()).ServeHTTP(w, r)
	return w.Body.String(), w.Header()
}

func TestGolden(t *testing.T) {
	for _, tt := range []struct{ name, accept, file string }{
		{"text", "text/plain;version=0.0.4", "testdata/windows.txt"},
		{"OpenMetrics", "application/openmetrics-text;version=1.0.0", "testdata/windows.openmetrics"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, header := page(t, tt.accept)
			if kind, _, _ := strings.Cut(tt.accept, ";"); !strings.HasPrefix(header.Get("Content-Type"), kind) {
				t.Errorf("content type %s", header.Get("Content-Type"))
			}
			if *update {
				if err := os.WriteFile(tt.file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(tt.file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// All formats say the same, each series' samples lie together, and no value that is not a number is sent.
func TestFormatsAgree(t *testing.T) {
	text, _ := page(t, "text/plain;version=0.0.4")
	want := parseText(t, strings.NewReader(text))
	body, header := page(t, string(expfmt.NewFormat(expfmt.TypeProtoDelim)))
	decoder := expfmt.NewDecoder(strings.NewReader(body), expfmt.ResponseFormat(header))
	for {
		var family dto.MetricFamily
		err := decoder.Decode(&family)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want[family.GetName()].String(), family.String()); diff != "" {
			t.Errorf("%s (-text +protobuf):\n%s", family.GetName(), diff)
		}
		delete(want, family.GetName())
		contiguous(t, &family)
	}
	if len(want) > 0 {
		t.Errorf("missing from protobuf: %v", want)
	}
}

func contiguous(t *testing.T, family *dto.MetricFamily) {
	t.Helper()
	seen := make(map[string]int64)
	last := ""
	for _, m := range family.GetMetric() {
		var b strings.Builder
		for _, l := range m.GetLabel() {
			b.WriteString(l.String())
		}
		series := b.String()
		at, known := seen[series]
		if known && (series != last || at >= m.GetTimestampMs()) {
			t.Errorf("%s %s at %d follows %s at %d", family.GetName(), series, m.GetTimestampMs(), last, at)
		}
		if math.IsNaN(m.GetGauge().GetValue()) {
			t.Errorf("%s %s: NaN", family.GetName(), series)
		}
		seen[series], last = m.GetTimestampMs(), series
	}
}

func TestGrid(t *testing.T) {
	for _, tt := range []struct{ v, steps, want float64 }{
		{0, coarse, 0}, {1, coarse, 1}, {1.0156, coarse, 1.015625}, {0.0078, coarse, 0}, {0.0079, coarse, 0.015625},
		{12345.678, coarse, 12345.671875}, {0.000003, fine, 3.0 / fine}, {0.0000004, fine, 0},
	} {
		if got := grid(tt.v, tt.steps); got != tt.want {
			t.Errorf("%g on a grid of 1/%g is %g, want %g", tt.v, tt.steps, got, tt.want)
		}
	}
}
