// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReadCode(t *testing.T) {
	r := server(t, "2.42.0", "nstar:app_verdict", recorded{
		"nstar:app_verdict": {`{"app":"shop","verdict":"single_bottleneck","tier":"web","cause":"soft_resource"}`: 0.5},
		"nstar_tier_code_info": {
			`{"app":"shop","tier":"java","code":"orders.jar"}`:        1,
			`{"app":"shop","tier":"java:8081","code":"shipping.jar"}`: 1,
			`{"app":"gone","tier":"node","code":"server.js"}`:         1,
		},
	})
	o, err := r.Read(context.Background(), "", 3*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"java": "orders.jar", "java:8081": "shipping.jar"}
	if diff := cmp.Diff(want, o.Apps[0].Code); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
