// SPDX-License-Identifier: Apache-2.0

package whatif

import (
	"fmt"
	"math"
	"slices"
)

// Prediction is the effect that a change would have. Its JSON form is an interface to other programs: fields
// are added, never renamed.
type Prediction struct {
	App     string   `json:"app"`
	Changes []Change `json:"changes"`
	Windows int      `json:"windows"`
	Seconds float64  `json:"seconds"`
	// Recorded is what was recorded; Replayed is what the replay gives without a change.
	Recorded Performance `json:"recorded"`
	Replayed Performance `json:"replayed"`
	// Predicted is what was recorded, times what the replay gains.
	Predicted Performance `json:"predicted"`
	// Throughput and Response are the gains, 0.2 for a fifth more.
	Throughput Gain `json:"throughput_gain"`
	Response   Gain `json:"response_gain"`
	// Overload says that the queue would grow without end; the predicted
	// response time is 0 then.
	Overload bool   `json:"overload"`
	Source   Source `json:"source"`
	Pools    []Cap  `json:"pools"`
	// Assumptions are the assumptions that may not hold for these changes, in sentences.
	Assumptions []string `json:"assumptions,omitempty"`
}

// Performance of the application.
type Performance struct {
	Throughput float64    `json:"requests_per_second"`
	Response   float64    `json:"response_seconds"`
	Tiers      []TierTime `json:"tiers"`
}

// TierTime is the part of the response time that is spent in a tier.
type TierTime struct {
	Tier    string  `json:"tier"`
	Seconds float64 `json:"seconds"`
}

// Gain is a relative change with its 90 % interval.
type Gain struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Source says where the requests come from, and why this is assumed.
type Source struct {
	Kind   string `json:"kind"` // closed, open or undecided
	Reason string `json:"reason"`
	// Users and think time in seconds of a closed source; otherwise 0.
	Users float64 `json:"users,omitempty"`
	Think float64 `json:"think_seconds,omitempty"`
}

// Cap is a cap on the calls between two tiers, as it was replayed.
type Cap struct {
	From   string  `json:"from"`
	To     string  `json:"to"`
	Places int     `json:"places"`
	Hold   float64 `json:"hold_seconds"` // after an answer a place stays taken for this time
}

func (r *Replay) prediction(changes []Change, before, after []outcome) Prediction {
	t := r.trace
	p := Prediction{App: t.App, Changes: changes, Windows: t.Windows(), Seconds: t.Span(), Source: r.described()}
	p.Recorded = r.performance(t.measure(r.network.front, 0, t.Span()))
	throughput, response := r.residual()
	p.Replayed.Throughput = p.Recorded.Throughput * (1 + throughput)
	p.Replayed.Response = p.Recorded.Response * (1 + response)
	var x, y []float64
	var tiers [2][]float64
	for i := range after {
		x = append(x, after[i].throughput/before[i].throughput)
		y = append(y, after[i].response/before[i].response)
		p.Overload = p.Overload || after[i].overload
		for k, o := range []outcome{before[i], after[i]} {
			if tiers[k] == nil {
				tiers[k] = make([]float64, len(t.Tiers))
			}
			for j := range t.Tiers {
				tiers[k][j] += o.own[j] / o.throughput / draws
			}
		}
	}
	p.Throughput = gainOf(x, throughput)
	p.Response = gainOf(y, response)
	p.Predicted.Throughput = p.Recorded.Throughput * (1 + p.Throughput.Mean)
	p.Predicted.Response = p.Recorded.Response * (1 + p.Response.Mean)
	p.Replayed.Tiers = r.shared(p.Replayed.Response, tiers[0])
	p.Predicted.Tiers = r.shared(p.Predicted.Response, tiers[1])
	if p.Overload {
		p.Predicted.Response, p.Response, p.Predicted.Tiers = 0, Gain{}, nil
	}
	for _, l := range r.network.links {
		if l.places > 0 {
			p.Pools = append(p.Pools, Cap{r.network.stations[l.from].name, r.network.stations[l.to].name,
				l.places, l.hold})
		}
	}
	p.Assumptions = r.assumptions(changes)
	return p
}

// assumptions that were seen to fail, or were never seen to hold: collections take longer when more
// requests at once fill the heap, and collectors without long pauses have
// short ones and take processor time.
func (r *Replay) assumptions(changes []Change) (all []string) {
	for i, s := range r.network.stations {
		if math.IsInf(s.servers, 1) && r.network.onMachine(i) {
			all = append(all, fmt.Sprintf("%s was never seen at its limit: the prediction assumes that its "+
				"processors are the limit.", s.name))
		}
	}
	for _, s := range r.network.stations {
		collects := slices.ContainsFunc(s.stops, func(x stop) bool { return x.cause == causeCollection })
		for _, c := range changes {
			switch c := c.(type) {
			case Load:
				if c.Factor > 1 && collects {
					all = append(all, fmt.Sprintf("The prediction assumes that collections of %s last as long as "+
						"before; in a heap that is nearly full, more requests at once make them longer.", s.name))
				}
			case NoFreezes:
				if c.Tier == s.name && collects && c.Cause != causeStopped {
					all = append(all, "A collector with short pauses still has some pauses, and takes processor time "+
						"while it runs.")
				}
			}
		}
	}
	return all
}

// shared divides a response time among the tiers in proportion.
func (r *Replay) shared(response float64, times []float64) (tiers []TierTime) {
	for i, u := range r.trace.Tiers {
		tiers = append(tiers, TierTime{u.Name, response * times[i] / max(sum(times), quick)})
	}
	return tiers
}

func (r *Replay) performance(o outcome) Performance {
	p := Performance{Throughput: o.throughput, Response: o.response}
	for i, u := range r.trace.Tiers {
		p.Tiers = append(p.Tiers, TierTime{u.Name, o.own[i] / o.throughput})
	}
	return p
}

func (r *Replay) described() Source {
	s := Source{Kind: r.source.kind.String(), Reason: r.source.reason}
	if r.source.kind == closed {
		front := r.trace.Tiers[r.network.front]
		s.Think = 1 / r.source.reaction
		s.Users = sum(arrivals(front))/r.trace.Span()*s.Think + mean(front.Queue)
	}
	return s
}

// gainOf is the gain from a ratio that was drawn several times. The error of the replay without a change
// widens the interval.
func gainOf(ratios []float64, residual float64) Gain {
	m, deviation := meanAndDeviation(ratios)
	half := math.Hypot(spread*deviation, residual*m)
	return Gain{Mean: m - 1, Low: m - 1 - half, High: m - 1 + half}
}

func meanAndDeviation(values []float64) (m, deviation float64) {
	m = mean(values)
	for _, v := range values {
		deviation += (v - m) * (v - m) / float64(len(values)-1)
	}
	return m, math.Sqrt(deviation)
}
