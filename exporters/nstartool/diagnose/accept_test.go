// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReadAccepts(t *testing.T) {
	r := server(t, "2.42.0", "nstar:app_verdict", recorded{
		"nstar:app_verdict": {
			`{"app":"shop","verdict":"single_bottleneck","tier":"web","cause":"soft_resource"}`: 0.5},
		"nstar_tier_accept_queue_seconds_total": {`{"app":"shop","tier":"web"}`: 37,
			`{"app":"gone","tier":"web"}`: 9},
		"nstar_tier_accept_queue_limit_connections": {`{"app":"shop","tier":"web"}`: 128,
			`{"app":"shop","tier":"db"}`: 80},
		"nstar_tier_accept_overflows_total": {`{"app":"shop","tier":"web"}`: 12, `{"app":"shop","tier":"db"}`: 0},
	})
	o, err := r.Read(context.Background(), "", 3*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Accept{{"web", 37, 128, 12, 37}}, o.Apps[0].Accepts); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Each worker of a proxy has a call under way, which looks like a pool at its cap; but the waiting requests were
// never accepted.
func TestWorkersAreNoPool(t *testing.T) {
	for waiting, want := range map[float64]string{36: "raise MaxRequestWorkers",
		4: "raise max= of ProxyPass or ProxySet"} {
		d := diagnosis{finding: single("web", causePlace)}
		d.Throughput, d.Times = 20, []TierTime{{Tier: "web", Own: 2}}
		d.Programs = map[string]Program{"web": {"httpd", "MaxRequestWorkers", "max= of ProxyPass or ProxySet"}}
		d.Edges = []Edge{{From: "web", To: "app", Limit: ptr(4), Waited: 30}}
		d.Accepts = []Accept{{"web", waiting, 128, 0, 0}}
		if first, _ := d.curePlace("web"); !strings.Contains(first, want) {
			t.Errorf("%g of 40 are not accepted: %q does not say %q", waiting, first, want)
		}
	}
}

// Connections that wait for a worker are evidence for too few of them, and the advice names the settings.
func TestUnaccepted(t *testing.T) {
	for want, accepts := range map[string][]Accept{
		"": {{"db", 90, 0, 0, 0}},
		"on average 37 connections wait to be accepted": {
			{"web", 37.2, 0, 0, 0}},
		"on average one connection waits to be accepted, of at most 511": {
			{"web", 1.2, 511, 0, 0}},
		"on average 37 connections wait to be accepted, of at most 36; further connections were refused 12 times": {
			{"web", 37, 36, 12, 0}},
		"on average 2 connections wait to be accepted; further connections were refused 3 times": {{"web", 2, 0, 3, 0}},
	} {
		d := diagnosis{finding: single("web", causePlace)}
		d.Accepts, d.OwnPlaces = accepts, []OwnPlace{{"web", 4}}
		if got := d.unaccepted("web"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		first, _ := d.curePlace("web")
		blame := d.blame()
		if want == "" {
			want = "requests in web wait for each other"
		}
		if !strings.Contains(first+blame, want) || !strings.Contains(first, "MaxRequestWorkers") {
			t.Errorf("%q and %q don't say %q", blame, first, want)
		}
	}
}
