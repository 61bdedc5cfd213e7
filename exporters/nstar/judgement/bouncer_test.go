// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"math/rand/v2"
	"testing"
)

// busyStation feeds a tier with windows of a calm quarter and then of a crowd, and returns what the crowd's windows are
// charged with.
func busyStation(calm, crowd func(i int64, random *rand.Rand) (Window, Work), load Load) map[Charge]float64 {
	tier := NewTier(testWidth)
	tier.SetProcessors(1)
	random := rand.New(rand.NewPCG(1, 2))
	charged := make(map[Charge]float64)
	works := make(map[int64]Work)
	for i := range int64(1800) {
		w, work := crowd(i, random)
		if i < 600 {
			w, work = calm(i, random)
		}
		w.Index, w.GC = i, math.NaN()
		works[i] = work
		if work, ok := works[i-40]; ok {
			work.Index = i - 40
			tier.SetWork(work)
		}
		_, _, j, ok := tier.Add(w)
		if i%20 == 19 {
			l := load
			if i < 600 {
				l.Cores, l.Used, l.Busy = 0.02, 0.02, 0.1
			}
			l.From, l.To = i-19, i+1
			tier.SetLoad(l)
		}
		if !ok || j.Index < 1000 {
			continue
		}
		for _, c := range j.Charges {
			charged[Charge{Cause: c.Cause, To: c.To}] += c.Queue
		}
	}
	return charged
}

// A pooler of transactions has two connections to a database. Clients hold them while they do something else, so four
// queries sleep in the pooler. That is about the number from which on a tier alone would be taken to sleep.
func TestFewQueriesSleepForAConnection(t *testing.T) {
	statements := func(queries, own float64, used float64) (Window, Work) {
		c := Calls{To: "database", Connections: 2, Outstanding: 0.1, Peak: used, Used: used, Idle: 1.7, Begun: queries,
			Answered: queries}
		return Window{Queue: own + c.Outstanding, Completions: queries, Calls: []Calls{c}},
			Work{Ran: 0.1, Waited: 0.01, Asleep: max(0, own-0.11)}
	}
	charged := busyStation(
		func(i int64, random *rand.Rand) (Window, Work) {
			w, work := statements(float64(random.IntN(6)), 0.05, 1)
			w.Calls[0].Idle = 0.5
			return w, work
		},
		func(i int64, random *rand.Rand) (Window, Work) {
			phase := math.Sin(float64(i) / 60) // longer queues, but no more answers
			return statements(math.Round(25-5*phase)+float64(random.IntN(3)), 3.4+0.4*phase+0.5*random.Float64(),
				float64(1+random.IntN(2)))
		},
		Load{Cores: 0.1, Used: 0.1, Busy: 0.7, Others: 0.1})
	place, demand := charged[Charge{Cause: SoftResource, To: "database"}], charged[Charge{Cause: Demand}]
	if place == 0 || demand > 0.1*place {
		t.Errorf("charged %v, want places at the database", charged)
	}
}

// Six workers are all taken, and pages wait to be accepted. If the workers wait for a tier that is slow now, more
// workers would only wait there, too. If that tier is as quick as ever, there are too few workers.
func TestWorkersThatWaitForASlowTier(t *testing.T) {
	for _, tt := range []struct {
		name    string
		waiting float64 // of the six, at the tier behind, on average
		calls   int     // in a window
		want    Charge
	}{
		{"the tier behind is slow", 4, 25, Charge{Cause: Behind, To: "pooler"}},
		{"the tier behind is quick", 0.2, 25, Charge{Cause: SoftResource}},
		{"the tier behind is slow, and has few of them", 1, 5, Charge{Cause: SoftResource}},
	} {
		charged := busyStation(
			func(i int64, random *rand.Rand) (Window, Work) {
				n := float64(random.IntN(4))
				c := Calls{To: "pooler", Connections: 1, Outstanding: 0.008 * n, Peak: min(1, n),
					Used: min(1, n), Begun: n,
					Answered: n}
				return Window{Queue: 0.3 + c.Outstanding, Completions: float64(random.IntN(2)), Calls: []Calls{c}},
					Work{Ran: 0.1, Asleep: 0.2}
			},
			func(i int64, random *rand.Rand) (Window, Work) {
				n := float64(tt.calls + random.IntN(5))
				// There are more connections than calls: they come and go with the pages.
				c := Calls{To: "pooler", Connections: 5.5 + random.Float64(), Outstanding: tt.waiting +
					0.2*random.Float64(),
					Peak: float64(3 + random.IntN(4)), Used: 5, Begun: n, Answered: n}
				held := 6 - c.Outstanding
				unaccepted := 14 + 4*random.Float64()
				return Window{Queue: 6 + unaccepted, Completions: float64(random.IntN(2)), Calls: []Calls{c}},
					Work{Ran: 0.6, Waited: 0.15, Asleep: held - 0.75 + unaccepted, Unaccepted: unaccepted}
			},
			Load{Cores: 0.6, Used: 0.6, Busy: 0.65, Others: 0.05})
		if !(part(charged, tt.want) >= 0.8) {
			t.Errorf("%s: charged %v, want %v", tt.name, charged, tt.want)
		}
	}
}
