// SPDX-License-Identifier: Apache-2.0

package whatif

import (
	"errors"
	"math"
	"slices"
	"sync"
)

// setting is the parameter that calibration changes at a station: R0 with TPmax kept, or TPmax with R0 kept.
type setting struct {
	station  int
	capacity bool
}

const (
	// Tolerances for the results that must agree with the measurement: the throughput, and the own queue
	// of a tier in which all of the response time is spent; a tier with a smaller share may be off by
	// more.
	throughputTolerance = 0.01
	queueTolerance      = 0.03
	// trust is the relative error of R0 and TPmax themselves: the scatter of N*
	// that the exporter's proof aims at, so that a setting moves no further
	// than the windows demand.
	trust = 0.15
	// farthest is the factor by which a setting may move; beyond a factor of two, the windows contradict
	// what was learned.
	farthest = math.Ln2
	// limitless is how far R0 of a station without a known limit may move: twice
	// its error. More is a queue, so there is a limit.
	limitless = 2 * trust
	// probe is the step with which the effect of a setting is found: well above
	// the chance in a replay, and small enough to be nearly linear.
	probe = 0.12
	// Gauss-Newton steps. The effects are found twice, because the effects of a station change when it
	// comes to its limit. Each time some steps follow, and no step is so long that the effects no longer
	// hold.
	passes  = 2
	rounds  = 4
	longest = 0.3
)

// calibration adjusts a network so that its replay gives what was measured.
type calibration struct {
	trace    Trace
	network  *network
	run      run
	target   outcome
	settings []setting
	shares   []float64
	separate bool // quiet windows from windows in which a stop has an effect
}

// calibrated returns the network with corrected stations. If a station contradicts what was learned of it,
// but stayed at its limit, its behaviour is known from that.
func calibrated(t Trace, n *network, r run) (*network, error) {
	for {
		m, err := calibratedOnce(t, n, r)
		var c contradiction
		if !errors.As(err, &c) || n.stations[c.station].limited > 0 {
			return m, err
		}
		u := t.Tiers[c.station]
		rate, queue, flat := busy(u, t.Width)
		if !flat || queue <= contradicted || t.capped(u.Name) {
			return nil, err
		}
		n = n.clone()
		n.stations[c.station].limit(rate, queue)
	}
}

// contradiction is a station whose windows contradict what was learned of it.
type contradiction struct {
	error
	station int
}

func (c contradiction) Unwrap() error { return c.error }

func calibratedOnce(t Trace, n *network, r run) (*network, error) {
	c := calibration{trace: t, network: n, run: r, target: t.measure(n.front, r.begin, r.length)}
	c.separate = t.separate(n, r, &c.target)
	total := 0.0
	for _, own := range c.target.own {
		total += own
	}
	for i, own := range c.target.own {
		share := own / max(total, quick)
		c.shares = append(c.shares, share)
		if share < minor {
			continue
		}
		c.settings = append(c.settings, setting{i, false})
		if !math.IsInf(n.stations[i].servers, 1) {
			c.settings = append(c.settings, setting{i, true})
		}
	}
	x, err := c.solve()
	if err != nil {
		return nil, err
	}
	return c.with(x), nil
}

// with is the network with its settings moved by x (logarithms of factors).
func (c calibration) with(x []float64) *network {
	n := c.network.clone()
	for i, s := range c.settings {
		f := math.Exp(x[i])
		if !s.capacity {
			n.stations[s.station].base *= f
		}
		// Below 1 is no knee any more, but still TPmax times R0.
		n.stations[s.station].servers *= f
	}
	return n
}

func (n *network) clone() *network {
	m := *n
	m.stations = slices.Clone(n.stations)
	m.links = slices.Clone(n.links)
	m.machines = slices.Clone(n.machines)
	return &m
}

// residuals of a replay: how far it is from what was measured and from what
// was learned, in units of the tolerances.
func (c calibration) residuals(x []float64) []float64 {
	o := c.with(x).replay(c.run)
	r := []float64{math.Log(max(o.throughput, quick)/c.target.throughput) / throughputTolerance}
	for i, share := range c.shares {
		if share < minor {
			continue
		}
		off := func(got, want []float64) {
			r = append(r, math.Log(max(got[i], quick)/max(want[i], quick))*math.Sqrt(share)/queueTolerance)
		}
		off(o.own, c.target.own)
		// If a tier has both kinds of windows, R0 shows in the quiet ones and TPmax in the others.
		if c.separate {
			off(o.quiet, c.target.quiet)
			off(o.felt, c.target.felt)
		}
	}
	for _, v := range x {
		r = append(r, v/trust)
	}
	return r
}

// solve finds the settings by Gauss-Newton steps.
func (c calibration) solve() ([]float64, error) {
	best := make([]float64, len(c.settings))
	if len(best) == 0 {
		return best, nil
	}
	least := c.residuals(best)
	for range passes {
		effects := c.effects(best, least)
		from, step := best, leastSquares(effects, least)
		for range rounds {
			x := slices.Clone(from)
			for i := range x {
				x[i] = min(max(x[i]-min(max(step[i], -longest), longest), -1), 1)
				step[i] /= 2 // if it was too far
			}
			if residual := c.residuals(x); square(residual) < square(least) {
				best, least = x, residual
				from, step = x, leastSquares(effects, residual)
			}
		}
	}
	for i, s := range c.settings {
		if err := c.believable(s, best[i]); err != nil {
			return nil, contradiction{err, s.station}
		}
	}
	return best, nil
}

// effects of each setting on the residuals.
func (c calibration) effects(x, residual []float64) [][]float64 {
	effects := make([][]float64, len(x))
	parallel(len(x), func(i int) {
		moved := slices.Clone(x)
		moved[i] += probe
		effects[i] = c.residuals(moved)
		for k := range residual {
			effects[i][k] = (effects[i][k] - residual[k]) / probe
		}
	})
	return effects
}

// believable refuses a setting that contradicts what was learned.
func (c calibration) believable(s setting, x float64) error {
	n := c.network.stations[s.station]
	switch {
	case s.capacity && math.Abs(x) > farthest:
		return unfit("%s would need %s times the greatest throughput that was learned: something else changes its "+
			"queue",
			n.name, digits(math.Exp(x)))
	case math.Abs(x) > farthest:
		return unfit("the queue of %s would need %s times the base residence time that was learned: something else "+
			"changes the queue",
			n.name, digits(math.Exp(x)))
	// If it concerns so little of the response time, it doesn't matter.
	case math.IsInf(n.servers, 1) && x > limitless && c.shares[s.station]*(1-math.Exp(-x)) > minor:
		return unfit("requests take %s times the base residence time in %s, so it has a limit, but the limit is not "+
			"known%s",
			digits(math.Exp(x)), n.name, because(c.trace.Tiers[s.station].Learning))
	}
	return nil
}

func square(v []float64) (s float64) {
	for _, x := range v {
		s += x * x
	}
	return s
}

// leastSquares finds the weights with which columns add up to y most nearly, by
// the normal equations and Gaussian elimination.
func leastSquares(columns [][]float64, y []float64) []float64 {
	n := len(columns)
	a := make([][]float64, n)
	for i := range a {
		a[i] = make([]float64, n+1)
		for k, r := range y {
			for j := range n {
				a[i][j] += columns[i][k] * columns[j][k]
			}
			a[i][n] += columns[i][k] * r
		}
	}
	for i := range n {
		pivot := i
		for j := i + 1; j < n; j++ {
			if math.Abs(a[j][i]) > math.Abs(a[pivot][i]) {
				pivot = j
			}
		}
		a[i], a[pivot] = a[pivot], a[i]
		for j := range n {
			if j == i || a[i][i] == 0 {
				continue
			}
			f := a[j][i] / a[i][i]
			for k := i; k <= n; k++ {
				a[j][k] -= f * a[i][k]
			}
		}
	}
	x := make([]float64, n)
	for i := range x {
		if a[i][i] != 0 {
			x[i] = a[i][n] / a[i][i]
		}
	}
	return x
}

// parallel calls f for 0 to n-1, all at once.
func parallel(n int, f func(int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { f(i) })
	}
	all.Wait()
}
