// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"
)

// Consumers that a broker sends their work never ask for it: that they can follow is not known, and is said.
func TestUnfollowed(t *testing.T) {
	const said = "For information: nobody asks deliver and sorter anything that is measured. If they take work from " +
		"a queue, it is not known here whether they can follow"
	for _, tt := range []struct {
		callers recorded
		want    string
	}{
		{recorded{"group by (app, from) (rate(nstar_edge_calls_total": {
			`{"app":"shop","from":"sorter"}`: 1, `{"app":"shop","from":"deliver"}`: 1}}, said},
		{recorded{}, ""},
	} {
		tt.callers["nstar:app_verdict"] = map[string]float64{`{"app":"shop","verdict":"healthy"}`: 1}
		r := server(t, "2.42.0", "nstar:app_verdict", tt.callers)
		o, err := r.Read(context.Background(), "", 3*time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		d := diagnosis{Application: o.Apps[0], finding: Finding{Verdict: Healthy}}
		notes := d.notes()
		found := slices.ContainsFunc(notes, func(n string) bool { return strings.HasPrefix(n, said) })
		if found != (tt.want != "") {
			t.Errorf("%q", notes)
		}
	}
	d := diagnosis{Application: Application{Unfollowed: []string{"sorter"}}}
	if got := d.unknownToFollow(); !strings.Contains(got, "If it takes work from a queue") {
		t.Error(got)
	}
}
