// SPDX-License-Identifier: Apache-2.0

package saturation

import "math"

// light adds up windows with at most one request in the queue. Their residence is a rough R0. If the load hardly
// varies, it is known sooner than the curves can give R0. On a busy station it is a little too low, because short
// queues there are a matter of luck. It says nothing about N*.
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

// residence is in seconds per completion; NaN while too few were seen.
func (l *light) residence() float64 {
	if l.windows < lightWindows || l.completions < lightCompletions {
		return math.NaN()
	}
	return l.area / l.completions
}
