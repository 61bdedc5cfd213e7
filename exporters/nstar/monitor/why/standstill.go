// SPDX-License-Identifier: Apache-2.0

package why

import "github.com/nstar-project/nstar/exporters/nstar/judgement"

// Standstill is what a tier did while nothing left it. It computed, waited for the disk, was stopped by a signal, or
// did nothing at all, for example because it waited for a lock.
type Standstill struct {
	Seconds float64            // in frozen windows, except those of collections
	Causes  map[string]float64 // seconds of each cause in these windows, added up over threads
}

// StoodStill reports whether the tier stood still in the judged window for a reason other than a collection.
func StoodStill(j judgement.Judged) bool {
	if j.State != judgement.Frozen {
		return false
	}
	for _, c := range j.Charges {
		if c.Cause == judgement.GarbageCollection {
			return false
		}
	}
	return true
}
