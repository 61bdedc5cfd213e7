// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// randoms are stacks of any shape: rings, tiers that call themselves, on several servers, destinations that nobody
// measures, equal values everywhere. Nothing is known of them but what holds for every stack: one verdict, sums, no
// failing rule.
func randoms() []truth {
	var all []truth
	for seed := range uint64(12) {
		random := rand.New(rand.NewPCG(seed, 7))
		pick := func(of ...string) string { return of[random.IntN(len(of))] }
		name := func() string { return string(rune('a' + random.IntN(5))) }
		s := stack{phases: []int{60, 60, 60}}
		for i := range 5 {
			for server := range 1 + random.IntN(2) {
				v := newServer(random, pick, name)
				v.tier, v.instance = string(rune('a'+i)), fmt.Sprintf("h%d:9965", server)
				s.servers = append(s.servers, v)
			}
		}
		seen := map[string]bool{}
		for range 8 {
			e := edge{from: name(), to: pick(name(), name(), name(), "10.0.0.9:80"), instance: "h0:9965",
				calls: float64(100 * random.IntN(3)), pearson: -0.3 * float64(random.IntN(3))}
			if seen[e.from+e.to] {
				continue
			}
			seen[e.from+e.to] = true
			if random.IntN(2) == 0 {
				e.stops = x{pick("garbage_collection", "stopped"): float64(random.IntN(3))}
			}
			if e.to == "10.0.0.9:80" && random.IntN(2) == 0 {
				e.waits = float64(1 + random.IntN(3))
				e.stops = x{pick("stalled", "behind", "unknown", "stopped"): float64(random.IntN(int(e.waits) + 1))}
			}
			s.edges = append(s.edges, e)
		}
		all = append(all, truth{name: fmt.Sprintf("random stack %d", seed), stack: s})
	}
	return all
}

// newServer has loads whose parts are small whole numbers, for many that are equal.
func newServer(random *rand.Rand, pick func(...string) string, name func() string) server {
	v := server{status: pick("known", "learning", "always_at_limit", "never_near_limit"),
		r0: 0.01 * float64(random.IntN(2))}
	for range 3 {
		l := load{completions: 100 * float64(random.IntN(2)), excess: x{}, tail: x{}}
		for range random.IntN(4) {
			cause := pick("garbage_collection", "stopped", "starved", "demand", "unknown", "soft_resource",
				"behind", "stalled",
				"place", "disk")
			if slices.Contains([]string{"soft_resource", "behind", "stalled", "place"}, cause) {
				cause += ">" + pick(name(), name(), "10.0.0.9:80")
			}
			l.excess[cause] = float64(1 + random.IntN(2))
			l.tail[cause] = float64(random.IntN(3))
		}
		for _, excess := range l.excess {
			l.own += excess
		}
		l.own += float64(random.IntN(2))
		v.loads = append(v.loads, l)
	}
	return v
}
