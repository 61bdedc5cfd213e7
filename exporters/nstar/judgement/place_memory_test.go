// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Between windows in which requests wait for a connection, requests of unknown cause wait for a connection, too. That
// does not hold if the former are rare or over, or if they wait for one of the tier's own workers.
func TestSeats(t *testing.T) {
	pool := []Charge{{SoftResource, "db", 4}}
	unknown := []Charge{{Demand, "", 1}, {UnknownCause, "", 3}}
	for _, tt := range []struct {
		name   string
		seen   [][]Charge // again and again
		after  time.Duration
		charge []Charge
		want   []Charge
	}{
		{"every other window", [][]Charge{pool, unknown}, 0, unknown,
			[]Charge{{Demand, "", 1}, {SoftResource, "db", 3}}},
		{"every other window, and whether the tier behind is slow is not known",
			[][]Charge{{{Place, "db", 4}}, unknown}, 0, unknown, []Charge{{Demand, "", 1}, {Place, "db", 3}}},
		{"seldom", [][]Charge{pool, unknown, unknown, unknown, unknown, unknown, unknown}, 0, unknown, unknown},
		{"over for a while", [][]Charge{pool, unknown}, time.Minute, unknown, unknown},
		{"workers", [][]Charge{{{SoftResource, "", 4}}, unknown}, 0, unknown, unknown},
		{"next to nothing", [][]Charge{{{SoftResource, "db", 0.02}}, {{UnknownCause, "", 0.01}}}, 0, unknown, unknown},
	} {
		var s placeMemory
		for i := range int(20 * time.Second / testWidth) {
			j := Judged{Charges: append([]Charge(nil), tt.seen[i%len(tt.seen)]...)}
			s.settle(&j, testWidth, false)
		}
		for range tt.after / testWidth {
			s.settle(&Judged{}, testWidth, false)
		}
		kept := Judged{Charges: append([]Charge(nil), tt.charge...)}
		s.settle(&kept, testWidth, true)
		if diff := cmp.Diff(tt.charge, kept.Charges); diff != "" {
			t.Errorf("%s, and they wait on purpose (-want +got):\n%s", tt.name, diff)
		}
		j := Judged{Charges: append([]Charge(nil), tt.charge...)}
		s.settle(&j, testWidth, false)
		if diff := cmp.Diff(tt.want, j.Charges); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
