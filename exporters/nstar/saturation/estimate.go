// SPDX-License-Identifier: Apache-2.0

package saturation

import "math"

// lowEnd and highEnd are the quantiles at the ends of the interval. The noise is estimated a little too high, so these
// quantiles contain the truth in 90 % of the simulated runs.
const lowEnd, highEnd = 0.07, 0.93

const (
	widest = 2.6  // N* becomes known when the ends of its interval differ by no more than this factor,
	lost   = 4.0  // and stays known until they differ by more than this one
	vague  = 0.2  // R0 is known when its spread is less
	rare   = 0.02 // share of the time for which a tier may have longer or shorter queues than its range
	first  = 15.0 // seconds before anything is said: the start is not typical
	side   = 2.0  // seconds below N*, and seconds beyond it
	beyond = 1.4  // times N*, which counts as beyond it
	tempo  = 20.0 // seconds in which N* follows new estimates

	// limited is the share of TPmax from which on a station is at its limit. At N*, a single worker with random
	// arrivals has half of TPmax, and is healthy.
	limited = 0.8
	// crowd is how many requests are always in a station at its limit. Fewer than that come together by chance.
	crowd = 4
)

// settle decides after a block whether there is a saturation point. The point moves slowly, because thresholds are
// compared with it.
func (e *Estimator) settle(seconds float64) {
	low, best, high := e.filter.quantile(lowEnd), e.filter.best(), e.filter.quantile(highEnd)
	switch {
	case high > low*lost || high > candidates[points-1]:
		e.known = false
		return
	case !e.known && (high > low*widest || !e.filter.bothSides(best)):
		return
	case !e.known || e.point < low || e.point > high:
		e.point = best
	default:
		e.point *= math.Pow(best/e.point, -math.Expm1(-seconds/tempo))
	}
	e.known = true
	e.low, e.high = min(low, e.point), max(high, e.point)
}

// bothSides reports whether the station was seen long enough both below and above the saturation point n.
func (f *filter) bothSides(n float64) bool {
	below, above, all := 0.0, 0.0, 0.0
	for j, d := range f.classes {
		if d == nil {
			continue
		}
		from := math.Exp2(float64(j)/perClass + lightest)
		if all += d.seconds; from < n {
			below += d.seconds
		} else if from >= n*beyond {
			above += d.seconds
		}
	}
	return all >= first && below >= side && above >= side
}

// beyond reports whether the station is at its limit at all queue lengths from n on.
func (f *filter) beyond(n float64) bool {
	seconds := 0.0
	for _, d := range f.classes {
		if d != nil {
			seconds += d.seconds
		}
	}
	return seconds >= first && n >= crowd && f.quantile(highEnd) < n && f.level(n) >= limited*f.level(math.Inf(1))
}

// Estimate returns what is known from the windows so far.
func (e *Estimator) Estimate() Estimate {
	nan := math.NaN()
	out := Estimate{Base: nan, MaxThroughput: nan, SaturationPoint: nan, Low: nan, High: nan, Speed: nan}
	f := e.filter
	if f.span > 0 {
		e.learned(&out)
	}
	if f.started {
		out.Speed = f.pace()
	}
	if out.Status == Learning && math.IsNaN(out.Base) {
		out.Base = e.light.residence()
	}
	e.give(&out)
	return out
}

// learned fills in what the filter has learned.
func (e *Estimator) learned(out *Estimate) {
	f := e.filter
	from, to := e.lengths.at(rare), e.lengths.at(1-rare)
	speed, spread := f.mean()
	switch {
	case e.known:
		out.Status, out.Windows = Known, e.windows
		out.SaturationPoint, out.Low, out.High = e.point, e.low, e.high
		if out.MaxThroughput = f.level(math.Inf(1)); !f.started {
			out.MaxThroughput = e.point * math.Exp(speed) // as before the restart
		}
		out.Base = e.point / out.MaxThroughput
	case f.started && f.quantile(lowEnd) > to && spread < vague:
		out.Status, out.Base = NeverNearLimit, math.Exp(-speed)
	case f.started && f.beyond(from) || e.flat.says(e.limit):
		out.Status = AlwaysAtLimit
		out.MaxThroughput = f.level(e.lengths.at(0.5))
		if e.limit >= 1 && e.limit < from {
			out.SaturationPoint, out.Low, out.High = e.limit, 1, e.limit
		}
	case spread < vague:
		out.Base = math.Exp(-speed)
	}
}

// give replaces what was learned by what the configuration says.
func (e *Estimator) give(out *Estimate) {
	limited := out.Status == Known || out.Status == AlwaysAtLimit
	switch base, point := e.given.Base, e.given.SaturationPoint; {
	case point > 0 && base > 0:
		out.Base, out.MaxThroughput = base, point/base
	case point > 0 && limited:
		out.Base = point / out.MaxThroughput
	case base > 0:
		out.Base = base
		if out.Status == AlwaysAtLimit {
			// TPmax was measured at some speed of the machine, while the given base may hold for another
			// speed.
			n := max(1, out.MaxThroughput*base)
			out.SaturationPoint, out.Low, out.High = n, max(1, n/drift), n*drift
			out.Status, out.Windows = Known, e.windows
		} else if out.Status == Known {
			out.MaxThroughput = out.SaturationPoint / base
		}
	}
	if n := e.given.SaturationPoint; n > 0 {
		out.SaturationPoint, out.Low, out.High, out.Status = n, n, n, Known
	}
}

// drift is how far a machine's speed may differ from its earlier speed, as a factor.
const drift = 1.3

// marginal is the probability of each candidate of N*.
func (f *filter) marginal() (m [points]float64) {
	for i := range f.probability {
		m[i%points] += f.probability[i]
	}
	return m
}

// quantile is a quantile of N*.
func (f *filter) quantile(share float64) float64 {
	return cut(f.marginal(), share)
}

// best is the median of N*, weighted by the square of its probabilities. This is the median if the probabilities are
// symmetrical. It is near the bound if they lie against it, as with a single worker.
func (f *filter) best() float64 {
	m, sum := f.marginal(), 0.0
	for i := range m {
		m[i] *= m[i]
		sum += m[i]
	}
	return cut(m, sum/2)
}

// cut is the N* below which the given part of the mass lies.
func cut(masses [points]float64, below float64) float64 {
	for i, mass := range masses {
		if below <= mass {
			return max(1, math.Exp2((float64(i)-0.5+below/mass)/perOctave))
		}
		below -= mass
	}
	return candidates[points-1]
}

// mean returns the mean of the logarithm of 1/R0, and its spread over the curves.
func (f *filter) mean() (mean, spread float64) {
	for i, p := range f.probability {
		mean += p * f.learned[i]
	}
	for i, p := range f.probability {
		spread += p * (f.learned[i] - mean) * (f.learned[i] - mean)
	}
	return mean, math.Sqrt(spread)
}

// level is the throughput with n requests at the learned speed. For an infinite n it is the asymptote.
func (f *filter) level(n float64) float64 {
	mean := 0.0
	for i, p := range f.probability {
		at := math.Log(candidates[i%points])
		if x := n / candidates[i%points]; !math.IsInf(x, 1) && x > 0 {
			at += math.Log(x) + math.Log(shapes[i/points].efficiency(x))
		}
		mean += p * (f.learned[i] + at)
	}
	return math.Exp(mean)
}

// pace is the present speed relative to the learned one.
func (f *filter) pace() float64 {
	mean := 0.0
	for i, p := range f.probability {
		mean += p * (f.speed[i] - f.learned[i])
	}
	return math.Exp(mean)
}
