// SPDX-License-Identifier: Apache-2.0

package judging

import "github.com/nstar-project/nstar/exporters/nstar/judgement"

// Names of what a tier's places wait for, besides the tiers behind.
const (
	OnClients = "clients"
	OnSelf    = "self"
)

// onTier is the label of a tier behind. A tier whose name is one of these names gets a different label.
func onTier(to string) string {
	if to == OnClients || to == OnSelf {
		return "tier " + to
	}
	return to
}

// wait adds what the places of a window waited for, for so many seconds.
func (s *Judgement) wait(w judgement.Split, seconds float64) {
	s.Waiting[OnClients] += w.Clients * seconds
	s.Waiting[OnSelf] += w.Self * seconds
	for _, b := range w.Behind {
		s.Waiting[onTier(b.To)] += b.Queue * seconds
	}
}
