// SPDX-License-Identifier: Apache-2.0

package whatif

import "math"

const (
	// seen is how many windows must show a station's speed before it is replayed.
	seen = 20
	// filled is how long an own queue has to be, beyond twice N*, for the
	// station to have had work at every moment of the window.
	filled = 2.0
)

// speedOf is a station's speed in each window, relative to its mean: processors are shared, and a query may
// cost a hundred times as much as another. The speed shows only if there was work all the time: in a window
// with a long queue between two others with long queues. Elsewhere it is 1. The random variation of the
// completions of a steady station (its variance is the mean) is taken out. It is nil if the speed didn't
// show, or was steady.
func speedOf(u Tier, s station, width float64) []float64 {
	if math.IsInf(s.servers, 1) {
		return nil
	}
	long := func(k int) bool { return u.Own[k] >= 2*s.servers+filled }
	stopped := make([]bool, len(u.Own))
	for _, x := range s.stops {
		for k := int(x.begin / width); k <= int((x.begin+x.length)/width) && k < len(stopped); k++ {
			stopped[k] = true
		}
	}
	var windows []int
	var completions []float64
	for k := 1; k+1 < len(u.Own); k++ {
		if long(k-1) && long(k) && long(k+1) && !stopped[k] {
			windows, completions = append(windows, k), append(completions, u.Completions[k])
		}
	}
	if len(windows) < seen {
		return nil
	}
	m, deviation := meanAndDeviation(completions)
	if m == 0 || deviation*deviation <= m {
		return nil
	}
	keep := math.Sqrt(1 - m/(deviation*deviation))
	speed := make([]float64, len(u.Own))
	for k := range speed {
		speed[k] = 1
	}
	for i, k := range windows {
		speed[k] = max(0, 1+(completions[i]/m-1)*keep)
	}
	return speed
}
