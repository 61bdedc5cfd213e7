// SPDX-License-Identifier: Apache-2.0

package saturation

import "math"

// gaps finds stops that the estimator was not told of, above all those that fill no whole window. They have two signs:
//
//   - The queue is not shorter than before, but throughput drops below its earlier value by more than chance
//     explains. Neither a longer queue nor a limit can cause that, so this sign assumes no particular curve. A queue
//     that shortens because fewer requests arrive is left alone.
//   - Throughput drops below half of what the present queue promises (see promise). Under light load a stop lets the
//     queue grow, which shows the stop when there are too few completions to show it. If this lasts, it is no stop.
//     Then the windows are given to the curves, which may be wrong.
type gaps struct {
	queue, done float64 // recent means, per window
	noise       float64 // recent ratio of variance to mean of completions
	luck        luck
	seen        float64 // number of windows
	run         []Window
	fewer       float64 // completions in run
	promised    float64 // completions promised in run
	fell        int     // windows in run with fewer completions than before, though the queue was not shorter
}

const (
	recent     = 20.0  // windows over which the means are taken: a second
	scatter    = 200.0 // windows over which noise is taken
	wild       = 4.0   // times the noise: a window further out does not count for it
	fewer      = 0.8   // of the completions before: such a window may be part of a stop
	unlikely   = 2.0   // standard deviations: 6 of 1000 such runs are no stops, and it hardly matters to lose these
	half       = 0.5   // of the promise: such a window may also be part of a stop
	unlikelier = 2.5   // standard deviations from the promise, which is less certain
	brief      = 8     // windows: what stays below the promise for longer is no stop
	stretch    = 40    // windows: what lasts longer is the present state of the server
)

// pass takes a window and the number of completions that its queue promises, 0 if that is not known. It returns, in
// their order, the windows that are now known not to be part of a stop.
func (g *gaps) pass(w Window, promise float64) []Window {
	g.luck.learn(w.Completions, promise)
	low := w.Completions < half*promise
	fell := g.seen >= recent && w.Queue >= max(g.queue, 0.5) && w.Completions <= fewer*g.done
	if fell || low && len(g.run) < brief {
		g.run = append(g.run, w)
		if fell {
			g.fell++
		}
		g.fewer += w.Completions
		g.promised += promise
		if len(g.run) < stretch {
			return nil
		}
		*g = gaps{noise: g.noise, luck: g.luck, run: g.run[:0]}
		return nil
	}
	if g.stopped(!low) {
		g.drop() // this window is dropped, too, because the stop may have ended in it
		return nil
	}
	g.run = append(g.run, w)
	for _, w := range g.run {
		g.learn(w)
	}
	windows := g.run
	g.drop()
	return windows
}

// stopped reports whether fewer requests were completed in the run than chance explains. over says that the promise is
// now kept again.
func (g *gaps) stopped(over bool) bool {
	if len(g.run) == 0 {
		return false
	}
	expected := float64(len(g.run)) * g.done
	return g.fell == len(g.run) && g.fewer < expected-unlikely*math.Sqrt(max(g.noise, 1)*expected) ||
		over && len(g.run) <= brief && g.fewer < g.promised-unlikelier*math.Sqrt(g.luck.noise()*g.promised)
}

// drop forgets a run that is interrupted by missing windows.
func (g *gaps) drop() { g.run, g.fewer, g.promised, g.fell = g.run[:0], 0, 0, 0 }

func (g *gaps) learn(w Window) {
	g.seen++
	if g.done > 0 && g.seen > recent {
		e := (w.Completions - g.done) * (w.Completions - g.done) / g.done
		g.noise += (min(e, wild*max(g.noise, 1)) - g.noise) / min(g.seen, scatter)
	}
	g.queue += (w.Queue - g.queue) / min(g.seen, recent)
	g.done += (w.Completions - g.done) / min(g.seen, recent)
}
