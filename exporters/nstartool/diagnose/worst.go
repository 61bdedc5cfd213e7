// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/prometheus/common/model"
)

const (
	// worstShare of the windows is what users complain about.
	worstShare = 0.05
	// longestWindows bounds the range whose windows are read, and mostSamples
	// what is transferred for all applications: 12 MB or so. That leaves 20 s of
	// 100 applications of three tiers, and never less than shortestWindows.
	longestWindows  = 10 * time.Minute
	shortestWindows = 10 * time.Second
	mostSamples     = 500_000
	// windowDelay is how long it takes until the states of windows are there:
	// stops are confirmed backwards, 2 s later, and a scrape is 1 s apart.
	windowDelay = 4 * time.Second
	// windowsPerSecond at the default width of 50 ms.
	windowsPerSecond = 20
	// collectionRatio of a frozen window in garbage collection makes it the cause.
	collectionRatio = 0.5
)

// states of a window as nstar_window_state numbers them.
const (
	windowSaturated = 2
	windowFrozen    = 3
	windowWaiting   = 4
	windowUnknown   = 5
)

// worst reads the windows in which most requests were in the application: the sum of the own queues and of
// the calls outside, which is the queue of the front tier. This part is optional: if it can't be read, the
// report does without it.
func (q *querier) worst(a *Application, apps int) {
	if q.err != nil || len(a.Times) == 0 || a.Throughput <= 0 {
		return
	}
	one := *q // an error of its own
	one.app = a.Name
	const reads = 4 // own queues twice, states, collections
	most := time.Duration(mostSamples/(windowsPerSecond*reads*len(a.Times)*apps)) * time.Second
	minutes := chunks(q.from, q.at.Add(-windowDelay), most)
	queue, outside := map[model.Time]float64{}, one.unmeasured()
	for _, c := range minutes {
		one.sum(queue, outside, c)
	}
	chosen := longest(queue)
	times := map[string]*WorstTime{}
	for _, c := range minutes {
		if slices.ContainsFunc(slices.Collect(maps.Keys(chosen)), c.holds) {
			one.split(times, outside, chosen, c)
		}
	}
	switch {
	case one.err != nil && q.ctx.Err() != nil:
		q.err = one.err
	case one.err != nil:
		a.WorstMissing = "The worst windows could not be read: " + firstLine(one.err.Error()) + "."
	case len(times) == 0:
		a.WorstMissing = fmt.Sprintf("The worst windows could not be read: there is none in the last %s of this range.",
			model.Duration(min(longestWindows, q.at.Sub(q.from))))
	default:
		for _, t := range a.Times {
			w := times[t.Tier]
			if w == nil {
				continue
			}
			perRequest := 1 / (float64(len(chosen)) * a.Throughput)
			w.Own, w.Base = w.Own*perRequest, w.Base*perRequest
			for cause := range w.Causes {
				w.Causes[cause] *= perRequest
			}
			if outside[t.Tier] {
				a.slowness(t, w)
			}
			a.Worst = append(a.Worst, *w)
		}
	}
}

// chunk is a span of a minute or less whose windows are read at once.
type chunk struct{ from, to time.Time }

func (c chunk) holds(at model.Time) bool {
	return at.Time().After(c.from) && !at.Time().After(c.to)
}

func (c chunk) span() string { return fmt.Sprintf("[%dms]", c.to.Sub(c.from).Milliseconds()) }

// chunks cuts the end of a range into minutes, the latest first.
func chunks(from, to time.Time, most time.Duration) []chunk {
	most = min(max(shortestWindows, most), longestWindows)
	if earliest := to.Add(-most); from.Before(earliest) {
		from = earliest
	}
	var list []chunk
	for end := to; end.Sub(from) >= time.Second; end = end.Add(-time.Minute) {
		begin := end.Add(-time.Minute)
		if begin.Before(from) {
			begin = from
		}
		list = append(list, chunk{begin, end})
	}
	return list
}
