// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"math"
	"slices"
	"testing"
)

// means of a simulation: queue length, completions/s, and its windows that do not count.
func means(s scenario, seconds float64) (queue, throughput float64, unclean int) {
	windows := s.windows(1, seconds)
	for _, w := range windows {
		queue += w.Queue
		throughput += w.Completions
		if !w.Clean {
			unclean++
		}
	}
	return queue / float64(len(windows)), throughput / seconds, unclean
}

func TestSimulationAgainstTheory(t *testing.T) {
	for _, c := range []struct {
		name              string
		of                scenario
		queue, throughput float64
		tolerance         float64
	}{
		{"M/M/1 at 50 %", scenario{server: server{workers: 1, work: exponential(0.005)}, load: steady(100)}, 1, 100,
			0.05},
		{"M/D/1 at 50 %", scenario{server: server{workers: 1, work: constant(0.005)}, load: steady(100)},
			0.75, 100, 0.05},
		{"M/M/1 by its rate", scenario{
			server: server{rate: func(int) float64 { return 200 }}, load: steady(100),
		}, 1, 100, 0.06},
		{"no limit", scenario{server: server{work: mixed(0.02, 20, always(0.1))}, load: steady(100)}, 2, 100, 0.05},
		{"no limit at half the speed", scenario{
			server: server{work: exponential(0.02)}, load: steady(100), speed: func(float64) float64 { return 0.5 },
		}, 4, 100, 0.05},
		{"users of a server without a limit", scenario{
			server: server{work: exponential(0.02)}, load: closed(50, 0.23, 0.1),
		}, 4, 200, 0.05},
		{"users of a full server", scenario{
			server: server{workers: 4, work: constant(0.01)}, load: closed(200, 0.1, 0.1),
		}, 160, 400, 0.02},
	} {
		t.Run(c.name, func(t *testing.T) {
			queue, throughput, _ := means(c.of, 300)
			if math.Abs(queue/c.queue-1) > c.tolerance || math.Abs(throughput/c.throughput-1) > 0.03 {
				t.Errorf("queue %.3f, throughput %.1f/s; want %.3f, %.1f/s", queue, throughput, c.queue, c.throughput)
			}
		})
	}
}

func TestStopsAreSimulatedAndTold(t *testing.T) {
	s := scenario{server: server{workers: 4, work: exponential(0.01)}, load: steady(200),
		stop: stop{0.2, 2, true, false}}
	if _, _, unclean := means(s, 20); unclean != 9*3 {
		t.Errorf("%d windows of stops, want %d", unclean, 9*3)
	}
	for i, w := range s.windows(1, 20) {
		if !w.Clean && w.Completions > 0 {
			t.Errorf("%v completions in the stopped window %d", w.Completions, i)
		}
	}
	s.stop.recovery = true
	if _, _, unclean := means(s, 20); unclean <= 9*4 || unclean > 9*20 {
		t.Errorf("%d windows of stops and recoveries", unclean)
	}
}

// The short form of make check-saturation.
func TestEstimates(t *testing.T) {
	brief := []string{
		"M/D/4, 400/s", "M/M/1, 200/s", "M/M/4, 400/s", "  users come and go", "  200 ms stops, told",
		"  200 ms stops, untold", "  60 ms stops, untold",
		"  speed as a ramp", "no limit, exp. 10 ms", "no limit, 200 ms stops, untold", "always at its limit, 100 users",
	}
	chosen := slices.DeleteFunc(families(), func(f family) bool { return !slices.Contains(brief, f.name) })
	if len(chosen) != len(brief) {
		t.Fatalf("%d of %d families", len(chosen), len(brief))
	}
	found := measure(chosen, 2, 1)
	got := judge(found)
	if 100*got.within < 85*got.runs || got.silent < got.without || !(got.scatter < 0.1) {
		t.Errorf("%+v", got)
	}
	printTable(io.Discard, found)
	printAims(io.Discard, found)
}

func TestAnAimThatIsMissedIsSaid(t *testing.T) {
	f := families()[0]
	f.truth = 7
	if printAims(io.Discard, measure([]family{f}, 1, 1)) {
		t.Error("an N* of 1 passed for one of 7")
	}
}
