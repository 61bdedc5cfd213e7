// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"fmt"
	"strings"
	"time"

	"github.com/prometheus/common/model"
)

// Capacity says how near an application is to the most that it can serve
// (THESIS 3.1: client side, gray zone, server side), as the rules recorded it.
type Capacity struct {
	// State is the one that held longest in the range: client, gray, server or
	// unknown.
	State string `json:"state"`
	// Confidence is the share of the types of indicators that say so by
	// themselves, 0 to 1, over the range; nil while the state is unknown.
	Confidence *float64 `json:"confidence"`
	// Peak is the best throughput, and Headroom is how much more can be served before the server is the
	// limit, which is 95 % of the peak (THESIS 3.1), both in requests/s; nil while they are not known.
	Peak     *float64 `json:"peak"`
	Headroom *float64 `json:"headroom"`
	// Source of the peak: study or main_sequence; empty without one.
	Source string `json:"source"`
	// LimitingTier is nearest to its limit; empty on the client side, and if no tier stands out.
	LimitingTier string `json:"limiting_tier"`
	// Ill says that something was wrong in the last 15 minutes, so that the peak is not known.
	Ill bool `json:"ill,omitempty"`
}

// capacityNow is how near the application is to the most that it can serve. It is nil if many answers are errors: these
// come quickly, and look like throughput. And if requests take longer than usual, for whatever reason but more of them
// than a tier can serve: then the peak is that of a fault.
func (d diagnosis) capacityNow() *Capacity {
	if d.troubled() || d.Slower != nil && !d.lacksCapacity() {
		return nil
	}
	return d.Capacity
}

// lacksCapacity reports whether the bottleneck has more requests than it can serve, each as expensive as ever.
func (d diagnosis) lacksCapacity() bool {
	t, _ := d.time(d.finding.Tier)
	return d.bottleneck() && d.finding.Cause == causeDemand && t.Cost.times() < somewhatGrown
}

// The states of nstar:app_capacity_state.
const (
	capacityClient  = "client"
	capacityGray    = "gray"
	capacityServer  = "server"
	capacityUnknown = "unknown"
)

// fromStudy marks a peak that nstartool study found.
const fromStudy = "study"

// leastCapacitySpan holds two evaluations of the rules of capacity.
const leastCapacitySpan = 30 * time.Second

// capacities reads the states of capacity, the peaks and the headroom as means
// over the range. Applications of which no state was recorded get none: their
// rules are older than these.
func (q *querier) capacities(apps map[string]*Application) {
	span := "[" + model.Duration(max(q.at.Sub(q.from), leastCapacitySpan)).String() + "]"
	over := func(function, metric string) string { return function + "(" + q.selector(metric, "") + span + ")" }
	const state, capacity = "nstar:app_capacity_state", "nstar:app_capacity:requests_per_second"

	longest := map[string]model.SampleValue{}
	for _, s := range q.vector("sum by (app, state) (" + over("count_over_time", state) + ")") {
		app, named := label(s.Metric, "app"), label(s.Metric, "state")
		// If two held for the same time, the order of the answer must not decide.
		if a := apps[app]; a != nil && (s.Value > longest[app] || s.Value == longest[app] && named < a.Capacity.State) {
			longest[app], a.Capacity = s.Value, &Capacity{State: named}
		}
	}
	each := func(expr string, set func(c *Capacity, s *model.Sample)) {
		for _, s := range q.vector(expr) {
			if a := apps[label(s.Metric, "app")]; a != nil && a.Capacity != nil {
				set(a.Capacity, s)
			}
		}
	}
	each("avg by (app, state) ("+over("avg_over_time", state)+")", func(c *Capacity, s *model.Sample) {
		if c.State == label(s.Metric, "state") && c.State != capacityUnknown {
			c.Confidence = pointer(s)
		}
	})
	each("avg by (app, level, source) ("+over("avg_over_time", capacity)+")", func(c *Capacity, s *model.Sample) {
		// In the minutes after a study's rules were loaded there are both.
		if label(s.Metric, "level") == "peak" && c.Source != fromStudy {
			c.Peak, c.Source = pointer(s), label(s.Metric, "source")
		}
	})
	each(q.selector("nstar:app_ill:bool15m", ""), func(c *Capacity, _ *model.Sample) { c.Ill = true })
	each("avg by (app) ("+over("avg_over_time", "nstar:app_headroom:requests_per_second")+")",
		func(c *Capacity, s *model.Sample) { c.Headroom = pointer(s) })
	each("topk by (app) (1, sum by (app, tier) ("+over("sum_over_time", "nstar:app_limiting_tier:ratio")+"))",
		func(c *Capacity, s *model.Sample) {
			if c.State == capacityGray || c.State == capacityServer {
				c.LimitingTier = label(s.Metric, "tier")
			}
		})
}

// capacityUnclear is said of a state that fewer than half of the types of indicators confirm: if they disagree, their
// mean lies in the gray zone, too.
const capacityUnclear = "unclear"

// leastAgreement is the least confidence with which a state is said.
const leastAgreement = 0.5

// stated is the state to say.
func (c Capacity) stated() string {
	if c.State != capacityUnknown && c.Confidence != nil && *c.Confidence < leastAgreement {
		return capacityUnclear
	}
	return c.State
}

// sentence says the state of capacity, the peak and the headroom.
func (c Capacity) sentence() string {
	var said strings.Builder
	switch c.stated() {
	case capacityClient:
		said.WriteString("not reached, the clients set the throughput")
	case capacityGray:
		said.WriteString("nearly reached (gray zone), one more server would begin to gain")
	case capacityServer:
		said.WriteString("reached, the server sets the throughput and more clients gain nothing")
	case capacityUnclear:
		said.WriteString("not clear, some indicators say that it is reached, others say that it is not")
	default:
		return "not known yet: " + c.missing()
	}
	if c.Confidence != nil && c.stated() == c.State {
		fmt.Fprintf(&said, " (confidence %s)", percent(*c.Confidence))
	}
	said.WriteString(".")
	if c.Peak != nil {
		fmt.Fprintf(&said, " The peak is %s%s", per(*c.Peak), c.origin())
		const nothing = 0.05 // requests/s, less than is written
		switch {
		case c.Headroom == nil:
		case *c.Headroom < nothing:
			said.WriteString("; no headroom is left")
		default:
			fmt.Fprintf(&said, "; the headroom, up to 95 %% of it, is %s", per(*c.Headroom))
		}
		said.WriteString(".")
	}
	if c.LimitingTier != "" && c.stated() == c.State {
		fmt.Fprintf(&said, " The tier nearest to its limit is %s.", c.LimitingTier)
	}
	return said.String()
}

// missing says what is needed to tell the state.
func (c Capacity) missing() string {
	if c.Peak == nil && c.Ill {
		return "requests took longer than usual in the last 15 minutes, and what the tiers served then is no peak."
	}
	if c.Peak == nil {
		return "no tier was seen both below its limit and at it, and no load study was made (nstartool study), so " +
			"the peak and the headroom are not known."
	}
	return fmt.Sprintf("the peak is %s%s, but there are indicators of one type only, which is not enough to say more.",
		per(*c.Peak), c.origin())
}

// origin says how the peak is known, because its value depends on that.
func (c Capacity) origin() string {
	if c.Source == fromStudy {
		return ", as the load study found"
	}
	return ", as the throughput of the tiers at their limit shows (main sequences)"
}

// worthALine reports whether the state of capacity is worth a line for an application that is healthy.
func (c *Capacity) worthALine() bool {
	return c != nil && (c.stated() == capacityGray || c.stated() == capacityServer)
}
