// SPDX-License-Identifier: Apache-2.0

package owner

import (
	"testing"

	"github.com/nstar-project/nstar/exporters/nstar/window"
)

func TestOwner(t *testing.T) {
	for _, c := range []struct {
		owner   Owner
		tier    window.Station
		isTier  bool
		process uint32
	}{
		{0x80000007, 7, true, 0}, {OfTier(0), 0, true, 0}, {1<<22 - 1, 1<<22 - 1, false, 1<<22 - 1}, {0, 0, false, 0},
	} {
		tier, ok := c.owner.Tier()
		if ok != c.isTier || ok && tier != c.tier || c.owner.Process() != c.process {
			t.Errorf("%#x is the tier %v, %v, the process %v", c.owner, tier, ok, c.owner.Process())
		}
	}
}
