// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

const ms = time.Millisecond

// three is a chain of three tiers whose database serves about 1,000 calls/s per server.
func three(users int, change func(*system)) system {
	s := system{
		users: users, think: 100 * ms, length: 90 * time.Second,
		tiers: []modelTier{
			{servers: 200, work: ms / 20, calls: 1},
			{servers: 2, work: ms / 2, calls: 3, gc: true},
			{servers: 2, work: ms},
		},
		random: rand.New(rand.NewPCG(1, 2)),
	}
	if change != nil {
		change(&s)
	}
	return s
}

func TestScenarios(t *testing.T) {
	for _, tt := range []struct {
		name string
		system
	}{
		{"healthy 30 %", three(20, nil)},
		{"healthy 70 %", three(47, nil)},
		{"database at its limit", three(150, nil)},
		{"database at its limit, pool of 32", three(150, func(s *system) { s.tiers[1].pool = 32 })},
		{"collections of 250 ms every 1.7 s", three(40, func(s *system) { s.tiers[1].stops = every(1700*ms, 250*ms) })},
		{"rare collections", three(40, func(s *system) { s.tiers[1].stops = every(40000*ms, 250*ms) })},
		{"database stopped, no pool", three(40, func(s *system) { s.tiers[2].stops = every(2000*ms, 200*ms) })},
		{"database stopped, pool of 8", three(40, func(s *system) {
			s.tiers[1].pool = 8
			s.tiers[2].stops = every(2000*ms, 200*ms)
		})},
		{"pool of 1", three(60, func(s *system) { s.tiers[1].pool = 1 })},
		{"pool of 6, slow calls", three(60, func(s *system) {
			s.tiers[1].pool = 6
			s.tiers[2].servers, s.tiers[2].work = 100, 8*ms
		})},
		{"few front workers", three(100, func(s *system) {
			s.tiers[0].pool = 4
			s.tiers[2].servers, s.tiers[2].work = 100, 8*ms
		})},
		{"alternation", three(150, func(s *system) {
			s.tiers[1].pool = 32
			s.tiers[1].stops = every(2000*ms, 200*ms)
		})},
		{"20/s, database stopped", three(0, func(s *system) {
			s.open = 20
			s.tiers[2].stops = every(2000*ms, 200*ms)
		})},
		{"20/s healthy", three(0, func(s *system) { s.open = 20 })},
		{"2,000/s healthy", three(0, func(s *system) {
			s.open = 500
			s.tiers[2].work = ms / 2
		})},
		{"burst", three(40, func(s *system) { s.burst = [2]time.Duration{60 * time.Second, 75 * time.Second} })},
	} {
		t.Run(tt.name, func(t *testing.T) {
			windows := tt.simulate()
			var front float64
			for i, ws := range windows {
				b := judgeAll(NewTier(testWidth), ws, 30*time.Second)
				if i == 0 {
					front = b.completions
				}
				line := fmt.Sprintf("%s: own %.2f ms", []string{"front", "app", "db"}[i], 1000*b.own/front)
				for c, v := range b.charges {
					line += fmt.Sprintf("; %s %s %.2f", c.Cause, c.To, 1000*v/front)
				}
				for c, v := range b.left {
					line += fmt.Sprintf("; left behind %s %.2f", c, 1000*v/front)
				}
				line += fmt.Sprint("; ", b.states)
				t.Log(line)
			}
		})
	}
}
