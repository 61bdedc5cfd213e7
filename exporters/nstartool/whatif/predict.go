// SPDX-License-Identifier: Apache-2.0

package whatif

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
)

const (
	// draws is how many times each prediction is replayed, each time with another seed, another part of
	// the trace, and other values of the parameters that are known only with an error.
	draws = 8
	// spread is the factor on the standard deviation of the draws that gives
	// 90 %: Student's t for 7 degrees of freedom.
	spread = 1.9
	// step is the number of windows over which the number of users is constant: 10 s.
	step = 200
	// Greatest differences between replay and recording, beyond chance, with
	// which predictions are made.
	throughputLimit = 0.05
	responseLimit   = 0.10
)

// mostJumps is the size of one replay, in jumps of the chain; at some 100 ns
// each a whole prediction stays below two seconds. Only tests change it.
var mostJumps = 300_000.0

// Replay is a trace with its calibrated network, ready for questions.
type Replay struct {
	trace    Trace
	network  *network
	source   source
	runs     []run
	nets     []*network
	baseline func() []outcome
}

// New builds and calibrates the network of a trace. Its error says in one line
// why the windows can't be replayed.
func New(t Trace) (*Replay, error) {
	r, err := build(t)
	if err != nil {
		return nil, fmt.Errorf("these windows can't be replayed: %w", err)
	}
	return r, nil
}

func build(t Trace) (*Replay, error) {
	n, err := networkOf(t)
	if err != nil {
		return nil, err
	}
	r := &Replay{trace: t, source: sourceOf(t.Tiers[n.front], t.Width)}
	r.plan(n)
	if r.network, err = calibrated(t, n, r.runs[draws/2]); err != nil {
		return nil, err
	}
	if r.source.kind == undecided && r.overloaded() {
		r.source.close(t.Tiers[n.front], t.Width)
		r.runs = nil
		r.plan(n)
	}
	random := rand.New(rand.NewPCG(2, 0))
	for range draws {
		r.nets = append(r.nets, r.uncertain(random))
	}
	r.baseline = sync.OnceValue(func() []outcome { return r.replays(nil) })
	throughput, response := r.residual()
	if math.Abs(throughput) > throughputLimit || math.Abs(response) > responseLimit+r.chance() {
		return nil, unfit("without a change the replay gives %+.0f %% of throughput and %+.0f %% of response time",
			throughput*100, response*100)
	}
	return r, nil
}

// overloaded reports whether independent arrivals would have overloaded the
// application, which they did not.
func (r *Replay) overloaded() bool {
	for _, part := range r.runs {
		if part.arrivals.users != nil {
			continue
		}
		o := r.network.replay(part)
		if o.overload || o.response > 2*r.trace.measure(r.network.front, part.begin, part.length).response {
			return true
		}
	}
	return false
}

// plan cuts the trace into parts that can be replayed fast enough, and draws the parameters of the source
// that are known only with an error.
func (r *Replay) plan(n *network) {
	t := r.trace
	measured := t.measure(n.front, 0, t.Span())
	jumps := 0.0
	for i, s := range n.stations {
		visits := measured.throughput
		if i < len(measured.visits) {
			visits = measured.visits[i]
		}
		jumps += visits * (2 + 2*s.calls)
	}
	warm := math.Ceil(min(max(5, 5*measured.response), t.Span()/4))
	length := math.Floor(min(max(mostJumps/jumps, 10), t.Span()-warm))
	random := rand.New(rand.NewPCG(1, 0))
	for i := range draws {
		begin := warm + (t.Span()-warm-length)*float64(i)/(draws-1)
		r.runs = append(r.runs, run{begin: math.Floor(begin), length: length, warm: warm, seed: uint64(i),
			arrivals: r.arriving(n.front, i, random)})
	}
}

// arriving draws a source. If its kind is undecided, half of the draws treat it as open, and half use the
// strongest reaction that is likely.
func (r *Replay) arriving(front, i int, random *rand.Rand) arriving {
	u, a := r.trace.Tiers[front], arriving{width: r.trace.Width, load: 1}
	reaction := 0.0
	switch {
	case r.source.kind == closed:
		reaction = max(r.source.reaction+r.source.deviation*random.NormFloat64(), r.source.reaction/2)
	case r.source.kind == undecided && i%2 == 0:
		reaction = r.source.strongest(u, r.trace.Width)
	}
	if reaction == 0 {
		a.counts = arrivals(u)
		return a
	}
	a.users, a.reaction = r.source.users(u, r.trace.Width, reaction, step), reaction
	a.width *= step
	return a
}

// uncertain is the network with another limit for each station that stayed below its limit, because
// calibration can't have corrected that. For a station that stayed at its limit, only TPmax is certain.
func (r *Replay) uncertain(random *rand.Rand) *network {
	n := r.network.clone()
	for i := range n.machines {
		n.machines[i].follows = random.Float64()
	}
	for i, u := range r.trace.Tiers {
		s := &n.stations[i]
		if s.limited > 0 {
			most := s.servers / s.base
			s.servers = math.Pow(s.limited, random.Float64())
			s.base = s.servers / most
			continue
		}
		if u.KneeLow <= 0 || u.KneeHigh <= u.KneeLow || math.IsInf(s.servers, 1) || mean(u.Own) > 0.7*s.servers {
			continue
		}
		deviation := math.Log(u.KneeHigh/u.KneeLow) / (2 * 1.645) // ends of a 90 % interval
		s.servers *= math.Exp(deviation * random.NormFloat64())
	}
	return n
}

// replays runs all draws with the changes.
func (r *Replay) replays(changed []prepared) []outcome {
	out := make([]outcome, draws)
	parallel(draws, func(i int) {
		n, part := r.nets[i], r.runs[i]
		if changed != nil {
			n, part = changed[i].network, changed[i].run
		}
		out[i] = n.replay(part)
	})
	return out
}

type prepared struct {
	network *network
	run     run
}

func (r *Replay) changed(changes []Change) ([]prepared, error) {
	var all []prepared
	for i := range draws {
		p := prepared{r.nets[i].clone(), r.runs[i]}
		for _, c := range changes {
			if err := c.apply(r.trace, p.network, &p.run.arrivals); err != nil {
				return nil, err
			}
		}
		all = append(all, p)
	}
	return all, nil
}

// residual is the difference between throughput and response time of the replay without a change and the
// recorded values of the same parts.
func (r *Replay) residual() (throughput, response float64) {
	var x, y, q, p float64
	for i, o := range r.baseline() {
		m := r.trace.measure(r.network.front, r.runs[i].begin, r.runs[i].length)
		x, y = x+o.throughput, y+m.throughput
		q, p = q+o.throughput*o.response, p+m.throughput*m.response
	}
	return x/y - 1, (q/x)/(p/y) - 1
}

// chance is by how much the response time of the trace itself may differ from
// its expectation by chance, in 90 % of the cases: as much as the replays do,
// less the longer the trace is than they are.
func (r *Replay) chance() float64 {
	var responses []float64
	for _, o := range r.baseline() {
		responses = append(responses, o.response)
	}
	_, deviation := meanAndDeviation(responses)
	return spread * deviation / mean(responses) * math.Sqrt(r.runs[0].length/r.trace.Span())
}

// Predict says what throughput and response time would have been with changes.
func (r *Replay) Predict(changes ...Change) (Prediction, error) {
	prepared, err := r.changed(changes)
	if err != nil {
		return Prediction{}, err
	}
	before, after := r.baseline(), r.replays(prepared)
	for i, o := range after {
		if err := prepared[i].network.possible(o); err != nil {
			return Prediction{}, err
		}
	}
	if err := r.ambiguous(after); err != nil {
		return Prediction{}, err
	}
	return r.prediction(changes, before, after), nil
}

// ambiguous refuses a prediction that differs by a factor of two depending on whether users wait for answers,
// if that isn't known.
func (r *Replay) ambiguous(after []outcome) error {
	if r.source.kind != undecided {
		return nil
	}
	var responses [2][]float64
	overload := false
	for i, o := range after {
		kind := 0
		if r.runs[i].arrivals.users == nil {
			kind = 1
		}
		responses[kind] = append(responses[kind], o.response)
		overload = overload || o.overload
	}
	waiting, not := mean(responses[0]), mean(responses[1])
	if !overload && not <= 2*waiting {
		return nil
	}
	return unfit("the mean response time would be %s or more if users wait for the answer before they ask again, but "+
		"about %s if they do not, and it is not known whether they do: %s", milliseconds(waiting), milliseconds(not),
		r.source.reason)
}
