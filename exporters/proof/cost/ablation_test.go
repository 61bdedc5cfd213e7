// SPDX-License-Identifier: Apache-2.0

package main

import "testing"

// A machine that grows slower steadily, there and back, favours no step.
func TestRatiosOfADriftingMachine(t *testing.T) {
	all := []*step{{name: "nothing"}, {name: "one"}, {name: "two"}}
	factors := map[string]float64{"nothing": 1, "one": 0.9, "two": 0.8}
	speed := 1000.0
	err := eachVisit(all, 2, func(s *step) (visit, error) {
		speed -= 10
		return visit{rate: speed * factors[s.name]}, nil
	}, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		for round, got := range s.ratios((*step).rate, all[0]) {
			if want := factors[s.name]; got < want-1e-9 || got > want+1e-9 {
				t.Errorf("%s, round %d: ratio %v, want %v", s.name, round, got, want)
			}
		}
	}
}
