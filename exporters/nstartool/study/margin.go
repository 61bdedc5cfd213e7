// SPDX-License-Identifier: Apache-2.0

package study

import (
	"math"
	"math/rand/v2"
)

// Sources of M, the width of the gray zone.
const (
	GivenMargin   = "given"
	AddedServer   = "added server"     // measured: where one more server gains
	FromCurve     = "throughput curve" // predicted from the roundness of the curve's knee
	DefaultMargin = "default"          // the curve says nothing about it
)

// Margin is M: the gray zone goes from (1 - M) Th0.95 to Th0.95.
type Margin struct {
	Estimate
	Source string
	// From is the number of clients from which one more server gains 2 %; 0 if unknown.
	From float64
	// Bounded says that the gain begins earlier than M is let say.
	Bounded bool
}

const (
	// gainOfServer is the least gain that makes one more server beneficial
	// (thesis, section 3.5.1).
	gainOfServer = 0.02
	// thesisMargin is what the thesis chose for all its setups.
	thesisMargin = 0.07
	// widestMargin bounds M. If the knee is so round that one more server helps far below the capacity,
	// it helps by shorter answers and not by capacity; the thesis uses no gray zone there (section
	// 5.2.1.2). With a wide gray zone, a metric that changes long before the capacity would be called
	// reliable.
	widestMargin = 0.2
)

// chooseMargin finds M by the added server if there is one, otherwise from the curve. added replaces the
// throughput of the added experiment, point by point.
func chooseMargin(clients, throughput []float64, s *Setup, added [][]float64) Margin {
	if s.Added != nil {
		if m, ok := measuredMargin(clients, throughput, s.Added, added); ok {
			return m
		}
	}
	servers := max(1, s.Servers)
	if k, ok := fitKnee(clients, throughput); ok {
		share := k.shareAtGain(1 + 1/float64(servers))
		m := max(0, 1-share*k.capacity/(peakShare*maximum(throughput)))
		bounded := m > widestMargin
		m = min(m, widestMargin)
		return Margin{Estimate: Estimate{m, m, m}, Source: FromCurve, From: k.clientsAt(share), Bounded: bounded}
	}
	return Margin{Estimate: Estimate{thesisMargin, thesisMargin, thesisMargin}, Source: DefaultMargin}
}

// measuredMargin is the thesis's own way: the gray zone begins at the first number of clients from which the
// added server keeps gaining 2 %. M lies between the value that just covers that point and the value that
// would cover the point before; the smallest is taken.
func measuredMargin(clients, throughput []float64, added *Setup, redrawn [][]float64) (Margin, bool) {
	more := map[float64]float64{}
	for i, p := range added.Points {
		runs := p.Throughput
		if redrawn != nil {
			runs = redrawn[i]
		}
		more[p.Clients] = mean(runs)
	}
	first := -1
	for i := len(clients) - 1; i >= 0; i-- {
		y, ok := more[clients[i]]
		if !ok {
			continue
		}
		if y < throughput[i]*(1+gainOfServer) {
			break
		}
		first = i
	}
	if first < 0 {
		return Margin{}, false
	}
	th95 := peakShare * maximum(throughput)
	m := Margin{Source: AddedServer, From: clients[first]}
	// Just above the value that covers the point, so that rounding does not lose it.
	m.Low = max(0, 1-throughput[first]/th95)
	m.High = 1
	if first > 0 {
		m.High = max(m.Low, 1-throughput[first-1]/th95)
	}
	m.Value = m.Low + 1e-9
	if m.Value > widestMargin {
		m.Value, m.Low, m.High, m.Bounded = widestMargin, widestMargin, widestMargin, true
	}
	return m, true
}

func redrawAdded(r *rand.Rand, s *Setup) [][]float64 {
	if s.Added == nil {
		return nil
	}
	var all [][]float64
	for _, p := range s.Added.Points {
		one := make([]float64, len(p.Throughput))
		for i := range one {
			one[i] = p.Throughput[r.IntN(len(p.Throughput))]
		}
		all = append(all, one)
	}
	return all
}

// knee is a throughput curve without noise. Few clients get their answers at
// their own pace, pace per client; many get the capacity together; near the
// knee they wait for each other the more, the rounder it is:
//
//	X(N) = ((pace N)^-p + capacity^-p)^(-1/p)
type knee struct{ pace, capacity, p float64 }

func (k knee) at(n float64) float64 {
	return k.capacity * k.share(k.pace*n/k.capacity)
}

// share of the capacity that a load has, itself in shares of the capacity.
func (k knee) share(load float64) float64 {
	return math.Pow(math.Pow(load, -k.p)+1, -1/k.p)
}

// shareAtGain is the share of the capacity in use when a capacity of factor
// times as much begins to gain.
func (k knee) shareAtGain(factor float64) float64 {
	low, high := 0.01, 10.0 // loads; the gain grows with the load
	for range 60 {
		middle := (low + high) / 2
		if factor*k.share(middle/factor) < k.share(middle)*(1+gainOfServer) {
			low = middle
		} else {
			high = middle
		}
	}
	return k.share(low)
}

// clientsAt is the number of clients at which a share of the capacity is used.
func (k knee) clientsAt(share float64) float64 {
	return k.capacity / k.pace * math.Pow(math.Pow(share, -k.p)-1, -1/k.p)
}

// fitKnee finds the curve of least squares of relative errors up to the peak; beyond the peak is overload,
// which has other reasons. It needs four points, and both sides of the knee.
func fitKnee(clients, throughput []float64) (knee, bool) {
	peak := maximum(throughput)
	n := 0 // up to the last point at the peak
	for i, y := range throughput {
		if y >= peakShare*peak {
			n = i + 1
		}
	}
	if n < 4 || throughput[0] > peak/2 || throughput[0] == 0 {
		return knee{}, false
	}
	x, y := clients[:n], throughput[:n]
	loss := func(k knee) float64 {
		sum := 0.0
		for i := range x {
			d := k.at(x[i])/y[i] - 1
			sum += d * d
		}
		return sum
	}
	best := knee{y[0] / x[0], peak, 4}
	least := loss(best)
	// A pattern search in the logarithms: three smooth parameters, one minimum.
	for step := 0.5; step > 1e-4; {
		better := false
		for _, by := range []knee{{1 + step, 1, 1}, {1, 1 + step/4, 1}, {1, 1, 1 + 2*step}} {
			for _, way := range []float64{1, -1} {
				k := knee{best.pace * math.Pow(by.pace, way), best.capacity * math.Pow(by.capacity, way),
					min(best.p*math.Pow(by.p, way), 50)}
				if l := loss(k); l < least {
					best, least, better = k, l, true
				}
			}
		}
		if !better {
			step /= 2
		}
	}
	return best, math.Sqrt(least/float64(n)) < 0.1
}

func maximum(values []float64) float64 {
	m := math.Inf(-1)
	for _, v := range values {
		m = max(m, v)
	}
	return m
}
