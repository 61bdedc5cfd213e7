// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"testing"
)

func TestTurns(t *testing.T) {
	for _, tt := range []struct {
		name             string
		own, outstanding []float64
		want             uint64
	}{
		{"none", []float64{0, 0, 0}, []float64{0, 0, 0}, 0},
		{"one side only", []float64{10, 0, 12, 20}, []float64{1, 0, 2, 1}, 0},
		{"there and back", []float64{10, 2, 10}, []float64{2, 10, 2}, 2},
		{"between two turns both are short", []float64{10, 1, 1, 1}, []float64{2, 1, 0, 9}, 1},
		{"the same side again", []float64{10, 1, 10}, []float64{2, 1, 3}, 0},
		{"short queues", []float64{3, 0, 3}, []float64{0, 3, 0}, 0},
		{"long and nearly equal", []float64{30, 31, 30}, []float64{31, 30, 31}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tier := NewTier(testWidth)
			for i, own := range tt.own {
				tier.Add(Window{Index: int64(i), Queue: own + tt.outstanding[i], GC: math.NaN(),
					Calls: []Calls{{To: "db", Outstanding: tt.outstanding[i]}}})
			}
			if got := tier.Turns("db"); got != tt.want {
				t.Errorf("%d turns, want %d", got, tt.want)
			}
		})
	}
	if got := NewTier(testWidth).Turns("nobody"); got != 0 {
		t.Errorf("%d turns with nobody", got)
	}
}
