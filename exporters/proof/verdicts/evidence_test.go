// SPDX-License-Identifier: Apache-2.0

package main

import "testing"

// What a worker used that has ended is not taken back from what the others used.
func TestMoreKeepsWhatWorkersUsed(t *testing.T) {
	before := map[int]float64{1: 5, 2: 30}
	now := map[int]float64{1: 6, 3: 0.5}
	if got := more(now, before); got != 1.5 {
		t.Errorf("%v s were used, want 1.5: one by the worker that stays, a half by the new one", got)
	}
}
