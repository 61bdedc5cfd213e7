// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
)

func sortedKeys(m map[string]float64) []string { return slices.Sorted(maps.Keys(m)) }

const (
	windowLabels  = `job="nstar_windows",instance="h:9965",app="shop",tier=%q`
	metricsLabels = `job="nstar",instance="h:9965",app="shop"`
	tierLabels    = `{instance="h:9965",app="shop",tier=%q%s}`
)

// window returns the selector of a metric on /windows.
func window(metric, tier string) string {
	return metric + "{" + fmt.Sprintf(windowLabels, tier) + "}"
}

// tier returns the labels of a recorded series, with more of them if given.
func tier(name, more string) string { return fmt.Sprintf(tierLabels, name, more) }

// generate makes n values on the exporter's grid of 1/64.
func generate(n int, f func(i int) float64) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = math.Round(f(i)*64) / 64
	}
	return values
}

// without removes the windows [from, to).
func without(values []float64, from, to int) []float64 {
	holes := slices.Clone(values)
	for i := from; i < to; i++ {
		holes[i] = math.NaN()
	}
	return holes
}

// states counts the four states over the windows of 10 s by their definition.
func states(queue, throughput []float64, saturation, maximum float64, at int) map[string]float64 {
	q, x := settled(queue, at, 10), settled(throughput, at, 10)
	count := map[string]float64{"idle": 0, "normal": 0, "saturated": 0, "frozen": 0}
	var n float64
	for i := range q {
		switch {
		case math.IsNaN(q[i]):
			continue
		case q[i] == 0 && x[i] == 0:
			count["idle"]++
		case q[i] > saturation && x[i] < maximum/5:
			count["frozen"]++
		case q[i] > saturation:
			count["saturated"]++
		default:
			count["normal"]++
		}
		n++
	}
	for state := range count {
		count[state] = round(count[state] / n)
	}
	return count
}

// stateScenarios: shares of the states, with and without N*, with missing
// windows, and after the exporter has stopped.
func stateScenarios() []scenario {
	const seconds, n = 40, 40 * windowsPerSecond
	random := rand.New(rand.NewPCG(4, 2))
	queue := generate(n, func(int) float64 { return math.Max(0, random.Float64()*20-4) })
	throughput := generate(n, func(i int) float64 {
		if queue[i] == 0 || random.Float64() < 0.3 {
			return 0
		}
		return 20 * float64(random.IntN(50))
	})
	recorded := func(name string, value float64) ramp {
		return ramp{selector: name + tier("db", ""), start: value, windows: n}
	}
	inputs := func(q, x []float64) scenario {
		return scenario{
			series: []series{
				{window("nstar_window_queue_length", "db"), q},
				{window("nstar_window_throughput", "db"), x},
			},
			ramps: []ramp{
				{selector: `nstar:window_width:seconds{instance="h:9965"}`, start: windowWidth, windows: n},
				recorded("nstar:tier_saturation_point:queue_length", 9.5),
				recorded("nstar:tier_max_throughput:requests_per_second", 800),
			},
		}
	}
	expect := func(q, x []float64, saturation float64, at int) query {
		want := map[string]float64{}
		for state, share := range states(q, x, saturation, 800, at) {
			if saturation < math.Inf(1) || state == "idle" || state == "normal" {
				want[tier("db", fmt.Sprintf(`,state=%q`, state))] = share
			}
		}
		return query{"round(nstar:tier_state_share:ratio10s, 0.000001)", at, want}
	}

	all := inputs(queue, throughput)
	all.name = "shares of the four states"
	all.queries = []query{
		expect(queue, throughput, 9.5, 20),
		expect(queue, throughput, 9.5, 33),
		{"nstar:tier_windows:count10s", 20, map[string]float64{"nstar:tier_windows:count10s" + tier("db", ""): 200}},
	}

	unknown := inputs(queue, throughput)
	unknown.name = "without N* a tier is idle or normal"
	unknown.ramps = unknown.ramps[:1]
	unknown.queries = []query{expect(queue, throughput, math.Inf(1), 20)}

	// Three seconds are missing: the shares are those of the windows there are.
	holes, holesX := without(queue, 200, 260), without(throughput, 200, 260)
	gap := inputs(holes, holesX)
	gap.name = "missing windows are not made up"
	gap.queries = []query{
		expect(holes, holesX, 9.5, 20),
		{"nstar:tier_windows:count10s", 20, map[string]float64{"nstar:tier_windows:count10s" + tier("db", ""): 140}},
	}

	// The exporter stops at 20 s; at 27 s less than half of the windows are there.
	gone := inputs(without(queue, 20*windowsPerSecond+1, n), without(throughput, 20*windowsPerSecond+1, n))
	gone.name = "nothing is said about an exporter that has stopped"
	gone.queries = []query{
		expect(queue, throughput, 9.5, 22),
		{"nstar:tier_state_share:ratio10s", 28, nil},
		{"nstar:tier_windows:count10s", 28, nil},
	}
	return []scenario{all, unknown, gap, gone}
}

// correlationScenarios: Pearson per edge and per cause, many edges at once, a
// tier on two servers, no result for a constant queue or missing windows.
func correlationScenarios() []scenario {
	const n = 40 * windowsPerSecond
	random := rand.New(rand.NewPCG(7, 7))
	web := generate(n, func(i int) float64 { return 5 + 4*math.Sin(float64(i)/5) + random.Float64() })
	app := generate(n, func(i int) float64 { return 5 - 3*math.Sin(float64(i)/5) + 2*random.Float64() })
	db := generate(n, func(int) float64 { return 8 * random.Float64() })
	db2 := generate(n, func(int) float64 { return 3 * random.Float64() })
	cache := generate(n, func(int) float64 { return 1.1 })
	gc := generate(n, func(i int) float64 { return math.Max(0, app[i]/8+random.Float64()/2-0.5) })
	sum := generate(n, func(i int) float64 { return db[i] + db2[i] })

	edge := func(from, to string) ramp {
		return ramp{selector: fmt.Sprintf(`nstar_edge_calls_total{%s,from=%q,to=%q}`, metricsLabels, from, to), step: 3, windows: n}
	}
	width := []ramp{
		{selector: `nstar:window_width:seconds{instance="h:9965"}`, start: windowWidth, windows: n},
		{selector: `nstar:window_width:seconds{instance="g:9965"}`, start: windowWidth, windows: n},
	}
	queue := func(name string, values []float64) series {
		return series{window("nstar_window_queue_length", name), values}
	}
	pair := func(from, to string) string { return fmt.Sprintf(`{app="shop",from=%q,to=%q}`, from, to) }
	const ask = "round(nstar:edge_correlation:pearson12s, 0.000001)"
	const causes = "round(nstar:cause_correlation:pearson12s, 0.000001)"
	cause := tier("app", `,cause="garbage_collection"`)

	many := scenario{
		name: "one coefficient per edge, none for a constant queue or an unknown destination",
		series: []series{
			queue("web", web), queue("app", app), queue("cache", cache), queue("db", db),
			{`nstar_window_queue_length{job="nstar_windows",instance="g:9965",app="shop",tier="db"}`, db2},
			{`nstar_window_queue_length{job="nstar_windows",instance="g:9965",app="other",tier="db"}`, web},
			{window("nstar_window_gc_ratio", "app"), gc},
			{window("nstar_window_gc_ratio", "web"), generate(n, func(int) float64 { return 0 })},
		},
		ramps: append(width, edge("web", "app"), edge("app", "db"), edge("app", "cache"), edge("app", "10.0.0.9:6379"), edge("web", "db")),
		queries: []query{
			{ask, 20, map[string]float64{
				pair("web", "app"): pearson(settled(web, 20, 12), settled(app, 20, 12)),
				pair("app", "db"):  pearson(settled(app, 20, 12), settled(sum, 20, 12)),
				pair("web", "db"):  pearson(settled(web, 20, 12), settled(sum, 20, 12)),
			}},
			{causes, 20, map[string]float64{cause: pearson(settled(app, 20, 12), settled(gc, 20, 12))}},
			{causes, 31, map[string]float64{cause: pearson(settled(app, 31, 12), settled(gc, 31, 12))}},
			{`round(nstar:tier_queue_length:mean12s{app="shop",tier="db"}, 0.000001)`, 20,
				map[string]float64{`{app="shop",tier="db"}`: mean(settled(sum, 20, 12))}},
			{`round(nstar:tier_queue_length:stddev12s{app="shop",tier=~"db|cache"}, 0.000001)`, 20,
				map[string]float64{`{app="shop",tier="db"}`: stddev(settled(sum, 20, 12))}},
			{`round(nstar:tier_covered:seconds12s{app="shop",tier="db"}, 0.000001)`, 20, map[string]float64{`{app="shop",tier="db"}`: 12}},
		},
	}

	opposite := generate(n, func(i int) float64 { return float64(i % 4) })
	mirrored := generate(n, func(i int) float64 { return 7 - 2*float64(i%4) })
	exact := scenario{
		name:   "mirrored queues give -1, equal ones 1",
		series: []series{queue("web", opposite), queue("app", mirrored), queue("db", opposite)},
		ramps:  append(width, edge("web", "app"), edge("web", "db")),
		queries: []query{{ask, 20, map[string]float64{
			pair("web", "app"): -1, pair("web", "db"): 1,
		}}},
	}

	lost := scenario{
		name: "missing windows: left out where both tiers miss them, no result where one does or too many are gone",
		series: []series{
			queue("web", without(web, 200, 220)), queue("app", without(app, 200, 220)), queue("db", db),
			{window("nstar_window_gc_ratio", "app"), without(gc, 200, 220)},
			{window("nstar_window_gc_ratio", "db"), without(gc, 250, 255)},
		},
		ramps: append(width, edge("web", "app"), edge("app", "db")),
		queries: []query{
			{ask, 20, map[string]float64{
				pair("web", "app"): pearson(settled(without(web, 200, 220), 20, 12), settled(app, 20, 12)),
			}},
			{causes, 20, map[string]float64{cause: pearson(settled(without(app, 200, 220), 20, 12), settled(gc, 20, 12))}},
		},
	}
	stop := 15 * windowsPerSecond
	gone := scenario{
		name: "nothing is said about an exporter that has stopped",
		series: []series{
			queue("web", without(web, stop, n)), queue("app", without(app, stop, n)),
			{window("nstar_window_gc_ratio", "app"), without(gc, stop, n)},
		},
		ramps:   append(width, edge("web", "app")),
		queries: []query{{ask, 21, nil}, {causes, 21, nil}, {"nstar:tier_covered:seconds12s", 21, nil}},
	}
	return []scenario{many, exact, lost, gone}
}
