// SPDX-License-Identifier: Apache-2.0

package whatif

import "math"

// measure is what the trace itself says about a part of it, in the form of an outcome.
func (t Trace) measure(front int, begin, length float64) outcome {
	from := int(math.Round(begin / t.Width))
	to := min(from+int(math.Round(length/t.Width)), t.Windows())
	seconds := float64(to-from) * t.Width
	completed := sum(t.Tiers[front].Completions[from:to])
	o := outcome{throughput: completed / seconds}
	inside := 0.0
	for _, u := range t.Tiers {
		own := mean(u.Own[from:to])
		inside += own
		o.own = append(o.own, own)
		o.visits = append(o.visits, sum(u.Completions[from:to])/seconds)
	}
	o.response = mean(t.Tiers[front].Queue[from:to]) / o.throughput
	return o
}

// aftermath is how long a stop is felt after its end, in seconds: the demo's
// queues take 0.3 s after collections of 0.2 s.
const aftermath = 0.5

// separate splits own queues: windows in which a stop of a window's width or more has an effect, and quiet
// windows. It reports whether there are enough of both.
func (t Trace) separate(n *network, r run, o *outcome) bool {
	felt := make([]bool, t.Windows())
	for _, s := range n.stations {
		for _, x := range s.stops {
			if x.length < t.Width {
				continue
			}
			last := int((x.begin + x.length + aftermath) / t.Width)
			for k := int(x.begin / t.Width); k <= last && k < len(felt); k++ {
				felt[k] = true
			}
		}
	}
	var quiet, total float64
	o.quiet, o.felt = make([]float64, len(t.Tiers)), make([]float64, len(t.Tiers))
	for k := int(r.begin / t.Width); k < int((r.begin+r.length)/t.Width) && k < len(felt); k++ {
		total++
		for i, u := range t.Tiers {
			if felt[k] {
				o.felt[i] += u.Own[k]
			} else {
				o.quiet[i] += u.Own[k]
			}
		}
		if !felt[k] {
			quiet++
		}
	}
	for i := range t.Tiers {
		o.quiet[i] /= max(1, quiet)
		o.felt[i] /= max(1, total-quiet)
	}
	return quiet >= total/10 && total-quiet >= total/10
}
