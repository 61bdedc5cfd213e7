// SPDX-License-Identifier: Apache-2.0

package saturation

import "math"

// light sums windows with at most one request in the queue. Their residence is a rough R0, known sooner than the curves
// can tell one where the load hardly varies. It is a little too low on a busy station, where such windows are the lucky
// ones, and it says nothing of N*.
type light struct{ windows, area, completions float64 }

const (
	lightQueue       = 1.0
	lightWindows     = 20
	lightCompletions = 100 // 10 % noise if they are random
)

func (l *light) add(w Window, width float64) {
	if !w.Clean || w.Queue <= 0 || w.Queue > lightQueue {
		return
	}
	keep := math.Exp2(-width / halfLife)
	l.windows = l.windows*keep + 1
	l.area = l.area*keep + w.Queue*width
	l.completions = l.completions*keep + w.Completions
}

// residence is seconds per completion; NaN while too few were seen.
func (l *light) residence() float64 {
	if l.windows < lightWindows || l.completions < lightCompletions {
		return math.NaN()
	}
	return l.area / l.completions
}
