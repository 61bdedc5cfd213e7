// SPDX-License-Identifier: Apache-2.0

package saturation

import "testing"

// Requests of 10 ms come at 80/s. A stop of 60 ms fills no window.
func TestGaps(t *testing.T) {
	for _, c := range []struct {
		name    string
		windows []Window // after a second of usual windows
		promise float64  // per request in the queue
		want    int      // windows that pass
	}{
		{"as usual", []Window{{0.8, 4, true}, {0.8, 5, true}}, 5, 2},
		{"a stop, the queue promises nothing", []Window{{1.4, 2, true}, {4.2, 3, true}, {1.2, 6, true}}, 0, 3},
		{"a stop", []Window{{1.4, 2, true}, {4.2, 3, true}, {1.2, 6, true}}, 5, 0},
		{"less arrives", []Window{{0.2, 0, true}, {0.1, 1, true}, {0.3, 1, true}}, 5, 3},
		{"one unlucky window", []Window{{1.2, 2, true}, {0.9, 4, true}}, 5, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			var g gaps
			for range 40 {
				g.pass(Window{Queue: 0.8, Completions: 4, Clean: true}, 0.8*c.promise)
			}
			passed := 0
			for _, w := range c.windows {
				passed += len(g.pass(w, w.Queue*c.promise))
			}
			if passed != c.want {
				t.Errorf("%d windows passed, want %d", passed, c.want)
			}
		})
	}
}

func TestWhatIsPromised(t *testing.T) {
	var c collector
	c.width = width.Seconds()
	if got := c.promised(3); got != 0 {
		t.Errorf("%v promised before anything was seen", got)
	}
	e := New(width)
	newStation(4, 0.01).feed(e, 0.5, 40, 60)
	near(t, "promise at a third of N*", e.collector.promised(4./3), 4./3*5, 0.15)
	near(t, "promise beyond N*", e.collector.promised(40), 4*5, 0.15)
	if got := e.collector.promised(0); got != 0 {
		t.Errorf("%v promised of an empty queue", got)
	}

	// The limit is not known: a queue beyond all that was seen promises no more than the longest of those.
	e = New(width)
	newStation(1e6, 0.01).feed(e, 0.5, 2, 60)
	if got := e.collector.promised(200); got > 100./2 {
		t.Errorf("%v promised for a queue that was never seen", got)
	}

	// Requests that take as long as a window.
	e = New(width)
	newStation(16, 0.05).feed(e, 2, 60, 60)
	if got := e.collector.promised(8); got != 0 {
		t.Errorf("%v promised where requests take a window", got)
	}
}

// What completes less than half of the promise for longer than brief is how the server is now.
func TestAServerThatStaysSlowIsNoStop(t *testing.T) {
	var g gaps
	passed := 0
	for range 100 {
		passed += len(g.pass(Window{Queue: 4, Completions: 20, Clean: true}, 20))
	}
	for range 100 {
		passed += len(g.pass(Window{Queue: 4, Completions: 6, Clean: true}, 20))
	}
	if passed < 150 {
		t.Errorf("%d of 200 windows passed", passed)
	}
	for range 2 {
		g.pass(Window{Queue: 6, Completions: 1, Clean: true}, 20)
	}
	if got := g.pass(Window{Queue: 6, Completions: 7, Clean: true}, 7); len(got) != 0 {
		t.Errorf("%v passed with a stop", got)
	}
}
