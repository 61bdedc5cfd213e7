// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/answer"
	"github.com/nstar-project/nstar/exporters/nstar/answer/answertest"
	"github.com/nstar-project/nstar/exporters/nstar/causes"
	"github.com/nstar-project/nstar/exporters/nstar/clock"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/samples"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// The two benchmarks are the exporter's work in user space for one second of 50 tiers; both report it as a share of a
// core. Discovery, drift checks and /metrics are rare.
const (
	benchTiers = 50
	benchWidth = 50 * time.Millisecond
	perSecond  = int(time.Second / benchWidth)
)

// share reports a second's work as a share of a core.
func share(b *testing.B) {
	b.ReportMetric(100*b.Elapsed().Seconds()/float64(b.N), "%core")
}

// BenchmarkSettleSecond reads and settles the windows of a second from the kernel's own slots.
func BenchmarkSettleSecond(b *testing.B) {
	p, err := probe.Open(probe.Options{Window: benchWidth, Settle: 500 * time.Millisecond, MaxTiers: 64, MaxEdges: 192})
	if err != nil {
		b.Skip("needs what the exporter needs: ", err)
	}
	defer p.Close()
	var stations []window.Station
	for i := range benchTiers {
		stations = append(stations, window.Station(i))
	}
	now := clock.Monotonic()
	settler := window.NewSettler(benchWidth, 500*time.Millisecond, p.Ring(), now)
	totals := make([]window.Totals, benchTiers)
	b.ResetTimer()
	for range b.N {
		now += time.Second
		settler.Settle(now, stations, p.Sums, func(w window.Window) { totals[w.Station].Add(w, benchWidth) })
	}
	share(b)
}

// BenchmarkWindowsSecond answers a scrape of /windows a second, compressed, as Prometheus asks for it.
func BenchmarkWindowsSecond(b *testing.B) {
	buffer := samples.NewBuffer(2 * time.Minute)
	handler := samples.NewHandler(buffer, answer.NewLimiter(), slog.New(slog.DiscardHandler))
	end := time.Duration(1_700_000_000) * time.Second
	size := 0
	for range b.N {
		for w := range perSecond {
			end += benchWidth
			batch := samples.Batch{End: end}
			for i := range benchTiers {
				queue := float64((i*w)%97) / 3
				batch.Tiers = append(batch.Tiers, samples.Tier{
					App: "bench", Tier: fmt.Sprintf("tier%02d", i), Queue: queue, Throughput: 20 * queue,
					Residence: queue / 1000,
				})
			}
			buffer.Add(batch)
		}
		size += answertest.Ask(b, handler, "/windows?consumer=bench", "gzip")
	}
	share(b)
	b.ReportMetric(float64(size)/float64(b.N), "bytes/scrape")
}

// BenchmarkWindows answers /windows if each tier has all series, the causes, and an edge of its own: a scrape a
// second, and the view of the last seconds, the longest answer of a page without consumers. Bytes are those of the
// answer, compressed and uncompressed; the time is that of the compressed one.
func BenchmarkWindows(b *testing.B) {
	for _, tiers := range []int{50, 256} {
		for _, span := range []time.Duration{time.Second, samples.View} {
			b.Run(fmt.Sprintf("%d_tiers_%s", tiers, span), func(b *testing.B) {
				buffer := samples.NewBuffer(span)
				end := time.Duration(1_700_000_000) * time.Second
				for range int(span / benchWidth) {
					end += benchWidth
					buffer.Add(everything(tiers, end))
				}
				handler := samples.NewHandler(buffer, answer.NewLimiter(), slog.New(slog.DiscardHandler))
				answertest.Benchmark(b, handler, "/windows")
			})
		}
	}
}

// everything is a window in which there is something to say of everything.
func everything(tiers int, end time.Duration) samples.Batch {
	batch := samples.Batch{End: end}
	var kinds []samples.Cause
	for _, k := range causes.Kinds() {
		kinds = append(kinds, samples.Cause{Name: k.Name, Help: k.Help})
	}
	for i := range tiers {
		name := fmt.Sprintf("tier%03d", i)
		queue := float64((i*int(end/benchWidth))%97) / 3
		batch.Tiers = append(batch.Tiers, samples.Tier{
			App: "bench", Tier: name, Queue: queue, Throughput: 20 * queue, Residence: queue / 1000, GC: queue / 100,
			Own: queue / 2, Connections: 40,
		})
		batch.Edges = append(batch.Edges, samples.Edge{
			App: "bench", From: name, To: "behind", Outstanding: queue / 2, Calls: 20 * queue, Peak: 30,
			Connections: 40, Used: 20,
			Gap: queue / 1000,
		})
		batch.States = append(batch.States, samples.State{App: "bench", Tier: name, End: end, State: i % 6})
		ratios := make([]float32, len(kinds))
		for k := range ratios {
			ratios[k] = float32(queue) / 100
		}
		batch.Causes = append(batch.Causes, samples.Causes{App: "bench", Tier: name, End: end, Kinds: kinds,
			Ratios: ratios})
	}
	return batch
}
