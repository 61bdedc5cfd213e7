// SPDX-License-Identifier: Apache-2.0

package metrics

import (
	"fmt"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/nstar-project/nstar/exporters/nstar/answer"
	"github.com/nstar-project/nstar/exporters/nstar/answer/answertest"
	"github.com/nstar-project/nstar/exporters/nstar/monitor"
)

// BenchmarkMetrics answers /metrics as Prometheus asks for it, if each tier has every possible series and an edge of
// its own: an upper bound. Bytes are those of the answer, compressed and uncompressed.
func BenchmarkMetrics(b *testing.B) {
	for _, tiers := range []int{50, 256} {
		b.Run(fmt.Sprintf("%d_tiers", tiers), func(b *testing.B) {
			registry := prometheus.NewRegistry()
			registry.MustRegister(Collector{Monitor: fixed{state: crowd(tiers)}, Window: width50})
			h := answer.Compressed(promhttp.HandlerFor(registry,
				promhttp.HandlerOpts{EnableOpenMetrics: true, DisableCompression: true}))
			answertest.Benchmark(b, h, "/metrics")
		})
	}
}

// crowd is a state with this many tiers, each like the first one of the sample.
func crowd(tiers int) monitor.State {
	state := sample()
	web, call := state.Tiers[0], state.Edges[0]
	state.Tiers, state.Edges = nil, nil
	for i := range tiers {
		web.Tier = fmt.Sprintf("tier%03d", i)
		call.From = web.Tier
		state.Tiers, state.Edges = append(state.Tiers, web), append(state.Edges, call)
	}
	return state
}
