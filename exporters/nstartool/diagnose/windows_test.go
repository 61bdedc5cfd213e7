// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/prometheus/common/model"
)

func TestLongest(t *testing.T) {
	queue := map[model.Time]float64{}
	for i := range 100 {
		queue[model.Time(i*50)] = float64(i)
	}
	want := map[model.Time]bool{95 * 50: true, 96 * 50: true, 97 * 50: true, 98 * 50: true, 99 * 50: true}
	if diff := cmp.Diff(want, longest(queue)); diff != "" {
		t.Error(diff)
	}
	if got := longest(map[model.Time]float64{50: 2, 100: 1}); len(got) != 1 || !got[50] {
		t.Errorf("of two windows %v", got)
	}
	if got := longest(map[model.Time]float64{50: 0, 100: 0}); len(got) != 0 {
		t.Errorf("of windows without a queue %v", got)
	}
}

func TestChunks(t *testing.T) {
	for _, test := range []struct {
		length time.Duration
		most   time.Duration
		want   []time.Duration
	}{
		{90 * time.Second, time.Hour, []time.Duration{time.Minute, 30 * time.Second}},
		{2 * time.Hour, 3 * time.Minute, []time.Duration{time.Minute, time.Minute, time.Minute}},
		{2 * time.Hour, 0, []time.Duration{10 * time.Second}},
		{500 * time.Millisecond, time.Hour, nil},
	} {
		var got []time.Duration
		last := end
		for _, c := range chunks(end.Add(-test.length), end, test.most) {
			if !c.to.Equal(last) {
				t.Errorf("%v: a gap before %v", test, last)
			}
			got, last = append(got, c.to.Sub(c.from)), c.from
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%v: %s", test, diff)
		}
	}
	if got := len(chunks(end.Add(-2*time.Hour), end, time.Hour)); got != 10 {
		t.Errorf("%d minutes of windows, want 10", got)
	}
}

func TestCauseIn(t *testing.T) {
	for _, test := range []struct {
		state, collection float64
		want              string
	}{
		{0, 0, ""}, {1, 1, ""}, {2, 1, causeDemand}, {3, 0.4, causeStopped}, {3, 0.5, causeCollection},
		{4, 1, causeWaiting}, {5, 0, causeUnknown},
	} {
		if got := causeIn(test.state, test.collection); got != test.want {
			t.Errorf("state %v, collection %v: %q, want %q", test.state, test.collection, got, test.want)
		}
	}
}

// verdicts answers range queries with series of verdicts; each is given by the
// seconds before `end` from and to which it was seen.
func verdicts(t *testing.T, spans map[Finding][2]int) *querier {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		from, to, step := number(r.FormValue("start")), number(r.FormValue("end")), number(r.FormValue("step"))
		var series []string
		for f, span := range spans {
			var values []string
			for at := from; at <= to; at += step {
				if before := float64(end.Unix()) - at; before <= float64(span[0]) && before >= float64(span[1]) {
					values = append(values, fmt.Sprintf(`[%f,"0.5"]`, at))
				}
			}
			if len(values) > 0 {
				series = append(series,
					fmt.Sprintf(`{"metric":{"app":"shop","verdict":%q,"tier":%q,"cause":%q},"values":[%s]}`,
						f.Verdict, f.Tier, f.Cause, strings.Join(values, ",")))
			}
		}
		fmt.Fprintf(w, `{"status":"success","data":{"resultType":"matrix","result":[%s]}}`, strings.Join(series, ","))
	}))
	t.Cleanup(s.Close)
	q := &querier{ctx: context.Background(), api: reader(t, s.URL).api, step: time.Second}
	q.from, q.at = end.Add(-3*time.Minute), end
	return q
}

// TestHistoryAfterARestart: the verdict from before lingers beside the new one.
func TestHistoryAfterARestart(t *testing.T) {
	q := verdicts(t, map[Finding][2]int{limited: {500, 20}, well: {90, 0}})
	count := map[Finding]int{}
	for _, e := range q.history(q.from, q.at, q.step)["shop"] {
		count[e.Finding]++
	}
	if q.err != nil || count[limited] != 90 || count[well] != 91 {
		t.Error(q.err, count)
	}
}

func TestHolding(t *testing.T) {
	const hour, day = 3600, 24 * 3600
	for _, test := range []struct {
		name   string
		spans  map[Finding][2]int
		held   int // seconds before the end
		within int
		longer bool
	}{
		{"within the range", map[Finding][2]int{well: {500, 101}, limited: {100, 0}}, 100, 0, false},
		{"since the records begin", map[Finding][2]int{limited: {110, 0}}, 110, 0, false},
		{"within the hour before", map[Finding][2]int{well: {3000, 1801}, limited: {1800, 0}}, 1800, 3, false},
		{"within the day before", map[Finding][2]int{well: {day, 5*hour + 1}, limited: {5 * hour, 0}},
			5 * hour, 72, false},
		{"longer", map[Finding][2]int{limited: {3 * day, 0}}, day + 180, 72, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			q := verdicts(t, test.spans)
			a := &Application{Evaluations: q.history(q.from, q.at, q.step)["shop"]}
			q.holding(map[string]*Application{"shop": a})
			got := int(end.Sub(a.Held).Seconds())
			if q.err != nil || got > test.held || got < test.held-test.within || a.HeldLonger != test.longer {
				t.Errorf("held for %d s, longer %v (%v), want %d s, %v", got, a.HeldLonger, q.err,
					test.held, test.longer)
			}
		})
	}
}

// The table of the worst windows must not contradict the sentence above it: if a quota holds a tier, its windows are
// saturated or stand still, too.
func TestWorstWindowsAsBlamed(t *testing.T) {
	for _, test := range []struct {
		name    string
		verdict Verdict
		blame   []Excess
		causes  map[string]float64
		want    map[string]float64
	}{
		{"stops that have just begun", Healthy, []Excess{{Tier: "app", Cause: causeNeighbour, Tail: 0.1}},
			map[string]float64{causeStopped: 4, causeDemand: 1},
			map[string]float64{causeStopped: 4, causeNeighbour: 1}},
		{"a quota", SingleBottleneck, []Excess{{Tier: "app", Cause: causeThrottled, Tail: 0.9}},
			map[string]float64{causeDemand: 2, causeUnknown: 1, causeStopped: 1, causeWaiting: 3},
			map[string]float64{causeThrottled: 4, causeWaiting: 3}},
		{"others take a part", SingleBottleneck, []Excess{{Tier: "app", Cause: causeDemand, Tail: 0.75},
			{Tier: "app", Cause: causeNeighbour, Tail: 0.25}},
			map[string]float64{causeDemand: 4}, map[string]float64{causeDemand: 3, causeNeighbour: 1}},
		{"stops and collections that the rules know", SingleBottleneck, []Excess{
			{Tier: "app", Cause: causeStopped, Tail: 0.5},
			{Tier: "app", Cause: causeCollection, Tail: 0.3}, {Tier: "app", Cause: causeThrottled, Tail: 0.2}},
			map[string]float64{causeStopped: 5, causeCollection: 3, causeUnknown: 2},
			map[string]float64{causeStopped: 5, causeCollection: 3, causeThrottled: 2}},
		{"another tier's quota", SingleBottleneck, []Excess{{Tier: "database", Cause: causeThrottled, Tail: 0.9}},
			map[string]float64{causeDemand: 2}, map[string]float64{causeDemand: 2}},
		{"next to nothing", SingleBottleneck, []Excess{{Tier: "app", Cause: causeNeighbour, Tail: 0.02}},
			map[string]float64{causeDemand: 2}, map[string]float64{causeDemand: 2}},
	} {
		d := diagnosis{Application: Application{Blame: test.blame}, finding: Finding{Verdict: test.verdict}}
		if diff := cmp.Diff(test.want, d.asBlamed(WorstTime{Tier: "app", Causes: test.causes})); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// Requests that wait at a destination that no exporter measures are a part of the worst windows, too; the time beyond
// its usual time is charged to it only if the rules say that it is slow.
func TestWorstWindowsOutside(t *testing.T) {
	const outside = "10.0.0.9:443"
	s := server(t, "3.15.0", "", recorded{
		"group by (tier) (last_over_time(nstar:unmeasured_queue_length:mean15s": {`{"tier":"` + outside + `"}`: 1},
		"nstar_window_own_queue_length": {
			`{"app":"shop","tier":"web","instance":"h"}`: 1},
		"nstar_window_state": {`{"app":"shop","tier":"web","instance":"h"}`: 1},
		"nstar_window_edge_outstanding": {
			`{"app":"shop","from":"web","to":"` + outside + `"}`: 4, `{"app":"shop","from":"front","to":"web"}`: 5},
	})
	for slow, want := range map[bool][]WorstTime{
		true: {{Tier: "web", Own: 0.1, Base: 0.1, Causes: map[string]float64{}},
			{Tier: outside, Own: 0.4, Base: 0.05, Causes: map[string]float64{causeSlow: 0.35}}},
		false: {{Tier: "web", Own: 0.1, Base: 0.1, Causes: map[string]float64{}},
			{Tier: outside, Own: 0.4, Base: 0.4, Causes: map[string]float64{}}},
	} {
		a := Application{Name: "shop", Throughput: 10, Times: []TierTime{{Tier: "web"}, {Tier: outside, Base: 0.05}}}
		if slow {
			a.Blame = []Excess{{Tier: outside, Cause: causeSlow}}
		}
		q := &querier{ctx: context.Background(), api: s.api, step: time.Second, from: end.Add(-time.Minute),
			at: end, span: "1m"}
		q.worst(&a, 1)
		if diff := cmp.Diff(want, a.Worst, cmpopts.EquateApprox(1e-9, 0)); diff != "" || a.WorstMissing != "" {
			t.Errorf("slow %v: %s\n-want +got\n%s", slow, a.WorstMissing, diff)
		}
	}
}
