// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"math/rand/v2"
)

// family is a kind of server, load and machine with a known truth.
type family struct {
	name   string
	truth  float64 // N*; NaN if there is none, or none can be known
	base   float64 // R0 in seconds at speed 1; NaN if it cannot be known
	one    bool    // the server that all conditions have in common
	beside bool    // shown, but not among the aims
	of     scenario
}

func constant(work float64) func(*rand.Rand, float64) float64 {
	return func(*rand.Rand, float64) float64 { return work }
}

func exponential(mean float64) func(*rand.Rand, float64) float64 {
	return func(rng *rand.Rand, _ float64) float64 { return rng.ExpFloat64() * mean }
}

// mixed is short work and, for a share of the requests that may change, work that is this many times as long.
func mixed(mean, times float64, share func(t float64) float64) func(*rand.Rand, float64) float64 {
	return func(rng *rand.Rand, t float64) float64 {
		part := share(t)
		short := mean / (1 - part + part*times)
		if rng.Float64() < part {
			return short * times
		}
		return short
	}
}

func always(share float64) func(float64) float64 { return func(float64) float64 { return share } }

// swing is a load that swings around its mean, both as rates.
func swing(mean, amplitude, period float64) load {
	return load{
		rate: func(t float64) float64 { return mean * (1 + amplitude*math.Sin(2*math.Pi*t/period)) },
		peak: mean * (1 + amplitude),
	}
}

// bursts alternates between two rates.
func bursts(low, high, lowFor, highFor float64) load {
	return load{
		rate: func(t float64) float64 {
			if math.Mod(t, lowFor+highFor) < lowFor {
				return low
			}
			return high
		},
		peak: max(low, high),
	}
}

// steady is a constant rate.
func steady(rate float64) load { return swing(rate, 0, 1) }

// closed are this many users, who come over this many seconds.
func closed(users int, think, over float64) load {
	return load{users: func(t float64) int { return min(users, 1+int(float64(users)*t/over)) }, think: think}
}

// waves are users who come and go.
func waves(low, high int, think, period float64) load {
	return load{think: think, users: func(t float64) int {
		return low + int(float64(high-low)*(0.5-0.5*math.Cos(2*math.Pi*t/period)))
	}}
}

func sine(amplitude, period float64) func(float64) float64 {
	return func(t float64) float64 { return 1 + amplitude*math.Sin(2*math.Pi*t/period) }
}

func ramp(from, to, over float64) func(float64) float64 {
	return func(t float64) float64 { return from + (to-from)*min(1, t/over) }
}

func step(from, to, every float64) func(float64) float64 {
	return func(t float64) float64 {
		if math.Mod(t, 2*every) < every {
			return from
		}
		return to
	}
}

// cold is a server that warms up.
func cold(least, over float64) func(float64) float64 {
	return func(t float64) float64 { return least + (1-least)*min(1, t/over) }
}

func families() []family {
	nan := math.NaN()
	mmc := func(c int, rate float64) server { return server{workers: c, work: exponential(float64(c) / rate)} }
	mdc := func(c int, rate float64) server { return server{workers: c, work: constant(float64(c) / rate)} }
	full := func(rate float64) load { return swing(0.75*rate, 0.7, 30) }
	open := func(name string, c int, rate float64, s server) family {
		return family{name: name, truth: float64(c), base: float64(c) / rate, of: scenario{server: s, load: full(rate)}}
	}
	// The server that is tested under all conditions: four workers, 400 requests/s. It shows what is lost
	// if the judge does not count recoveries.
	beside := func(name string, s stop) family {
		return family{name: name, truth: 4, base: 0.01, beside: true,
			of: scenario{server: mmc(4, 400), load: full(400), stop: s}}
	}
	one := func(name string, s scenario) family {
		s.server = mmc(4, 400)
		if s.load.rate == nil && s.load.users == nil {
			s.load = full(400)
		}
		return family{name: name, truth: 4, base: 0.01, one: true, of: s}
	}
	power := func(n int) float64 { return 50 * math.Pow(float64(min(n, 8)), 0.8) }
	falling := func(n int) float64 {
		return 100 * float64(min(n, 6)) / (1 + 0.003*float64(max(0, n-6)))
	}
	return []family{
		open("M/D/1, 100/s", 1, 100, mdc(1, 100)),
		open("M/D/1, 1000/s", 1, 1000, mdc(1, 1000)),
		open("M/D/4, 400/s", 4, 400, mdc(4, 400)),
		open("M/D/4, 5000/s", 4, 5000, mdc(4, 5000)),
		open("M/D/16, 200/s", 16, 200, mdc(16, 200)),
		open("M/M/1, 20/s", 1, 20, mmc(1, 20)),
		open("M/M/1, 200/s", 1, 200, mmc(1, 200)),
		open("M/M/1, 2000/s", 1, 2000, mmc(1, 2000)),
		open("M/M/2, 300/s", 2, 300, mmc(2, 300)),
		open("M/M/4, 20/s", 4, 20, mmc(4, 20)),
		open("M/M/4, 5000/s", 4, 5000, mmc(4, 5000)),
		open("M/M/16, 1000/s", 16, 1000, mmc(16, 1000)),
		one("M/M/4, 400/s", scenario{}),
		one("  bursts of 3 s", scenario{load: bursts(120, 520, 6, 3)}),
		one("  users come in 30 s", scenario{load: closed(120, 0.25, 30)}),
		one("  users come and go", scenario{load: waves(10, 160, 0.25, 20)}),
		beside("  200 ms stops, told with the recovery", stop{0.2, 2, true, true}),
		one("  200 ms stops, told", scenario{stop: stop{0.2, 2, true, false}}),
		one("  60 ms stops, told", scenario{stop: stop{0.06, 0.5, true, false}}),
		one("  200 ms stops, untold", scenario{stop: stop{0.2, 2, false, false}}),
		beside("  60 ms stops, told with the recovery", stop{0.06, 0.5, true, true}),
		one("  60 ms stops, untold", scenario{stop: stop{0.06, 0.5, false, false}}),
		one("  speed in steps", scenario{speed: step(0.7, 1.3, 25)}),
		one("  speed as a ramp", scenario{speed: ramp(1.3, 0.7, 60)}),
		one("  speed as a sine", scenario{speed: sine(0.3, 90)}),
		one("  herd at the start", scenario{speed: cold(0.2, 15)}),
		{name: "4 workers, 1:20, 400/s", truth: 4, base: 0.01,
			of: scenario{server: server{workers: 4, work: mixed(0.01, 20, always(0.1))}, load: full(400)}},
		{name: "8 workers, 1:20, 1000/s", truth: 8, base: 0.008,
			of: scenario{server: server{workers: 8, work: mixed(0.008, 20, always(0.5))}, load: full(1000)}},
		{name: "4 workers, changing mix", truth: 4, base: 0.01, of: scenario{
			server: server{workers: 4, work: func(rng *rand.Rand, t float64) float64 {
				if rng.Float64() < 0.3+0.2*math.Sin(2*math.Pi*t/70) {
					return 0.005 * 5
				}
				return 0.005
			}}, load: swing(300, 0.5, 30)}},
		{name: "rate 50 n^0.8 to 8", truth: math.Pow(8, 0.8), base: 0.02,
			of: scenario{server: server{rate: power}, load: swing(0.75*power(8), 0.7, 30)}},
		{name: "falls beyond 6 of 600/s", truth: 6, base: 0.01,
			of: scenario{server: server{rate: falling}, load: waves(20, 260, 0.25, 20)}},

		{name: "no limit, exp. 10 ms", truth: nan, base: 0.01,
			of: scenario{server: server{work: exponential(0.01)}, load: full(400)}},
		{name: "no limit, const. 200 ms", truth: nan, base: 0.2,
			of: scenario{server: server{work: constant(0.2)}, load: full(100)}},
		{name: "no limit, 1:20", truth: nan, base: 0.02,
			of: scenario{server: server{work: mixed(0.02, 20, always(0.1))}, load: full(400)}},
		{name: "no limit, 1:20, steady", truth: nan, base: 0.02,
			of: scenario{server: server{work: mixed(0.02, 20, always(0.1))}, load: steady(400)}},
		{name: "no limit, users", truth: nan, base: 0.02,
			of: scenario{server: server{work: exponential(0.02)}, load: waves(10, 160, 0.25, 20)}},
		{name: "no limit, 200 ms stops, told", truth: nan, base: 0.01,
			of: scenario{server: server{work: exponential(0.01)}, load: full(400), stop: stop{0.2, 2, true, true}}},
		{name: "no limit, 200 ms stops, untold", truth: nan, base: 0.01,
			of: scenario{server: server{work: exponential(0.01)}, load: full(400), stop: stop{0.2, 2, false, false}}},
		{name: "no limit, 60 ms stops, untold", truth: nan, base: 0.01,
			of: scenario{server: server{work: exponential(0.01)}, load: full(400),
				stop: stop{0.06, 0.5, false, false}}},
		{name: "no limit, speed as a sine", truth: nan, base: 0.01,
			of: scenario{server: server{work: exponential(0.01)}, load: full(400), speed: sine(0.3, 90)}},
		{name: "no limit, changing mix", truth: nan, base: 0.01, of: scenario{
			server: server{work: func(rng *rand.Rand, t float64) float64 {
				if rng.Float64() < 0.3+0.2*math.Sin(2*math.Pi*t/70) {
					return 0.005 * 5
				}
				return 0.005
			}}, load: swing(300, 0.5, 30)}},
		{name: "M/M/16 at 5 to 30 %", truth: nan, base: 0.016,
			of: scenario{server: mmc(16, 1000), load: swing(180, 0.7, 30)}},
		{name: "M/M/4 at 2 to 15 %, 20/s", truth: nan, base: 0.03,
			of: scenario{server: server{workers: 4, work: exponential(0.03)}, load: swing(11, 0.7, 30)}},
		{name: "always at its limit, 100 users", truth: nan, base: nan,
			of: scenario{server: mdc(4, 444), load: closed(100, 0.1, 0.5)}},
		{name: "always at its limit, waves", truth: nan, base: nan,
			of: scenario{server: mmc(4, 444), load: waves(80, 200, 0.1, 20)}},
		{name: "always at its limit, 20/s", truth: nan, base: nan,
			of: scenario{server: mmc(2, 20), load: waves(30, 80, 0.5, 30)}},
	}
}
