// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"time"
)

// trouble is a fault that comes and goes in the course of a day.
type trouble struct {
	make  func(c *scenario, from time.Duration) // adds the fault to the scenario
	truth []string                              // any of these names is right while the fault lasts
	half  []string
}

// A day begins without a fault. Each fault lasts as long as an operator would need to look at it, and ends long enough
// before the next one for the verdict, which is about the last minute, to become healthy again.
const (
	dayBegins    = 2 * time.Minute
	troubleLasts = 2 * time.Minute
	dayRests     = 150 * time.Second
	// A fault has to be named so long after it begins; and so long after its end it has to be forgotten.
	noticedAfter   = 45 * time.Second
	forgottenAfter = 75 * time.Second
)

// day is one long run of an application with several faults one after the other, under the same exporters and the same
// Prometheus. It shows whether the tenth minute is judged as well as the first: neither what was learned before a fault
// nor what a fault has left behind may change a verdict.
func day(visitors demand, troubles ...trouble) scenario {
	c := scenario{name: "day", loads: visitors, expect: always("healthy")}
	from := dayBegins
	for _, t := range troubles {
		end := from + troubleLasts
		open := slices.Concat([]string{"healthy", "learning"}, t.truth)
		c.expect = c.expect.then(from, open...).then(from+noticedAfter, t.truth...).or(t.half...).
			then(end, open...).or(t.half...).then(end+forgottenAfter, "healthy")
		t.make(&c, from)
		from = end + dayRests
	}
	c.lasts = from
	return c
}

// stopsFor stops a tier every two seconds.
func stopsFor(tier string, length time.Duration) trouble {
	return trouble{truth: []string{bottleneck(tier, "stopped")}, make: func(c *scenario, from time.Duration) {
		c.stops = append(c.stops, stops{tier: tier, every: 2 * second, length: length, from: from, lasts: troubleLasts})
	}}
}

// crowdAt is a crowd beside the visitors, which a tier can't serve. Whether it is a burst or too many for good is known
// to nobody while it lasts.
func crowdAt(tier string, users int, think time.Duration, pages ...string) trouble {
	return trouble{
		truth: []string{bottleneck(tier, "demand"), bottleneck(tier, "burst")},
		half:  []string{bottleneck(tier, "unknown")},
		make: func(c *scenario, from time.Duration) {
			c.loads = c.loads.and(load{users: users, think: think, pages: pages, from: from, duration: troubleLasts})
		},
	}
}

// besetFor starts neighbours on every processor, at the priority of the servers.
func besetFor() trouble {
	return trouble{
		truth: []string{"single_bottleneck/*/noisy_neighbour"}, half: []string{"healthy"},
		make: func(c *scenario, from time.Duration) {
			c.alike = true
			c.beside = func(s *stack) error {
				return s.besetBy("sh", "-c", `sleep "$0"; exec timeout "$@"`, fmt.Sprint(from.Seconds()),
					fmt.Sprint(troubleLasts.Seconds()))
			}
		},
	}
}
