// SPDX-License-Identifier: Apache-2.0

package saturation

import "math"

// spread is the range of queue lengths that blocks had, by time: a histogram over quarters of an octave.
type spread struct {
	seconds [128]float64
	total   float64
}

func (s *spread) add(block unit) {
	i := min(max(int(math.Round(4*math.Log2(block.area/block.seconds)))+64, 0), len(s.seconds)-1)
	s.seconds[i] += block.seconds
	s.total += block.seconds
}

// at is the queue length below which the given share of the time was spent.
func (s *spread) at(share float64) float64 {
	sum := 0.0
	for i, seconds := range s.seconds {
		if sum += seconds; sum >= share*s.total {
			return math.Exp2(float64(i-64) / 4)
		}
	}
	return 0
}

// Estimate is what the windows so far tell.
func (e *Estimator) Estimate() Estimate {
	nan := math.NaN()
	out := Estimate{Base: nan, MaxThroughput: nan, SaturationPoint: nan, Low: nan, High: nan, Speed: nan}
	f := e.filter
	if f.span == 0 {
		return out
	}
	low, middle, high := f.quantile(0.05), f.quantile(0.5), f.quantile(0.95)
	base, baseSpread := f.base()
	if baseSpread < 0.2 {
		out.Base = math.Exp(-base)
	}
	from, to := e.range_.at(0.05), e.range_.at(0.95)
	switch {
	case high/low < 2 && middle < to:
		out.Status = Known
		out.SaturationPoint, out.Low, out.High = middle, low, high
		out.MaxThroughput = middle / out.Base
		out.Windows = e.windows
	case low > to && out.Base > 0:
		out.Status = NeverNearLimit
	case high < from:
		out.Status = AlwaysAtLimit
		out.Base = nan
	}
	return out
}

// quantile of N*.
func (f *filter) quantile(share float64) float64 {
	sum := 0.0
	for i := range points {
		mass := 0.0
		for p := range shapes {
			mass += f.probability[p*points+i]
		}
		if sum+mass >= share {
			return math.Exp2((float64(i) - 0.5 + (share-sum)/mass) / perOctave)
		}
		sum += mass
	}
	return candidates[points-1]
}

// base is the mean and the spread of the logarithm of 1/R0.
func (f *filter) base() (mean, deviation float64) {
	for i, p := range f.probability {
		mean += p * f.learned[i]
	}
	for i, p := range f.probability {
		deviation += p * (f.learned[i] - mean) * (f.learned[i] - mean)
	}
	return mean, math.Sqrt(deviation)
}
