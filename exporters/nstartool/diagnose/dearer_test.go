// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"strings"
	"testing"
)

// A page that computes more has no query plan. If a database's requests are dearer, too, its plan may be the reason.
func TestWhyDearer(t *testing.T) {
	for _, tt := range []struct {
		name   string
		dearer []string
		code   map[string]string
		plan   bool
	}{
		{"a tier that calls another", []string{"tomcat"}, nil, false},
		{"a tier that runs a script", []string{"db"}, map[string]string{"db": "app/prices.py"}, false},
		{"a database", []string{"db"}, nil, true},
		{"both", []string{"tomcat", "db"}, nil, true},
		{"none", nil, nil, true},
	} {
		d := diagnosis{Application: Application{Edges: []Edge{{From: "tomcat", To: "db"}}, Code: tt.code}}
		for _, tier := range tt.dearer {
			d.Times = append(d.Times, TierTime{Tier: tier, Cost: &Growth{Now: 0.03, Before: 0.01}})
		}
		if got := d.whyDearer(); strings.Contains(got, "query plan") != tt.plan {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
}
