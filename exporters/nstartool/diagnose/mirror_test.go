// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReadMirrors(t *testing.T) {
	pair := func(neighbour, of string) string {
		return `{"app":"shop","instance":"h:9965","neighbour":"` + neighbour + `","of":"` + of + `"}`
	}
	r := server(t, "2.42.0", "nstar:app_verdict", recorded{
		"nstar:app_verdict": {
			`{"app":"shop","verdict":"single_bottleneck","tier":"db","cause":"noisy_neighbour"}`: 0.5},
		"avg_over_time(nstar:app_colocated:pearson1m": {
			pair("mail", "processor"): -0.1, pair("crm", "processor"): -0.7, pair("crm", "queue"): 0.5,
			pair("crm", "time"):   0.6,
			pair("shop", "queue"): 0.4, `{"app":"gone","instance":"h:9965","neighbour":"shop","of":"processor"}`: -0.7,
		},
		"bottomk by (instance, app, neighbour) (1, avg_over_time(nstar:tier_colocated:pearson1m": {
			`{"app":"shop","tier":"db","instance":"h:9965","neighbour":"crm"}`:  -0.7,
			`{"app":"shop","tier":"web","instance":"h:9965","neighbour":"old"}`: -0.7},
	})
	o, err := r.Read(context.Background(), "", 3*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	want := []Mirror{{"crm", "h:9965", "db", -0.7, 0.5, 0.6}, {"mail", "h:9965", "", -0.1, 0, 0}}
	if diff := cmp.Diff(want, o.Apps[0].Mirrors); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// It is reported for a bottleneck if the curves are mirror images and requests are affected.
func TestMirroring(t *testing.T) {
	const begin = "shop and crm take the processor from each other on h: the processor times of shop's db and of crm " +
		"are mirror images (correlation -0.68 at 100 ms), and while crm computes, "
	bad := single("db", causeNeighbour)
	for name, c := range map[string]struct {
		finding Finding
		mirrors []Mirror
		want    string
	}{
		"queue and time": {bad, []Mirror{{"crm", "h:9965", "db", -0.68, 0.5, 0.63}}, begin +
			"requests queue in shop (0.50) and take longer (0.63)."},
		"queue": {bad, []Mirror{{"crm", "h:9965", "db", -0.68, 0.5, 0.1}}, begin +
			"requests queue in shop (0.50)."},
		"time": {bad, []Mirror{{"crm", "h:9965", "db", -0.68, 0.1, 0.63}}, begin +
			"requests of shop take longer (0.63)."},
		"nobody feels it":  {bad, []Mirror{{"crm", "h:9965", "db", -0.68, 0.1, 0.1}}, ""},
		"no mirror images": {bad, []Mirror{{"crm", "h:9965", "db", -0.2, 0.5, 0.63}}, ""},
		"no tier":          {bad, []Mirror{{"crm", "h:9965", "", -0.68, 0.5, 0.63}}, ""},
		"healthy":          {Finding{Verdict: Healthy}, []Mirror{{"crm", "h:9965", "db", -0.68, 0.5, 0.63}}, ""},
		"alone":            {bad, nil, ""},
	} {
		d := diagnosis{finding: c.finding, Application: Application{Name: "shop", Mirrors: c.mirrors}}
		if got := d.mirroring(); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
		if c.want != "" && !slices.Contains(d.notes(), c.want) {
			t.Errorf("%s: not among the notes", name)
		}
	}
}
