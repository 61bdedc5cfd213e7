// SPDX-License-Identifier: Apache-2.0

package whatif

import "math"

// performance is the result to be predicted.
type performance struct{ throughput, response float64 }

const simulatedWidth = 0.05

// recorder records what the exporter would record.
type recorder struct {
	window  int
	at      float64
	present [3][]float64
	out     [2][]float64
	most    [2][]float64
	done    [3][]float64
	begun   [2][]float64
	stops   [3][]stop
}

func newRecorder(duration float64) recorder {
	n := int(math.Round(duration / simulatedWidth))
	var r recorder
	for i := range r.present {
		r.present[i], r.done[i] = make([]float64, n), make([]float64, n)
	}
	for i := range r.out {
		r.out[i], r.most[i], r.begun[i] = make([]float64, n), make([]float64, n), make([]float64, n)
	}
	return r
}

func (r *recorder) elapse(m *simulation, to float64) {
	for r.at < to && r.window < len(r.done[0]) {
		end := min(to, float64(r.window+1)*simulatedWidth)
		share := (end - r.at) / simulatedWidth
		for i := range r.present {
			r.present[i][r.window] += share * float64(m.present[i])
		}
		for i := range r.out {
			r.out[i][r.window] += share * float64(m.out[i])
			r.most[i][r.window] = max(r.most[i][r.window], float64(m.out[i]))
		}
		r.at = end
		if end >= float64(r.window+1)*simulatedWidth-1e-12 && r.window+1 < len(r.done[0]) {
			r.window++
		} else if end >= to {
			return
		}
	}
}

// warmUp is left out at the start of each simulation, in windows.
const warmUp = 200

func (r *recorder) trace(s system) Trace {
	t := Trace{App: "shop", Width: simulatedWidth}
	names := []string{"web", "app", "db"}
	for i, name := range names {
		u := Tier{Name: name, Base: s.tiers[i].work, Knee: float64(s.tiers[i].servers)}
		u.KneeLow, u.KneeHigh = u.Knee*0.9, u.Knee*1.1
		u.Queue, u.Completions = r.present[i][warmUp:], r.done[i][warmUp:]
		n := len(u.Queue)
		u.Frozen, u.Collection = make([]bool, n), make([]float64, n)
		for k := range n {
			own := u.Queue[k]
			if i < 2 {
				own -= r.out[i][warmUp+k]
			}
			u.Own = append(u.Own, own)
			begin := float64(warmUp+k) * simulatedWidth
			for _, stop := range r.stops[i] {
				covered := (min(stop.begin+stop.length, begin+simulatedWidth) - max(stop.begin, begin)) / simulatedWidth
				if covered > 0 && stop.cause == causeCollection {
					u.Collection[k] += covered
				}
				u.Frozen[k] = u.Frozen[k] || covered > 0.98 && own > 0.5
			}
		}
		t.Tiers = append(t.Tiers, u)
	}
	if s.cores > 0 { // all work is computing
		t.Machines = []Machine{{Tiers: names, Processors: float64(s.cores)}}
		for i := range t.Tiers {
			u := &t.Tiers[i]
			u.Processor, u.Knee, u.KneeLow, u.KneeHigh = s.tiers[i].work, 0, 0, 0
		}
	}
	for i := range 2 {
		e := Edge{From: names[i], To: names[i+1], Outstanding: r.out[i][warmUp:], OutstandingMax: r.most[i][warmUp:],
			Calls: r.begun[i][warmUp:]}
		if i == 1 && s.pool > 0 {
			full := 0
			for _, most := range e.OutstandingMax {
				if int(most) == s.pool {
					full++
				}
			}
			if full > len(e.Calls)/20 {
				e.Limit = float64(s.pool) * 0.9
			}
		}
		t.Edges = append(t.Edges, e)
	}
	return t
}

func (r *recorder) performance() performance {
	x := mean(r.done[0][warmUp:]) / simulatedWidth
	return performance{x, mean(r.present[0][warmUp:]) / x}
}
