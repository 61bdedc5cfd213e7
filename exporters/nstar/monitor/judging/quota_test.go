// SPDX-License-Identifier: Apache-2.0

package judging

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nstar-project/nstar/exporters/nstar/judgement"
)

// Charges for waiting for others stay as they are, and nothing is lost.
func TestChargeQuota(t *testing.T) {
	judged := func() judgement.Judged {
		return judgement.Judged{
			Charges: []judgement.Charge{
				{Cause: judgement.Demand, Queue: 4}, {Cause: judgement.Stopped, Queue: 2},
				{Cause: judgement.GarbageCollection, Queue: 3},
				{Cause: judgement.Behind, To: "db", Queue: 5}, {Cause: judgement.SoftResource, To: "db", Queue: 1},
				{Cause: judgement.SoftResource, Queue: 6}, // its own workers
			},
			Edges: []judgement.EdgeCharge{
				{To: "db", Cause: judgement.Stopped, Queue: 2},
				{To: "db", Cause: judgement.GarbageCollection, Queue: 1},
			},
		}
	}
	j := judged()
	if chargeQuota(&j, 0); cmp.Diff(judged(), j) != "" {
		t.Errorf("without a quota: %+v", j)
	}
	chargeQuota(&j, 0.5)
	want := judgement.Judged{
		Charges: []judgement.Charge{
			{Cause: judgement.Demand, Queue: 2}, {Cause: judgement.Stopped, Queue: 1},
			{Cause: judgement.GarbageCollection, Queue: 3},
			{Cause: judgement.Behind, To: "db", Queue: 5}, {Cause: judgement.SoftResource, To: "db", Queue: 1},
			{Cause: judgement.SoftResource, Queue: 3}, {Cause: Throttled, Queue: 6},
		},
		Edges: []judgement.EdgeCharge{
			{To: "db", Cause: judgement.Stopped, Queue: 1}, {To: "db", Cause: judgement.GarbageCollection, Queue: 1},
			{To: "db", Cause: Throttled, Queue: 1},
		},
	}
	if diff := cmp.Diff(want, j, cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
