// SPDX-License-Identifier: Apache-2.0

package main

import "testing"

// The time of a worker that has ended is not subtracted from the time of the others.
func TestMoreKeepsWhatWorkersUsed(t *testing.T) {
	before := map[int]float64{1: 5, 2: 30}
	now := map[int]float64{1: 6, 3: 0.5}
	if got := more(now, before); got != 1.5 {
		t.Errorf("%v s were used, want 1.5: one by the worker that stays, a half by the new one", got)
	}
}

// A server with a process for each connection does its work in processes that were never seen: their parent knows
// their time.
func TestSinceCountsProcessesThatCameAndWent(t *testing.T) {
	before := spent{processor: map[int]float64{1: 5, 2: 30}, ended: 100}
	now := spent{processor: map[int]float64{1: 6, 3: 0.5}, ended: 134}
	if got := now.since(before); got != 5.5 {
		t.Errorf("%v s were used, want 5.5: 1.5 by those that are there, and 34 told of the ended less 30 that were "+
			"known", got)
	}
}
