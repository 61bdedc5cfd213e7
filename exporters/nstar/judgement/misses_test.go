// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A cache forgets its pages every 20 s. A server of one thread, whose time is shared by all pages that it makes, then
// has to make all of them again, beside pages that the cache never keeps. For a second the server is at its limit, and
// the requests that wait in the cache wait for the server.
func TestReadersAfterAFlush(t *testing.T) {
	const readers, pages, fetch, kept = 800, 90, 15, 0.9 // ms; of the requests
	tier := NewTier(testWidth)
	tier.SetProcessors(1)
	random := rand.New(rand.NewPCG(1, 2))
	charged := make(map[Charge]float64)
	idle := idler{tier, make(map[int64]Work)}
	has := make([]bool, pages)
	waiting := make([]int, pages+1)   // by page; of pages that are not kept, none waits for another's
	type job struct{ page, rest int } // ms of work
	var asked []job
	here := 0 // requests
	own, demand := 0.0, 0.0
	for i := range int64(2400) {
		w := Window{Index: i, GC: math.NaN()}
		c := Calls{To: "server", Connections: 100, Idle: 50}
		for ms := int(i) * 50; ms < int(i+1)*50; ms++ {
			if ms%20000 == 0 {
				clear(has)
			}
			at := random.IntN(len(asked) + 1)
			if at == len(asked) {
				at = 0
			}
			if len(asked) > 0 {
				asked[at].rest--
			}
			if len(asked) > 0 && asked[at].rest == 0 {
				page, left := asked[at].page, 1
				asked = slices.Delete(asked, at, at+1)
				if page < pages {
					left, has[page] = waiting[page], true
					waiting[page] = 0
				}
				w.Completions, c.Answered, here = w.Completions+float64(left), c.Answered+1, here-left
			}
			if random.Float64()*2000 < float64(readers-here) {
				page := pages
				if random.Float64() < kept {
					page = random.IntN(pages)
				}
				if page < pages && has[page] {
					w.Completions++
				} else {
					here++
					waiting[page]++
					if page == pages || waiting[page] == 1 {
						asked = append(asked, job{page, fetch})
						c.Begun++
					}
				}
			}
			w.Queue += float64(here) / 50
			c.Outstanding += float64(len(asked)) / 50
			c.Peak = max(c.Peak, float64(len(asked)))
		}
		c.Used = c.Peak
		w.Calls = []Calls{c}
		j, ok := idle.add(w, 0.1, Load{Cores: 0.1, Used: 0.1, Busy: 0.5, Others: 0.1})
		if !ok {
			continue
		}
		own += j.Own
		for _, c := range j.Charges {
			if c.Cause == Demand {
				demand += c.Queue
			}
		}
		if j.Index < 1300 { // the fourth flush is at 1200
			continue
		}
		tally(charged, j)
	}
	// From the first flush on, when it can't be known yet what the requests wait for.
	if demand > 0.1*own {
		t.Errorf("%.0f of %.0f are the sleeping cache's own demand", demand, own)
	}
	if own := charged[Charge{Cause: "own"}]; charged[Charge{Cause: Behind, To: "server"}] < 0.7*own {
		t.Errorf("charged %v, want waiting for the server behind", charged)
	}
}
