// SPDX-License-Identifier: Apache-2.0

package applications

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// step is a scan: which tiers there are with how many requests, and what is called now.
type step struct {
	at    time.Duration
	tiers []Tier
	calls []Call
	want  map[string]string
}

func TestDivide(t *testing.T) {
	shop := []Tier{{Name: "nginx", Requests: 500}, {Name: "java", Requests: 500}, {Name: "postgres", Requests: 900}}
	calls := []Call{{"nginx", "java"}, {"java", "postgres"}}
	with := func(more ...Tier) []Tier { return append(append([]Tier{}, shop...), more...) }
	apart := map[string]string{"agent": "agent"}
	abc := []Tier{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	asked := []Tier{{Name: "a", Requests: 200}, {Name: "b"}, {Name: "c"}}
	two := map[string]string{"gunicorn": "gunicorn", "redis": "gunicorn"}
	other := []Tier{{Name: "gunicorn", Requests: 300}, {Name: "redis", Requests: 900}}
	for _, tt := range []struct {
		name  string
		named map[string]bool
		steps []step
	}{
		{"one application", nil, []step{{tiers: shop, calls: calls}}},
		{"a single server", nil, []step{{tiers: []Tier{{Name: "nginx", Requests: 500}}}}},
		{"servers that call nobody", nil, []step{{tiers: shop}, {at: time.Hour, tiers: shop}}},
		{"a server beside it", nil, []step{
			{tiers: with(Tier{Name: "agent", Requests: 9}), calls: calls},
			{tiers: with(Tier{Name: "agent", Requests: 10}), calls: calls, want: apart},
			{tiers: with(Tier{Name: "agent"}), calls: calls, want: apart},
		}},
		{"a server in which two requests wait for jobs", nil, []step{
			{tiers: with(Tier{Name: "agent", Requests: 2}), calls: calls},
			{at: time.Minute, tiers: with(Tier{Name: "agent", Requests: 2}), calls: calls, want: apart},
		}},
		{"a server that nobody asks", nil, []step{
			{tiers: with(Tier{Name: "agent"}), calls: calls},
			{at: time.Hour, tiers: with(Tier{Name: "agent"}), calls: calls},
		}},
		{"an application that is asked for its health only", nil, []step{
			{tiers: with(Tier{Name: "gunicorn", Requests: 3}, Tier{Name: "redis"}),
				calls: append(calls, Call{"gunicorn", "redis"})},
			{at: 4 * time.Minute, tiers: with(Tier{Name: "gunicorn", Requests: 9}, Tier{Name: "redis"})},
			{at: 5 * time.Minute, tiers: with(Tier{Name: "gunicorn", Requests: 9}, Tier{Name: "redis"}), want: two},
		}},
		{"a server ends that connects the others", nil, []step{
			{tiers: shop, calls: calls},
			{tiers: []Tier{shop[0], shop[2]}},
			{tiers: shop, calls: calls[1:]},
		}},
		{"its calls are not seen for a while", nil, []step{
			{tiers: with(Tier{Name: "agent", Requests: 90}), calls: calls, want: apart},
			{tiers: with(Tier{Name: "agent", Requests: 99}), want: apart},
		}},
		{"then it is called", nil, []step{
			{tiers: with(Tier{Name: "agent", Requests: 90}), calls: calls, want: apart},
			{tiers: with(Tier{Name: "agent", Requests: 99}), calls: []Call{{"java", "agent"}}},
			{tiers: with(Tier{Name: "agent", Requests: 99})},
		}},
		{"it has clients elsewhere", nil, []step{
			{tiers: with(Tier{Name: "agent", Requests: 90, Fixed: true}), calls: calls},
			{tiers: with(Tier{Name: "agent", Requests: 90}), calls: calls},
		}},
		{"beside servers that nobody asks", nil, []step{
			{tiers: append(abc, Tier{Name: "agent", Requests: 90}), calls: []Call{{"a", "b"}}},
		}},
		{"its name is an application's", map[string]bool{"agent": true}, []step{
			{tiers: with(Tier{Name: "agent", Requests: 90}), calls: calls},
		}},
		{"another application", nil, []step{
			{tiers: with(other...), calls: append(calls, Call{"gunicorn", "redis"})},
			{at: 50 * time.Second, tiers: with(other...)},
			{at: time.Minute, tiers: with(other...), want: two},
		}},
		{"nobody asks the first one", nil, []step{
			{tiers: abc, calls: []Call{{"a", "b"}, {"a", "c"}}},
			{tiers: append(abc, other...), calls: []Call{{"gunicorn", "redis"}}},
			{at: time.Minute, tiers: append(asked, other...)},
			{at: 2 * time.Minute, tiers: append(asked, other...),
				want: map[string]string{"a": "a", "b": "a", "c": "a"}},
		}},
		{"that grows larger", nil, []step{
			{tiers: shop, calls: calls},
			{tiers: with(append(other, Tier{Name: "a"}, Tier{Name: "b"})...),
				calls: []Call{{"gunicorn", "redis"}, {"gunicorn", "a"}, {"gunicorn", "b"}}},
			{at: time.Minute, tiers: with(append(other, Tier{Name: "a"}, Tier{Name: "b"})...), want: map[string]string{
				"gunicorn": "gunicorn", "redis": "gunicorn", "a": "gunicorn", "b": "gunicorn"}},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var d Division
			for i, s := range tt.steps {
				got := d.Divide(s.tiers, s.calls, tt.named, s.at)
				if len(got) == 0 {
					got = nil
				}
				if diff := cmp.Diff(s.want, got); diff != "" {
					t.Errorf("scan %d, applications (-want +got):\n%s", i, diff)
				}
			}
		})
	}
}
