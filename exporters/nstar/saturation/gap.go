// SPDX-License-Identifier: Apache-2.0

package saturation

import "math"

// gaps finds stops that nobody told of, above all those that fill no window. There are two signs of them:
//
//   - The queue is not shorter than it was, yet throughput drops below what it was by more than chance. Neither a
//     longer queue nor a limit can do that, so it prejudges no curve; a queue that shortens because less arrives is
//     left alone.
//   - Throughput drops below half of what the present queue promises (see promise). Under light load a stop lets
//     the queue grow, and that shows it where completions alone are too few to tell. What lasts is no stop: it is
//     given to the curves, which may be wrong.
type gaps struct {
	queue, done float64 // recent means, per window
	noise       float64 // recent variance over mean of completions
	luck        luck
	seen        float64 // windows
	run         []Window
	fewer       float64 // completions in run
	promised    float64 // completions in run
	fell        int     // windows in run with fewer completions than before, though the queue was not shorter
}

const (
	recent     = 20.0  // windows that the means are of: a second
	scatter    = 200.0 // windows that noise is of
	wild       = 4.0   // times the noise: a window further out says nothing of it
	fewer      = 0.8   // of the completions before: what may be a part of a stop
	unlikely   = 2.0   // standard deviations: 6 of 1000 such runs are no stops, and hardly missed
	half       = 0.5   // of the promise: likewise
	unlikelier = 2.5   // standard deviations from the promise, which is less sure
	brief      = 8     // windows: what stays below the promise for longer does not get it any more
	stretch    = 40    // windows: what lasts longer is how the server is now
)

// pass takes a window and the completions that its queue promises, 0 if that is not known. It returns the windows
// that are known by now to be no part of a stop, in their order.
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
		g.drop() // and this window, in which it may have ended
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

// stopped reports whether less was completed in the run than can be chance; over says that promises are kept again.
func (g *gaps) stopped(over bool) bool {
	if len(g.run) == 0 {
		return false
	}
	expected := float64(len(g.run)) * g.done
	return g.fell == len(g.run) && g.fewer < expected-unlikely*math.Sqrt(max(g.noise, 1)*expected) ||
		over && len(g.run) <= brief && g.fewer < g.promised-unlikelier*math.Sqrt(g.luck.noise()*g.promised)
}

// drop forgets a run that a gap in the windows ends.
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
