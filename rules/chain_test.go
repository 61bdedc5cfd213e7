// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// chainSeconds is how long the chain runs: the alerts look at a minute and wait
// for half of one.
const chainSeconds = 125

// chainScenarios drive all rules and alerts together, from 50 ms windows and
// load bins to the alerts, as a server would.
//
// Tomcat and MariaDB take turns in cycles of a second: for 4 windows garbage
// collection stops Tomcat, its queue grows and MariaDB has nothing to do; for 6
// windows the backlog saturates MariaDB; for 10 windows both work normally. In
// the calm scenario nothing stops Tomcat and neither queue passes N*. In the
// bursting one Tomcat has no limit: what a freeze held back leaves at once, and
// the windows beyond the knee are frozen or bursting and hardly ever level.
func chainScenarios() []scenario {
	const firing = `count by (alertname, app, tier, from, to, cause) (ALERTS{alertstate="firing"})`
	const saturation = `round(nstar:tier_saturation_point:queue_length, 0.01)`
	turns := map[string]float64{
		`{alertname="NstarAlternatingBottleneck",app="shop",from="tomcat",to="mariadb"}`:                   1,
		`{alertname="NstarFrozenByGarbageCollection",app="shop",tier="tomcat",cause="garbage_collection"}`: 1,
		`{alertname="NstarTierFrozen",app="shop",tier="tomcat"}`:                                           1,
		`{alertname="NstarTierSaturated",app="shop",tier="mariadb"}`:                                       1,
	}
	found := map[string]float64{tier("tomcat", ""): 4, tier("mariadb", ""): 4}
	return []scenario{
		{
			name: "tiers that take turns under garbage collection", series: chainWindows("turns"), ramps: chainBins(),
			queries: []query{
				{firing, 20, nil},
				{saturation, 15, found},
				{firing, 120, turns},
				// In each second 4 windows are frozen for Tomcat; 6 are beyond N* for MariaDB.
				{`round(nstar:edge_saturated_share:ratio10s, 0.0001)`, 120, map[string]float64{`{app="shop",from="tomcat",to="mariadb"}`: 0.2}},
			},
		},
		{
			name: "the same tiers without garbage collection", series: chainWindows("calm"), ramps: chainBins(),
			queries: []query{{saturation, 120, found}, {firing, 120, nil}},
		},
		{
			name: "bursts after freezes are no plateau", series: chainWindows("bursts"), ramps: chainBins(),
			queries: []query{
				{saturation, 120, map[string]float64{tier("mariadb", ""): 4}},
				// 4 and 1 windows a second, counted 5 times, as all rules run each second here.
				{`sum by (tier, pace) (sum_over_time(nstar:tier_beyond_peak_windows:count5s{tier="tomcat"}[49500ms]))`, 110,
					map[string]float64{`{tier="tomcat",pace="off"}`: 1000, `{tier="tomcat",pace="level"}`: 250}},
			},
		},
	}
}

// chainWindows makes the windows of both tiers on the main sequence of
// chainBins: 250 requests/s for each of the first 4 in the queue, then 1000.
func chainWindows(kind string) []series {
	const n = chainSeconds * windowsPerSecond
	random := rand.New(rand.NewPCG(12, 50))
	throughput := func(queue float64) float64 { return 20 * math.Round(math.Min(250*queue, 1000)/20) }
	tomcat, mariadb := make([]float64, n), make([]float64, n)
	tomcatX, mariadbX, gc := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		tomcat[i] = math.Round((1+2.5*random.Float64())*64) / 64
		mariadb[i] = math.Round((1+2.5*random.Float64())*64) / 64
		tomcatX[i], mariadbX[i] = throughput(tomcat[i]), throughput(mariadb[i])
		phase := i % windowsPerSecond
		switch {
		case kind == "calm" || phase >= 10:
		case phase < 4:
			tomcat[i], tomcatX[i], gc[i] = float64(12*(phase+1)), 0, 1
			mariadb[i], mariadbX[i] = 0, 0
		case kind == "bursts" && phase < 9:
			tomcat[i], tomcatX[i] = 40, 3000
			if phase == 8 { // one in five is level by chance
				tomcatX[i] = 1000
			}
		case kind == "turns":
			mariadb[i], mariadbX[i] = 30, 1000
		}
	}
	return []series{
		{window("nstar_window_queue_length", "tomcat"), tomcat},
		{window("nstar_window_throughput", "tomcat"), tomcatX},
		{window("nstar_window_gc_ratio", "tomcat"), gc},
		{window("nstar_window_queue_length", "mariadb"), mariadb},
		{window("nstar_window_throughput", "mariadb"), mariadbX},
	}
}

// chainBins are load bins with a plateau from queue length 4 on; a window falls
// into one of five bins in turn.
func chainBins() []ramp {
	const n = chainSeconds * windowsPerSecond
	ramps := []ramp{
		{selector: `nstar_window_width_seconds{job="nstar",instance="h:9965"}`, start: windowWidth, windows: n},
		{selector: fmt.Sprintf(`nstar_edge_calls_total{%s,from="tomcat",to="mariadb"}`, metricsLabels), step: 100, windows: n},
		{selector: fmt.Sprintf(`nstar_edge_calls_total{%s,from="tomcat",to="10.1.1.1:11211"}`, metricsLabels), step: 1, windows: n},
	}
	for _, name := range []string{"tomcat", "mariadb"} {
		for _, bin := range []struct {
			bound        string
			queue, count float64
		}{{"1", 1, 12.5}, {"2", 2, 25}, {"4", 4, 50}, {"8", 8, 50}, {"32", 32, 40}} {
			labels := fmt.Sprintf(`{%s,tier=%q,bin=%q}`, metricsLabels, name, bin.bound)
			ramps = append(ramps,
				ramp{selector: "nstar_tier_load_windows_total" + labels, step: 0.2, windows: n},
				ramp{selector: "nstar_tier_load_completions_total" + labels, step: 0.2 * bin.count, windows: n},
				ramp{selector: "nstar_tier_load_queue_seconds_total" + labels, step: 0.2 * bin.queue * windowWidth, windows: n})
		}
	}
	return ramps
}
