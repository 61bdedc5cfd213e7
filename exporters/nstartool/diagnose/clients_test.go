// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReadClients(t *testing.T) {
	r := server(t, "2.42.0", "nstar:app_verdict", recorded{
		"nstar:app_verdict": {`{"app":"shop","verdict":"healthy"}`: 1},
		"nstar_tier_client_info": {`{"app":"shop","tier":"redis","client":"ruby"}`: 1,
			`{"app":"shop","tier":"db","client":"ruby"}`: 1, `{"app":"shop","tier":"db","client":"mariadb-dump"}`: 1,
			`{"app":"gone","tier":"db","client":"ruby"}`: 1},
	})
	o, err := r.Read(context.Background(), "", 3*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{"ruby": {"db", "redis"}, "mariadb-dump": {"db"}}
	if diff := cmp.Diff(want, o.Apps[0].Clients); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A worker that takes jobs listens nowhere, so that it is a program like any other on the same processors.
func TestNeighbourThatMayBeAWorker(t *testing.T) {
	a := Application{Name: "shop", Neighbours: []Neighbour{{"web", "ruby", 0.8}, {"web", "yes", 0.2}}}
	d := diagnosis{Application: a, finding: single("web", causeNeighbour)}
	if got := d.cureNeighbour("web"); strings.Contains(got, "worker") {
		t.Errorf("%q", got)
	}
	d.Clients = map[string][]string{"ruby": {"db", "redis"}}
	const want = "A program ruby holds connections to db and redis: if it is a worker of shop, it needs processors, " +
		"too. Then more of them help, or fewer workers."
	if got := d.cureNeighbour("web"); !strings.HasPrefix(got, "Move ruby and yes to another host") ||
		!strings.HasSuffix(got, " "+want) {
		t.Errorf("%q", got)
	}
	d.Neighbours = []Neighbour{{"web", otherNeighbours, 0.7}, {"web", "ruby", 0.3}}
	if got := d.cureNeighbour("web"); !strings.HasPrefix(got, "Find out which") || !strings.HasSuffix(got, want) {
		t.Errorf("%q", got)
	}
}
