// SPDX-License-Identifier: Apache-2.0

// Package owner reads whose something is as the kernel programs write it down (bpf/processes.h): a tier's, else a
// process's. A tier's processes are told by their tier since most of the short-lived ones have ended when somebody
// asks.
package owner

import "github.com/nstar-project/nstar/exporters/nstar/window"

// Owner is a process by its thread-group id, or a tier by its station; 0 is nobody.
type Owner uint32

// ofTier is OF_TIER in processes.h.
const ofTier = 1 << 31

// OfTier is the owner of what a tier's processes do.
func OfTier(tier window.Station) Owner { return ofTier | Owner(tier) }

// Tier is the tier that it is; false where it is a process.
func (o Owner) Tier() (window.Station, bool) { return window.Station(o &^ ofTier), o&ofTier != 0 }

// Process is the process that it is; 0 where it is a tier.
func (o Owner) Process() uint32 {
	if o&ofTier != 0 {
		return 0
	}
	return uint32(o)
}
