// SPDX-License-Identifier: Apache-2.0

package samples

import (
	"math"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

var (
	tierLabels = []string{"app", "tier"}
	edgeLabels = []string{"app", "from", "to"}

	queueDesc = prometheus.NewDesc("nstar_window_queue_length",
		"Time average of the requests in the tier during the window that ends at the sample's time.", tierLabels, nil)
	throughputDesc = prometheus.NewDesc("nstar_window_throughput",
		"Completions per second in the window.", tierLabels, nil)
	residenceDesc = prometheus.NewDesc("nstar_window_residence_seconds",
		"Mean time in the tier of the requests completed in the window; no sample where none was.", tierLabels, nil)
	gcDesc = prometheus.NewDesc("nstar_window_gc_ratio",
		"Share of the window in which garbage collection stopped the tier's Java virtual machine.", tierLabels, nil)
	outstandingDesc = prometheus.NewDesc("nstar_window_edge_outstanding",
		"Time average of the calls from one tier to another that wait for an answer.", edgeLabels, nil)
)

// collector gives the samples of some batches, in order of time for each series, which is what Prometheus needs.
type collector []Batch

// Describe sends nothing: the collector is unchecked because each series has many samples.
func (c collector) Describe(chan<- *prometheus.Desc) {}

func (c collector) Collect(ch chan<- prometheus.Metric) {
	for _, b := range c {
		at := time.Unix(0, int64(b.End))
		send := func(desc *prometheus.Desc, value float64, labels ...string) {
			if !math.IsNaN(value) {
				ch <- prometheus.NewMetricWithTimestamp(at,
					prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...))
			}
		}
		for _, t := range b.Tiers {
			send(queueDesc, grid(t.Queue, coarse), t.App, t.Tier)
			send(throughputDesc, grid(t.Throughput, coarse), t.App, t.Tier)
			send(residenceDesc, grid(t.Residence, fine), t.App, t.Tier)
			send(gcDesc, grid(t.GC, coarse), t.App, t.Tier)
		}
		for _, e := range b.Edges {
			send(outstandingDesc, grid(e.Outstanding, coarse), e.App, e.From, e.To)
		}
	}
}

// Values are rounded to a binary grid: Prometheus' compression works on the bits of successive values, and short fractions
// cost about 2 bytes a sample where arbitrary ones cost 8. Times of residence need microseconds.
const (
	coarse = 64
	fine   = 1 << 20
)

func grid(v, steps float64) float64 { return math.Round(v*steps) / steps }
