// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"time"
)

// remaining is the weight that something still has after a time, if it counts half after another.
func remaining(after, half time.Duration) float64 {
	return math.Exp2(-after.Seconds() / half.Seconds())
}

// decayed are two sums that are compared, of the windows so far, of which less and less remains.
type decayed struct {
	keep        float64 // of both, one window later
	part, whole float64
}

func newDecayed(width, half time.Duration) decayed { return decayed{keep: remaining(width, half)} }

func (d *decayed) add(part, whole float64) {
	decay(&d.part, d.keep, part)
	decay(&d.whole, d.keep, whole)
}

// ratio is NaN or infinite where the whole is zero.
func (d *decayed) ratio() float64 { return d.part / d.whole }

// numbers are sums over windows of the number of requests in each; what is older fades.
type numbers struct{ windows, sum, squares float64 }

func (n *numbers) fade(remains float64) {
	n.windows, n.sum, n.squares = n.windows*remains, n.sum*remains, n.squares*remains
}

func (n *numbers) add(requests float64) {
	n.windows, n.sum, n.squares = n.windows+1, n.sum+requests, n.squares+requests*requests
}

func (n *numbers) mean() float64 { return n.sum / n.windows }

// dispersion is the variance over the mean. It is 1 if requests come at random and each stays for its own time
// (independence), and NaN if there were none.
func (n *numbers) dispersion() float64 { return n.squares/n.sum - n.mean() }

// decay adds a value to a sum of which only a share remains.
func decay(sum *float64, remains, value float64) { *sum = *sum*remains + value }
