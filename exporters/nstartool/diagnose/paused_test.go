// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReadPaused(t *testing.T) {
	r := server(t, "2.42.0", "nstar:app_verdict", recorded{
		"nstar:app_verdict": {`{"app":"shop","verdict":"healthy"}`: 1},
		"increase(nstar_tier_reopened_total": {
			`{"app":"shop","tier":"app"}`: 0.12, `{"app":"shop","tier":"web"}`: 0.049,
			`{"app":"gone","tier":"web"}`: 1},
	})
	o, err := r.Read(context.Background(), "", 3*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Paused{{"app", 0.12}}, o.Apps[0].Paused); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
