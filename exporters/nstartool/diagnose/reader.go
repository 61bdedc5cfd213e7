// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/prometheus/client_golang/api"
	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"
)

// monitoring is the application into which the exporter puts Prometheus, its exporters and Grafana. It is
// only reported if the user asks for it.
const monitoring = "monitoring"

// Reader reads Observations from a Prometheus server.
type Reader struct {
	api v1.API
	url string
}

// NewReader returns a Reader of the server behind a client; url is for messages.
func NewReader(client api.Client, url string) *Reader {
	return &Reader{api: v1.NewAPI(client), url: url}
}

// Read fetches what was recorded in the last d of the server's time. app may be empty for all applications. Errors
// are one line that says what to do.
func (r *Reader) Read(ctx context.Context, app string, d time.Duration) (Observations, error) {
	return r.ReadUntil(ctx, app, time.Time{}, d)
}

// ReadUntil is Read for the d until end, which is zero for now.
func (r *Reader) ReadUntil(ctx context.Context, app string, end time.Time, d time.Duration) (Observations, error) {
	if err := r.checkServer(ctx); err != nil {
		return Observations{}, err
	}
	q := &querier{ctx: ctx, api: r.api, app: app, span: model.Duration(d).String(), step: stepOf(d)}
	// The server's clock, not ours: the two may differ, and a range that begins
	// in the server's future is empty.
	q.scalar("time()")
	if q.err != nil {
		return Observations{}, r.explain(q.err)
	}
	if end.After(q.at) {
		return Observations{}, fmt.Errorf("--time is in the future: the clock of Prometheus at %s says %s",
			r.url, q.at.UTC().Format(time.RFC3339))
	}
	if !end.IsZero() {
		q.at, q.past = end, true
	}
	q.from = q.at.Add(-d)
	o := Observations{From: q.from.UTC(), To: q.at.UTC(), Tiers: q.servers()}
	o.Apps = q.applications()
	if q.err != nil {
		return Observations{}, r.explain(q.err)
	}
	if len(o.Apps) == 0 {
		return o, r.explainAbsence(ctx, q, len(o.Tiers) > 0)
	}
	return o, nil
}

// applications reads all that is known of each application.
func (q *querier) applications() []Application {
	apps := map[string]*Application{}
	for name, evaluations := range q.history(q.from, q.at, q.step) {
		apps[name] = &Application{Name: name, Evaluations: evaluations}
	}
	q.holding(apps)
	q.edges(apps)
	q.lacking(apps)
	q.mirrors(apps)
	q.colocated(apps)
	q.times(apps)
	q.latest(apps)
	q.silences(apps)
	q.subsided(apps)
	q.grew(apps)
	q.slower(apps)
	q.stretched(apps)
	q.usualLoad(apps)
	q.consumers(apps)
	q.unfollowed(apps)
	q.apart(apps)
	q.waiting(apps)
	q.circumstances(apps)
	q.costsThen(apps)
	q.correlations(apps)
	q.neighbours(apps)
	q.clients(apps)
	q.disturbed(apps)
	q.crowds(apps)
	q.diskNeighbours(apps)
	q.standstills(apps)
	q.outside(apps)
	q.accepts(apps)
	q.unread(apps)
	q.faults(apps)
	q.unseen(apps)
	q.blind(apps)
	q.programs(apps)
	q.code(apps)
	q.starts(apps)
	q.ends(apps)
	q.failed(apps)
	q.errors(apps)
	q.paused(apps)
	q.held(apps)
	q.placements(apps)
	q.misses(apps)
	q.capacities(apps)
	for _, name := range slices.Sorted(maps.Keys(apps)) {
		q.worst(apps[name], len(apps))
	}
	var list []Application
	for _, a := range apps {
		list = append(list, *a)
	}
	slices.SortFunc(list, func(a, b Application) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// holding finds out since when the verdicts have held. For verdicts that already held at the beginning of the
// range, it looks back further: an hour and then a day.
func (q *querier) holding(apps map[string]*Application) {
	for _, a := range apps {
		a.holds(a.Evaluations, q.from, longestBreak(q.step))
	}
	for _, back := range []time.Duration{time.Hour, 24 * time.Hour} {
		longer := func(a *Application) bool { return a.HeldLonger }
		if !slices.ContainsFunc(slices.Collect(maps.Values(apps)), longer) {
			return
		}
		begin, step := q.from.Add(-back), stepOf(back)
		earlier := q.history(begin, q.from, step)
		for name, a := range apps {
			if a.HeldLonger {
				a.holds(append(earlier[name], a.Evaluations...), begin, longestBreak(max(step, q.step)))
			}
		}
	}
}

func (a *Application) holds(history []Evaluation, begin time.Time, longest time.Duration) {
	if f, ok := prevailing(a.Evaluations); ok {
		a.Held, _ = held(history, f, longest)
		a.HeldLonger = a.Held.Sub(begin) <= longest
	}
}
