// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"math/rand/v2"
	"testing"
)

// idler feeds a tier whose threads hardly run: requests that it has not passed on sleep.
type idler struct {
	tier  *Tier
	works map[int64]Work
}

// add takes a window with calls to one destination, how many threads ran (the tier is told 40 windows later), and the
// load that the tier is told at the end of a second.
func (f idler) add(w Window, ran float64, l Load) (Judged, bool) {
	const late, second = 40, 20 // windows
	f.works[w.Index] = Work{Ran: ran, Asleep: max(0, w.Queue-w.Calls[0].Outstanding)}
	if work, ok := f.works[w.Index-late]; ok {
		work.Index = w.Index - late
		f.tier.SetWork(work)
	}
	_, _, j, ok := f.tier.Add(w)
	if w.Index%second == second-1 {
		l.From, l.To = w.Index-second+1, w.Index+1
		f.tier.SetLoad(l)
	}
	return j, ok
}

// tally adds up a window's own queue and its charges.
func tally(charged map[Charge]float64, j Judged) {
	charged[Charge{Cause: "own"}] += j.Own
	for _, c := range j.Charges {
		charged[Charge{Cause: c.Cause, To: c.To}] += c.Queue
	}
}

// cached feeds a tier with windows of a cache in front of a server. Readers think for a second and then ask for a page.
// The cache keeps pages for a second and answers them at once. Fetching an old page takes fetch milliseconds, and in
// the second half later milliseconds. The first reader that asks makes the cache fetch the page, and readers that come
// meanwhile wait for the same answer. cached returns what the last third is charged with, and the tier.
func cached(readers, pages, fetch, later int) (map[Charge]float64, *Tier) {
	tier := NewTier(testWidth)
	tier.SetProcessors(1)
	random := rand.New(rand.NewPCG(1, 2))
	charged := make(map[Charge]float64)
	old := make([]int, pages)   // when each page becomes old, ms
	ready := make([]int, pages) // when the present fetch ends, ms; 0 if there is none
	waiting := make([]int, pages)
	idle := idler{tier, make(map[int64]Work)}
	for i := range int64(2400) {
		if i == 1200 {
			fetch = later
		}
		w := Window{Index: i, GC: math.NaN()}
		c := Calls{To: "server", Connections: float64(pages), Idle: float64(pages)}
		for ms := int(i) * 50; ms < int(i+1)*50; ms++ {
			out, here := 0, 0
			for p := range pages {
				if ready[p] == ms && ms > 0 {
					w.Completions += float64(waiting[p])
					c.Answered++
					old[p], ready[p], waiting[p] = ms+1000, 0, 0
				}
				out += min(1, ready[p])
				here += waiting[p]
			}
			w.Queue += float64(here) / 50
			c.Outstanding += float64(out) / 50
			c.Peak, c.Used = max(c.Peak, float64(out)), max(c.Used, float64(out))
			if random.Float64()*1000 >= float64(readers-here) {
				continue
			}
			p := random.IntN(pages)
			switch {
			case ready[p] > 0:
				waiting[p]++
			case ms < old[p]:
				w.Completions++
				w.Queue += 0.0002
			default:
				ready[p], waiting[p] = ms+fetch, 1
				c.Begun++
			}
		}
		w.Calls = []Calls{c}
		j, ok := idle.add(w, 0.02, Load{Cores: 0.02, Used: 0.02, Busy: 0.3, Others: 0.1})
		if !ok || j.Index < 1600 {
			continue
		}
		tally(charged, j)
	}
	return charged, tier
}

// Requests that wait for what another request has asked for do not wait for a place, and are no demand.
func TestReadersOfOnePageWaitForOneFetch(t *testing.T) {
	for _, tt := range []struct{ readers, pages, fetch int }{
		{60, 1, 450}, {60, 2, 450}, {200, 5, 450}, {60, 1, 150}, {20, 1, 450},
	} {
		charged, tier := cached(tt.readers, tt.pages, tt.fetch, tt.fetch)
		own, all := charged[Charge{Cause: "own"}], 0.
		for _, queue := range charged {
			all += queue
		}
		if all-own > 0.02*own {
			t.Errorf("%+v: charged %v, want hardly anything", tt, charged)
		}
		if n, found := tier.Limit("server"); found {
			t.Errorf("%+v: a limit of %g calls, want none", tt, n)
		}
	}
}

// If the server takes much longer than before, they wait for a slow server.
func TestReadersOfOnePageWaitForASlowServer(t *testing.T) {
	charged, _ := cached(60, 1, 300, 2000)
	if own := charged[Charge{Cause: "own"}]; charged[Charge{Cause: Behind, To: "server"}] < 0.8*own {
		t.Errorf("charged %v, want waiting for the server behind", charged)
	}
}

// A cache has a few threads. They wait for the server behind with the requests that the cache can't answer. The other
// requests would be answered at once, but wait for a thread. That is a lack of places, though several requests leave
// with each answer.
func TestReadersThatWaitForAThread(t *testing.T) {
	const threads, fetch, kept = 3, 170, 0.8 // ms; of the requests
	tier := NewTier(testWidth)
	tier.SetProcessors(1)
	random := rand.New(rand.NewPCG(1, 2))
	charged := make(map[Charge]float64)
	idle := idler{tier, make(map[int64]Work)}
	var ends []int // of the calls outstanding, ms
	var waiting float64
	for i := range int64(2400) {
		w := Window{Index: i, GC: math.NaN()}
		c := Calls{To: "server", Connections: threads}
		rate := 0.02 // a millisecond
		if i > 600 {
			rate = 0.15 * max(0, 1-waiting/40)
		}
		for ms := int(i) * 50; ms < int(i+1)*50; ms++ {
			if random.Float64() < rate {
				waiting++
			}
			for len(ends) > 0 && ends[0] == ms {
				ends, w.Completions, c.Answered = ends[1:], w.Completions+1, c.Answered+1
			}
			for waiting > 0 && len(ends) < threads {
				waiting--
				if random.Float64() < kept {
					w.Completions++
					continue
				}
				ends = append(ends, ms+fetch)
				c.Begun++
			}
			w.Queue += (waiting + float64(len(ends))) / 50
			c.Outstanding += float64(len(ends)) / 50
			c.Peak = max(c.Peak, float64(len(ends)))
		}
		c.Used, c.Idle = c.Peak, threads-c.Outstanding
		w.Calls = []Calls{c}
		j, ok := idle.add(w, 0.02, Load{Cores: 0.02, Used: 0.02, Busy: 0.3, Others: 0.1})
		if !ok || j.Index < 1000 {
			continue
		}
		tally(charged, j)
	}
	if own := charged[Charge{Cause: "own"}]; charged[Charge{Cause: SoftResource, To: "server"}] < 0.8*own {
		t.Errorf("charged %v, want places at the server", charged)
	}
}
