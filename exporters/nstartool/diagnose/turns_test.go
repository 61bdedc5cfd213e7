// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"slices"
	"testing"
	"time"
)

// A single bottleneck whose queue takes turns with a neighbour's is said to alternate, by the neighbour's name if
// others have its processors.
func TestTaking(t *testing.T) {
	edges := []Edge{{From: "httpd", To: "tomcat", Turns: 30},
		{From: "tomcat", To: "db", Turns: 240, Pearson: ptr(-0.12)}}
	const begin = "The longer queue changes sides between tomcat and db 80 times a minute " +
		"(correlation -0.12)."
	noise := []Neighbour{{"tomcat", "nightly", 0.8}, {"tomcat", otherNeighbours, 0.2}}
	for name, c := range map[string]struct {
		finding    Finding
		edges      []Edge
		neighbours []Neighbour
		want       string
	}{
		"a neighbour": {single("tomcat", causeNeighbour), edges, noise,
			begin + " The requests that pile up in tomcat while nightly has its processors come to db all at once."},
		"a neighbour without a name": {single("tomcat", causeNeighbour), edges, nil,
			begin + " The requests that pile up in tomcat while something else has its processors come to db all " +
				"at once."},
		"two neighbours": {single("tomcat", causeNeighbour), edges,
			[]Neighbour{{"tomcat", "nightly", 0.5}, {"tomcat", "backup", 0.5}},
			begin + " The requests that pile up in tomcat while nightly and backup have its processors come to db " +
				"all at once."},
		"collections": {single("tomcat", causeCollection), edges, nil,
			begin + " The requests that pile up in tomcat while it is held up come to db all at once."},
		"a tier that is called": {single("db", causeDemand), edges, nil, begin},
		"without a correlation": {single("tomcat", causeDemand), []Edge{{From: "tomcat", To: "db", Turns: 240}}, nil,
			"The longer queue changes sides between tomcat and db 80 times a minute. The " +
				"requests that pile up in tomcat come to db all at once."},
		"seldom":         {single("httpd", causeDemand), []Edge{{From: "httpd", To: "tomcat", Turns: 17}}, nil, ""},
		"of others":      {single("web", causeDemand), edges, nil, ""},
		"is the verdict": {Finding{AlternatingBottleneck, "tomcat", causeCollection}, edges, nil, ""},
		"healthy":        {Finding{Verdict: Healthy}, edges, nil, ""},
	} {
		from := time.Date(2026, 1, 15, 3, 0, 0, 0, time.UTC)
		d := diagnosis{finding: c.finding, observed: Observations{From: from, To: from.Add(3 * time.Minute)},
			Application: Application{Edges: c.edges, Neighbours: c.neighbours}}
		if got := d.taking(); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
		if c.want != "" && !slices.Contains(d.notes(), c.want) {
			t.Errorf("%s: not among the notes", name)
		}
	}
}
