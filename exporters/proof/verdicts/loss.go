// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// lossy loses this many of a thousand packets to and from a tier, as a bad cable does, until the run ends. The
// sender sees the packets leave; the requests wait until TCP sends the packets again.
func lossy(name string, thousandths int) func(*stack) error {
	return func(s *stack) error {
		if err := bed.Need("nft"); err != nil {
			return err
		}
		at := slices.IndexFunc(s.tiers, named(name))
		if at < 0 {
			return fmt.Errorf("%s is no tier", name)
		}
		table := fmt.Sprintf("nstar_loss_%d", os.Getpid())
		rules, err := s.bed.Write("loss.nft", fmt.Sprintf(`table inet %s {
	chain arriving {
		type filter hook input priority 0;
		tcp dport %[2]d numgen random mod 1000 < %[3]d drop
		tcp sport %[2]d numgen random mod 1000 < %[3]d drop
	}
}
`, table, s.tiers[at].port, thousandths))
		if err != nil {
			return err
		}
		p, err := s.bed.Start("loss", "sh", "-c",
			`trap 'nft delete table inet `+table+`; exit' INT TERM; nft -f `+rules+
				` || exit 1; while :; do sleep 1; done`)
		if err != nil {
			return err
		}
		time.Sleep(second)
		return p.Ended()
	}
}
