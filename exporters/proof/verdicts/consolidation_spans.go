// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"sync"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/pearson"
	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// together is the paper's aggregation time, in windows: 100 ms.
const together = 2

// windowWidth is the exporter's default.
const windowWidth = 50 * time.Millisecond

// series is a metric of a tier.
type series struct{ name, app, tier string }

// windowRecord keeps what the exporter says of every window.
type windowRecord struct {
	exporter *bed.Exporter
	done     chan struct{}
	stopped  sync.WaitGroup
	err      error
	samples  map[series]map[int64]float64 // by number of the window
}

// recordWindows begins to keep windows.
func recordWindows(e *bed.Exporter) *windowRecord {
	w := &windowRecord{exporter: e, done: make(chan struct{}), samples: make(map[series]map[int64]float64)}
	w.stopped.Add(1)
	go func() {
		defer w.stopped.Done()
		for {
			select {
			case <-w.done:
				time.Sleep(judged) // the last windows come later
				w.read()
				return
			case <-time.After(time.Second):
				w.read()
			}
		}
	}()
	return w
}

func (w *windowRecord) read() {
	found, err := w.exporter.Windows("consolidation")
	if err != nil {
		w.err = err
		return
	}
	for _, s := range found {
		key := series{s.Name, s.Labels["app"], s.Labels["tier"]}
		if s.Time.IsZero() || key.tier == "" {
			continue
		}
		if w.samples[key] == nil {
			w.samples[key] = make(map[int64]float64)
		}
		w.samples[key][s.Time.UnixMilli()/windowWidth.Milliseconds()] = s.Value
	}
}

// ended stops keeping windows; the error is the last that a reading met.
func (w *windowRecord) ended() error {
	w.close()
	return w.err
}

// close stops keeping windows, once.
func (w *windowRecord) close() {
	select {
	case <-w.done:
	default:
		close(w.done)
	}
	w.stopped.Wait()
}

// spans are a metric's means over spans of 100 ms between two moments; NaN if a window is missing.
func (w *windowRecord) spans(from, to time.Time, name, app, tier string) (out []float64) {
	of := w.samples[series{"nstar_window_" + name, app, tier}]
	width := together * windowWidth.Milliseconds()
	for i := from.UnixMilli()/width + 1; i < to.UnixMilli()/width; i++ {
		sum := 0.0
		for k := range int64(together) {
			v, ok := of[i*together+k]
			if !ok {
				v = math.NaN()
			}
			sum += v
		}
		out = append(out, sum/together)
	}
	return out
}

// strongest is the correlation at the lag, up to half a second, at which it is strongest, and that lag in spans.
func strongest(a, b []float64) (best float64, at int) {
	best = math.NaN()
	for lag := range 6 {
		if c, _ := pearson.Later(a, b, lag); math.IsNaN(best) || math.Abs(c) > math.Abs(best) {
			best, at = c, lag
		}
	}
	return best, at
}

// moments are the mean of some spans and how far they are from it, as a standard deviation.
func moments(v []float64) (mean, deviation float64) {
	n, sum, squares := 0.0, 0.0, 0.0
	for _, x := range v {
		if !math.IsNaN(x) {
			n, sum, squares = n+1, sum+x, squares+x*x
		}
	}
	mean = sum / n
	return mean, math.Sqrt(max(0, squares/n-mean*mean))
}
