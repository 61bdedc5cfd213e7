// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestWaiting(t *testing.T) {
	for _, tt := range []struct {
		name               string
		queue, connections float64
		outstanding        []float64
		want               Split
	}{
		{"nobody is connected", 0, 0, nil, Split{Clients: 1}},
		{"idle connections", 0, 40, nil, Split{Clients: 40}},
		{"own work", 2, 10, nil, Split{Clients: 8, Self: 2}},
		{"the database", 9, 10, []float64{8}, Split{Clients: 1, Self: 1, Behind: []Share{{"a", 8}}}},
		{"two tiers behind", 9, 10, []float64{2, 3}, Split{Clients: 1, Self: 4, Behind: []Share{{"a", 2}, {"b", 3}}}},
		{"one that is not called", 9, 10, []float64{0, 3}, Split{Clients: 1, Self: 6, Behind: []Share{{"b", 3}}}},
		{"calls in parallel", 2, 10, []float64{1, 3}, Split{Clients: 8, Behind: []Share{{"a", 0.5}, {"b", 1.5}}}},
		{"several requests on a connection", 20, 4, []float64{5}, Split{Self: 15, Behind: []Share{{"a", 5}}}},
		{"a connection for each request", 0.25, 0.25, []float64{0.125},
			Split{Clients: 0.75, Self: 0.125, Behind: []Share{{"a", 0.125}}}},
		{"calls outside of requests", 0, 1, []float64{2}, Split{Clients: 1, Behind: []Share{{"a", 0}}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tier := NewTier(testWidth)
			w := Window{Queue: tt.queue, Connections: tt.connections, GC: math.NaN()}
			for i, o := range tt.outstanding {
				w.Calls = append(w.Calls, Calls{To: string(rune('a' + i)), Outstanding: o})
			}
			var got Split
			for done := false; !done; w.Index++ {
				_, _, j, ok := tier.Add(w)
				if w.Queue, w.Connections, w.Calls = 0, 0, nil; ok {
					got, done = j.Waiting, true
				}
			}
			if diff := cmp.Diff(tt.want, got, cmpopts.EquateApprox(0, 0.02)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			sum := got.Clients + got.Self
			for _, b := range got.Behind {
				sum += b.Queue
			}
			if want := max(tt.connections, tt.queue, 1); math.Abs(sum-want) > 1e-12 {
				t.Errorf("the parts add up to %g places, want %g", sum, want)
			}
		})
	}
}
