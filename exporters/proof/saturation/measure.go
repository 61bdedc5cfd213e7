// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"runtime"
	"sync"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/saturation"
)

// moments, in seconds, at which the estimator is asked. The aims are for the second one.
var moments = [...]float64{30, 60, 120}

const aimed = 1

// result is the result of one family: an estimate for each run and moment.
type result struct {
	family
	estimates [][len(moments)]saturation.Estimate
}

// measure runs each family this many times, with seeds from the given one on.
func measure(chosen []family, runs int, seed uint64) []result {
	found := make([]result, len(chosen))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wait sync.WaitGroup
	for i, f := range chosen {
		found[i] = result{f, make([][len(moments)]saturation.Estimate, runs)}
		for run := range runs {
			wait.Go(func() {
				slots <- struct{}{}
				found[i].estimates[run] = f.of.estimates(seed + uint64(run))
				<-slots
			})
		}
	}
	wait.Wait()
	return found
}

// estimates are the estimator's results for one run.
func (s scenario) estimates(seed uint64) (at [len(moments)]saturation.Estimate) {
	e := saturation.New(time.Duration(width * float64(time.Second)))
	next := 0
	for i, w := range s.windows(seed, moments[len(moments)-1]) {
		if e.Add(w); math.Abs(float64(i+1)*width-moments[next]) < width/2 {
			at[next] = e.Estimate()
			next++
		}
	}
	return at
}

// tally counts the right estimates.
type tally struct {
	runs    int // of servers with an N* that can be known
	known   int
	within  int // 19 % of the truth: a quarter of an octave
	covered int // by the interval

	without int // runs of servers that have none, or none that can be known
	silent  int
}

const tolerance = 0.19

func (t *tally) add(truth float64, e saturation.Estimate) {
	known := !math.IsNaN(e.SaturationPoint)
	if math.IsNaN(truth) {
		t.without++
		if !known {
			t.silent++
		}
		return
	}
	t.runs++
	if !known {
		return
	}
	t.known++
	if math.Abs(e.SaturationPoint/truth-1) <= tolerance {
		t.within++
	}
	if e.Low <= truth && truth <= e.High {
		t.covered++
	}
}

// tallies of a family, by moment.
func (r result) tallies() (t [len(moments)]tally) {
	for _, run := range r.estimates {
		for i, e := range run {
			t[i].add(r.truth, e)
		}
	}
	return t
}

// aims are the aims for all families together.
type aims struct {
	tally
	scatter float64 // coefficient of variation of the N* of one server under all conditions
}

func judge(found []result) aims { return judgeAt(found, aimed) }

func judgeAt(found []result, moment int) (a aims) {
	var points []float64
	for _, r := range found {
		if r.beside {
			continue
		}
		for _, run := range r.estimates {
			e := run[moment]
			a.add(r.truth, e)
			if x := e.SaturationPoint; r.one && !math.IsNaN(x) {
				points = append(points, x)
			}
		}
	}
	mean, deviation := meanAndDeviation(points)
	a.scatter = deviation / mean
	return a
}

// meanAndDeviation of values; NaN if there are none.
func meanAndDeviation(values []float64) (mean, deviation float64) {
	var sum, squares float64
	for _, x := range values {
		sum, squares = sum+x, squares+x*x
	}
	n := float64(len(values))
	mean = sum / n
	return mean, math.Sqrt(max(0, squares/n-mean*mean))
}
