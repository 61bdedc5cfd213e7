// SPDX-License-Identifier: Apache-2.0

// Package owner reads the owner of something as the kernel programs write it down (bpf/processes.h): a tier, or else a
// process. Processes of a tier are represented by their tier, because most of the short-lived ones have ended when
// their names are wanted.
package owner

import "github.com/nstar-project/nstar/exporters/nstar/window"

// Owner is a process, by its thread-group id, or a tier, by its station; 0 is none.
type Owner uint32

// ofTier is OF_TIER in processes.h.
const ofTier = 1 << 31

// OfTier is the owner of what a tier's processes do.
func OfTier(tier window.Station) Owner { return ofTier | Owner(tier) }

// Tier is the tier of the owner; false if the owner is a process.
func (o Owner) Tier() (window.Station, bool) { return window.Station(o &^ ofTier), o&ofTier != 0 }

// Process is the process of the owner; 0 if the owner is a tier.
func (o Owner) Process() uint32 {
	if o&ofTier != 0 {
		return 0
	}
	return uint32(o)
}
