// SPDX-License-Identifier: Apache-2.0

package saturation

import "math"

// gaps finds stops that nobody told of, above all those that fill no window: the queue is not shorter than it was,
// yet throughput drops below what it was by more than chance. Neither a longer queue nor a limit can do that, so
// it prejudges no curve; a queue that shortens because less arrives is left alone.
type gaps struct {
	queue, done float64 // recent means, per window
	noise       float64 // recent variance over mean of completions
	seen        float64 // windows
	run         []Window
	fewer       float64 // completions in run
}

const (
	recent   = 20.0  // windows that the means are of: a second
	scatter  = 200.0 // windows that noise is of
	wild     = 4.0   // times the noise: a window further out says nothing of it
	fewer    = 0.8   // of the completions before: what may be a part of a stop
	unlikely = 2.0   // standard deviations: 6 of 1000 such runs are no stops, and hardly missed
	stretch  = 40    // windows: what lasts longer is how the server is now
)

// pass takes a window and returns those that are known by now to be no part of a stop, in their order.
func (g *gaps) pass(w Window) []Window {
	if g.seen >= recent && w.Queue >= max(g.queue, 0.5) && w.Completions <= fewer*g.done {
		g.run = append(g.run, w)
		g.fewer += w.Completions
		if len(g.run) < stretch {
			return nil
		}
		*g = gaps{noise: g.noise, run: g.run[:0]}
		return nil
	}
	expected := float64(len(g.run)) * g.done
	gap := len(g.run) > 0 && g.fewer < expected-unlikely*math.Sqrt(max(g.noise, 1)*expected)
	if gap {
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

// drop forgets a run that a gap in the windows ends.
func (g *gaps) drop() { g.run, g.fewer = g.run[:0], 0 }

func (g *gaps) learn(w Window) {
	g.seen++
	if g.done > 0 && g.seen > recent {
		e := (w.Completions - g.done) * (w.Completions - g.done) / g.done
		g.noise += (min(e, wild*max(g.noise, 1)) - g.noise) / min(g.seen, scatter)
	}
	g.queue += (w.Queue - g.queue) / min(g.seen, recent)
	g.done += (w.Completions - g.done) / min(g.seen, recent)
}
