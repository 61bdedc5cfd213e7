// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// While the hypervisor has the processor, a thread seems to run, but waits. So do the threads that wait for it, but not
// those that wait for other programs.
func TestStolenWork(t *testing.T) {
	const ms = time.Millisecond
	other := Neighbour{Who{Name: "nightly"}, 10 * ms}
	for _, tt := range []struct {
		name       string
		share      float64
		work, want Work
	}{
		{"nothing stolen", 0, Work{Ran: 40 * ms, Waited: 60 * ms}, Work{Ran: 40 * ms, Waited: 60 * ms}},
		{"not known", math.NaN(), Work{Ran: 40 * ms}, Work{Ran: 40 * ms}},
		{"half of it", 0.5, Work{Ran: 40 * ms, Waited: 60 * ms},
			Work{Ran: 20 * ms, Waited: 80 * ms, Neighbours: []Neighbour{{Who{Name: Hypervisor}, 50 * ms}}}},
		{"beside others", 0.5, Work{Ran: 40 * ms, Waited: 10 * ms, Neighbours: []Neighbour{other}},
			Work{Ran: 20 * ms, Waited: 30 * ms, Neighbours: []Neighbour{other, {Who{Name: Hypervisor}, 20 * ms}}}},
	} {
		got := tt.work
		got.steal(tt.share)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", tt.name, diff)
		}
	}
}
