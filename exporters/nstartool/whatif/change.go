// SPDX-License-Identifier: Apache-2.0

package whatif

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Change is one change whose effect is asked for.
type Change interface {
	// String completes "with ...".
	String() string
	// apply makes the change in a network, or says why it can't be.
	apply(t Trace, n *network, a *arriving) error
}

// NoFreezes is a tier without its stops, or without the stops of one cause.
type NoFreezes struct {
	Tier  string `json:"no_freezes"`
	Cause string `json:"cause,omitempty"`
}

// Speed is a tier that does its work a factor faster, at each load.
type Speed struct {
	Tier   string  `json:"speed"`
	Factor float64 `json:"factor"`
}

// Pool is another cap on the calls from one tier to another.
type Pool struct {
	From   string `json:"from"`
	To     string `json:"to"`
	Places int    `json:"places"`
}

// OwnProcessors is a tier on this many processors that it shares with no other tier. The other tiers on its
// machine lose these processors. If they have none left, they share the other processors of the host.
type OwnProcessors struct {
	Tier       string `json:"own_processors"`
	Processors int    `json:"processors"`
}

// Load is the load times a factor: more users, or more arrivals.
type Load struct {
	Factor float64 `json:"load"`
}

func (c NoFreezes) String() string {
	if c.Cause == "" {
		return "no freezes in " + c.Tier
	}
	return fmt.Sprintf("no freezes in %s by %s", c.Tier, strings.ReplaceAll(c.Cause, "_", " "))
}

func (c Speed) String() string { return fmt.Sprintf("%s %s times as fast", c.Tier, digits(c.Factor)) }

func (c Pool) String() string {
	return fmt.Sprintf("%d calls at once from %s to %s", c.Places, c.From, c.To)
}

func (c OwnProcessors) String() string {
	if c.Processors == 1 {
		return "a processor of its own for " + c.Tier
	}
	return fmt.Sprintf("%d processors of its own for %s", c.Processors, c.Tier)
}

func (c Load) String() string { return fmt.Sprintf("%s times the load", digits(c.Factor)) }

// station finds a tier by its name.
func (n *network) station(t Trace, name string) (*station, error) {
	if i := t.tier(name); i >= 0 {
		return &n.stations[i], nil
	}
	var names []string
	for _, u := range t.Tiers {
		names = append(names, u.Name)
	}
	return nil, unfit("there is no tier %q in %s; there are: %s", name, t.App, strings.Join(names, ", "))
}

func (c NoFreezes) apply(t Trace, n *network, _ *arriving) error {
	s, err := n.station(t, c.Tier)
	if err != nil {
		return err
	}
	keep := slices.DeleteFunc(slices.Clone(s.stops), func(x stop) bool { return c.Cause == "" || x.cause == c.Cause })
	if len(keep) == len(s.stops) {
		return unfit("%s was not stopped in this range, so there is nothing to take away: %s", c.Tier, c)
	}
	s.stops = keep
	return nil
}

func (c Speed) apply(t Trace, n *network, _ *arriving) error {
	s, err := n.station(t, c.Tier)
	switch {
	case err != nil:
		return err
	case c.Factor <= 0 || math.IsInf(c.Factor, 0) || math.IsNaN(c.Factor):
		return unfit("a speed of %v is not possible", c.Factor)
	case !s.known:
		return unfit("the effect of %s %s times as fast can't be predicted: its base residence time is not known%s",
			c.Tier, digits(c.Factor), because(t.Tiers[t.tier(c.Tier)].Learning))
	}
	s.base /= c.Factor
	s.processor /= c.Factor
	s.peak *= c.Factor
	return nil
}

func (c Pool) apply(t Trace, n *network, _ *arriving) error {
	from, err := n.station(t, c.From)
	if err != nil {
		return err
	}
	if c.Places < 1 {
		return unfit("a pool needs at least one place")
	}
	for _, i := range from.out {
		l := &n.links[i]
		if n.stations[l.to].name != c.To {
			continue
		}
		if l.places == 0 {
			return unfit("the calls from %s to %s were never seen at a cap, so the effect of another cap can't be "+
				"predicted", c.From, c.To)
		}
		if to := n.stations[l.to]; to.limited > 0 {
			return unfit("it is not known whether %s was at its limit or only its callers were: "+
				"its base residence time is not known%s", to.name, because(t.Tiers[l.to].Learning))
		}
		l.places = c.Places
		return nil
	}
	return unfit("%s does not call %s", c.From, c.To)
}

func (c Load) apply(_ Trace, n *network, a *arriving) error {
	if c.Factor <= 0 || math.IsInf(c.Factor, 0) || math.IsNaN(c.Factor) {
		return unfit("a load of %v times is not possible", c.Factor)
	}
	a.load *= c.Factor
	for i := range n.machines {
		m := &n.machines[i]
		m.others *= 1 + m.follows*(c.Factor-1)
	}
	return nil
}

func (c OwnProcessors) apply(t Trace, n *network, _ *arriving) error {
	s, err := n.station(t, c.Tier)
	switch {
	case err != nil:
		return err
	case c.Processors < 1:
		return unfit("%s needs at least one processor", c.Tier)
	}
	if err := n.takeOut(t.tier(c.Tier), float64(c.Processors)); err != nil {
		return err
	}
	// What it could do beside the others is no longer a limit if it mostly computes.
	if s.computing() >= 0.5 {
		s.servers, s.speed = math.Inf(1), nil
	}
	return nil
}

// possible refuses a result for which a station would have to do more than it is known to do. A station without a
// known limit can do what it did in its best second. And because N* is at least 1, its TPmax is at least 1/R0. It
// is allowed 0.7 of that: below, the queue of a single server is still short. If its processors are known, they
// are its limit.
func (n *network) possible(o outcome) error {
	for i, s := range n.stations {
		if !math.IsInf(s.servers, 1) || n.onMachine(i) {
			continue
		}
		limit := s.peak
		if s.known {
			limit = max(limit, 0.7/s.base)
		}
		if o.visits[i] > limit*1.02 { // its own mean fluctuates
			return unfit("%s would have to do %s requests/s; it was never seen above %s/s, and its limit is not known",
				s.name, digits(o.visits[i]), digits(s.peak))
		}
	}
	return nil
}

// digits writes a figure with three digits at most, as a person would.
func digits(v float64) string {
	switch a := math.Abs(v); {
	case a >= 100 || v == math.Trunc(v):
		return fmt.Sprintf("%.0f", v)
	case a >= 10:
		return fmt.Sprintf("%.1f", v)
	case a >= 0.1:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.2g", v)
}
