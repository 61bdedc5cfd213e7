// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math/rand/v2"
	"testing"
)

// A mail server looks up two passwords at a time, and other logins have to wait for that. Meanwhile it starts and ends
// a process for each connection, which takes a quarter of a processor. That is no demand, because nearly all requests
// that wait in it sleep. It is demand if its processor has no time left, or if the requests share the time for
// computing.
func TestAtItsLimitAsleepBesideSomeWork(t *testing.T) {
	for _, tt := range []struct {
		name           string
		ran, waited    float64
		asleep         float64 // of 20 requests
		unlike, wanted Cause
	}{
		{"nearly all sleep", 0.26, 0.3, 19.4, Demand, SoftResource},
		{"a thread computes all the time", 0.95, 0.05, 19, SoftResource, Demand},
		{"half of them are ready to run", 0.5, 9.5, 10, SoftResource, Demand},
		{"half of them wait for a disk", 0.26, 0.3, 10, SoftResource, Demand},
	} {
		charged := busyStation(
			func(i int64, random *rand.Rand) (Window, Work) {
				own := 0.6 * random.Float64()
				return Window{Queue: own, Completions: float64(random.IntN(3))},
					Work{Ran: 0.04, Waited: 0.03, Asleep: 0.8 * own}
			},
			func(i int64, random *rand.Rand) (Window, Work) {
				own := 20 + 2*random.Float64() - 1
				return Window{Queue: own, Completions: float64(3 + random.IntN(2))},
					Work{Ran: tt.ran, Waited: tt.waited, Asleep: tt.asleep}
			},
			Load{Cores: tt.ran, Used: tt.ran, Busy: 0.9, Waiting: tt.waited, Others: 0.1})
		if charged[Charge{Cause: tt.wanted}] == 0 ||
			charged[Charge{Cause: tt.unlike}] > 0.1*charged[Charge{Cause: tt.wanted}] {
			t.Errorf("%s: charged %v, want %v", tt.name, charged, tt.wanted)
		}
	}
}
