// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
)

func TestTransitionsAddUp(t *testing.T) {
	for from, row := range next {
		sum := 0
		for _, percent := range row {
			sum += percent
		}
		if sum != 100 {
			t.Errorf("transitions from %s add up to %d %%, want 100", page(from), sum)
		}
	}
}

// The stationary mix that the comment beside next promises.
func TestMix(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const n = 200_000
	var seen [pages]float64
	at := storiesOfTheDay
	for range n {
		seen[at]++
		at = follow(at, r)
	}
	for p, want := range [pages]float64{0.22, 0.39, 0.20, 0.09, 0.10} {
		if got := seen[p] / n; math.Abs(got-want) > 0.015 {
			t.Errorf("%s: %.3f of the pages, want about %.2f", page(p), got, want)
		}
	}
}

func TestPathsAreValid(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for p := range pages {
		for range 1000 {
			got := path(p, r)
			u, err := url.ParseRequestURI(got)
			if err != nil || !strings.HasPrefix(u.Path, "/"+p.String()) {
				t.Fatalf("path(%s) = %q: %v", p, got, err)
			}
		}
	}
}
