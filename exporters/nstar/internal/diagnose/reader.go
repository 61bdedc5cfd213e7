// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/api"
	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"
)

// Reader reads Observations from a Prometheus server.
type Reader struct {
	api v1.API
	url string
}

// NewReader returns a Reader of the server behind a client; url is for messages.
func NewReader(client api.Client, url string) *Reader {
	return &Reader{api: v1.NewAPI(client), url: url}
}

// Read fetches what was recorded in the last d of the server's time. app may be
// empty for all applications. Errors are one line that says what to do.
func (r *Reader) Read(ctx context.Context, app string, d time.Duration) (Observations, error) {
	if err := r.checkServer(ctx); err != nil {
		return Observations{}, err
	}
	q := &querier{ctx: ctx, api: r.api, app: app, span: model.Duration(d).String()}
	// The server's clock, not ours: the two may differ, and a range that begins
	// in the server's future is empty.
	q.scalar("time()")
	if q.err != nil {
		return Observations{}, r.explain(q.err)
	}
	o := Observations{To: q.at.UTC(), From: q.at.Add(-d).UTC()}
	o.Tiers, o.Evaluations = q.tiers()
	o.Edges = q.edges()
	o.Causes = q.causes()
	if q.err != nil {
		return Observations{}, r.explain(q.err)
	}
	if len(o.Tiers) == 0 {
		return o, r.explainAbsence(ctx, q)
	}
	return o, nil
}

// querier asks instant queries over one range at one time. The first error
// stays; queries after it return nothing.
type querier struct {
	ctx  context.Context
	api  v1.API
	app  string
	span string
	at   time.Time
	err  error
}

func (q *querier) scalar(expr string) {
	value, _, _, err := q.api.Query(q.ctx, expr, q.at)
	if err != nil {
		q.err = err
		return
	}
	s, ok := value.(*model.Scalar)
	if !ok {
		q.err = fmt.Errorf("query %s: got a %s, want a scalar", expr, value.Type())
		return
	}
	q.at = s.Timestamp.Time()
}

// selector completes a metric name with the app, where one was asked for.
func (q *querier) selector(metric, matchers string) string {
	if q.app != "" {
		matchers += ",app=" + strconv.Quote(q.app)
	}
	return metric + "{" + matchers + "}"
}

func (q *querier) vector(expr string) model.Vector {
	if q.err != nil {
		return nil
	}
	value, _, _, err := q.api.Query(q.ctx, expr, q.at)
	if err != nil {
		q.err = err
		return nil
	}
	v, ok := value.(model.Vector)
	if !ok {
		q.err = fmt.Errorf("query %s: got a %s, want a vector", expr, value.Type())
	}
	return v
}

// key finds the server that a recorded series belongs to.
type key struct{ app, tier, instance string }

func keyOf(m model.Metric) key {
	return key{string(m["app"]), string(m["tier"]), string(m["instance"])}
}

// tiers reads shares, N* and TPmax, and how often states were recorded.
//
// A state is absent while N* is unknown, so shares are sums over the number of
// evaluations (idle is always recorded) rather than means.
func (q *querier) tiers() ([]Tier, int) {
	const share, idle = "nstar:tier_state_share:ratio10s", `state="idle"`
	evaluations := map[key]float64{}
	most := 0.0
	for _, s := range q.vector("count_over_time(" + q.selector(share, idle) + "[" + q.span + "])") {
		evaluations[keyOf(s.Metric)] = float64(s.Value)
		most = max(most, float64(s.Value))
	}
	shares := map[key]map[string]float64{}
	for k := range evaluations {
		shares[k] = map[string]float64{stateIdle: 0, stateNormal: 0, stateSaturated: 0, stateFrozen: 0}
	}
	for _, s := range q.vector("sum_over_time(" + q.selector(share, `state!=""`) + "[" + q.span + "])") {
		if k := keyOf(s.Metric); evaluations[k] > 0 {
			shares[k][string(s.Metric["state"])] = math.Min(1, float64(s.Value)/evaluations[k])
		}
	}
	saturation := q.last("nstar:tier_saturation_point:queue_length")
	maximum := q.last("nstar:tier_max_throughput:requests_per_second")

	servers := map[[2]string]int{}
	for k := range shares {
		servers[[2]string{k.app, k.tier}]++
	}
	var tiers []Tier
	for k, share := range shares {
		t := Tier{App: k.app, Tier: k.tier, NStar: saturation[k], TPMax: maximum[k], Share: share}
		if servers[[2]string{k.app, k.tier}] > 1 {
			t.Instance = k.instance
		}
		tiers = append(tiers, t)
	}
	return tiers, int(most)
}

// last reads the newest value of a recorded series in the range.
func (q *querier) last(metric string) map[key]*float64 {
	values := map[key]*float64{}
	for _, s := range q.vector("last_over_time(" + q.selector(metric, `tier!=""`) + "[" + q.span + "])") {
		v := float64(s.Value)
		values[keyOf(s.Metric)] = &v
	}
	return values
}

// edges reads how the queues of neighbouring tiers moved. Only spans with one
// of the two beyond N* count: quiet ones say nothing about bottlenecks. The
// median of them, because a change of the load moves all queues together: the
// few spans that hold it are near +1 and would outweigh many that take turns.
func (q *querier) edges() []Edge {
	type pair struct{ app, from, to string }
	of := func(m model.Metric) pair { return pair{string(m["app"]), string(m["from"]), string(m["to"])} }
	const correlation, both = "nstar:edge_correlation:pearson12s", "nstar:edge_saturated_share:ratio10s"

	pearson := map[pair]*float64{}
	for _, s := range q.vector("quantile_over_time(0.5, (" + q.selector(correlation, `to!=""`) + " and " + q.selector(both, `to!=""`) + " > 0)[" + q.span + ":1s])") {
		v := float64(s.Value)
		pearson[of(s.Metric)] = &v
	}
	saturated := map[pair]float64{}
	for _, s := range q.vector("avg_over_time(" + q.selector(both, `to!=""`) + "[" + q.span + "])") {
		saturated[of(s.Metric)] = float64(s.Value)
	}
	// Edges that never saturated are wanted too: they tell who calls whom.
	var edges []Edge
	for _, s := range q.vector("last_over_time(" + q.selector(correlation, `to!=""`) + "[" + q.span + "])") {
		p := of(s.Metric)
		edges = append(edges, Edge{App: p.app, From: p.from, To: p.to, Pearson: pearson[p], Saturated: saturated[p]})
	}
	return edges
}

// ratios are the metrics on /windows behind the causes, for the evidence.
var ratios = map[string]string{"garbage_collection": "nstar_window_gc_ratio"}

func (q *querier) causes() []CauseCorrelation {
	const correlation = "nstar:cause_correlation:pearson12s"
	var causes []CauseCorrelation
	for _, s := range q.vector("avg_over_time((" + q.selector(correlation, `cause!=""`) +
		` and on (instance, app, tier) nstar:tier_state_share:ratio10s{state="frozen"} > 0)[` + q.span + ":1s])") {
		k := keyOf(s.Metric)
		c := CauseCorrelation{App: k.app, Tier: k.tier, Instance: k.instance, Cause: string(s.Metric["cause"]), Correlation: float64(s.Value)}
		if metric, ok := ratios[c.Cause]; ok {
			c.Share = q.ratio("avg_over_time", metric, k)
			c.Peak = q.ratio("max_over_time", metric, k)
		}
		causes = append(causes, c)
	}
	return causes
}

func (q *querier) ratio(function, metric string, k key) *float64 {
	expr := fmt.Sprintf("max(%s(%s{app=%q,tier=%q,instance=%q}[%s]))", function, metric, k.app, k.tier, k.instance, q.span)
	for _, s := range q.vector(expr) {
		v := float64(s.Value)
		return &v
	}
	return nil
}
