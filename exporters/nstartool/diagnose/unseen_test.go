// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"strings"
	"testing"
	"time"
)

// Requests that wait behind a broker can't be seen, and the tool says so if it does not know what requests wait
// for.
func TestUnseen(t *testing.T) {
	r := server(t, "2.42.0", "nstar:app_verdict", recorded{
		"nstar:app_verdict": {`{"app":"shop","verdict":"learning"}`: 1},
		"nstar_tier_unmeasured_connections_total": {`{"app":"shop","tier":"broker"}`: 2,
			`{"app":"gone","tier":"web"}`: 1,
			`{"app":"shop","tier":"web"}`: 4},
		"nstar_tier_completions_total": {`{"app":"shop","tier":"web"}`: 40},
		"group by (app, from, to) (nstar_edge_calls_total": {`{"app":"shop","from":"web","to":"broker"}`: 1,
			`{"app":"shop","from":"web","to":"db"}`: 1},
		"nstar_tier_unix_socket_info": {`{"app":"shop","tier":"web","path":"/run/app.sock"}`: 1,
			`{"app":"gone","tier":"web","path":"/run/app.sock"}`: 1},
	})
	o, err := r.Read(context.Background(), "", 3*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if got := o.Apps[0].Unseen; len(got) != 1 || got[0] != "broker" {
		t.Fatalf("%q can't be seen, want the broker", got)
	}
	if got := o.Apps[0].OverUnix; len(got) != 1 || got[0] != (UnixCall{"web", "/run/app.sock"}) {
		t.Fatalf("%q is asked over Unix sockets, want that of web", got)
	}
	d := diagnosis{finding: single("web", causeSlow)}
	d.AsksUnseen, d.Times = o.Apps[0].AsksUnseen, []TierTime{{Tier: "web", Status: statusKnown}}
	want := "Find out what the requests of web wait for (its log, a thread dump): broker, whose answers Nstar can't " +
		"see, a lock, "
	if !strings.HasPrefix(d.advice(), want) {
		t.Errorf("the advice is %q", d.advice())
	}
	for _, tt := range []struct {
		verdict Verdict
		own     float64 // of the tier that asks the broker, of 1 s
		want    bool
	}{{Learning, 0.2, true}, {Learning, 0.05, false}, {Healthy, 0.2, false}} {
		d := diagnosis{finding: Finding{Verdict: tt.verdict}}
		d.Unseen, d.AsksUnseen = []string{"broker"}, o.Apps[0].AsksUnseen
		d.Times = []TierTime{{Tier: "web", Own: tt.own}, {Tier: "db", Own: 1 - tt.own}}
		if got := strings.Contains(d.advice(), "look at the queues of broker"); got != tt.want {
			t.Errorf("%s, %g s: the advice is %q", tt.verdict, tt.own, d.advice())
		}
	}
}
