// SPDX-License-Identifier: Apache-2.0

package whatif

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestWriteText(t *testing.T) {
	base := Prediction{App: "shop", Windows: 3600, Seconds: 180, Changes: []Change{NoFreezes{Tier: "tomcat"}},
		Recorded:   Performance{380.2, 0.1621, []TierTime{{"httpd", 0.0012}, {"tomcat", 0.0905}, {"mariadb", 0.0704}}},
		Replayed:   Performance{382.1, 0.1601, []TierTime{{"httpd", 0.0012}, {"tomcat", 0.0895}, {"mariadb", 0.0694}}},
		Predicted:  Performance{463.8, 0.0955, []TierTime{{"httpd", 0.0012}, {"tomcat", 0.0203}, {"mariadb", 0.074}}},
		Throughput: Gain{0.22, 0.18, 0.26}, Response: Gain{-0.411, -0.47, -0.352},
		Source: Source{Kind: "closed",
			Reason: "arrivals fall by 9.80/s for each further request in the queue (± " +
				"0.40)", Users: 99.6, Think: 0.102},
		Pools: []Cap{{"tomcat", "mariadb", 32, 0.004}}}
	base.Assumptions = []string{"A collector with short pauses still has some pauses, and takes processor time while " +
		"it runs."}
	open := base
	open.Changes = []Change{Speed{"mariadb", 2}, Pool{"tomcat", "mariadb", 64}, NoFreezes{"tomcat", causeCollection}}
	open.Source = Source{Kind: "open",
		Reason: "arrivals do not fall when the queue grows (by at most 0.02/s for each further request)"}
	overload := base
	overload.Changes = []Change{Load{1.5}}
	overload.Overload, overload.Predicted.Tiers, overload.Predicted.Response, overload.Response = true, nil, 0, Gain{}
	overload.Source = Source{Kind: "undecided", Reason: "the queue varied too little to see whether arrivals react " +
		"to it"}
	overload.Pools, overload.Assumptions = nil, nil
	for name, p := range map[string]Prediction{"closed": base, "open": open, "overload": overload} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			if err := p.WriteText(&b); err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join("testdata", name+".txt")
			if *update {
				if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), b.String()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
