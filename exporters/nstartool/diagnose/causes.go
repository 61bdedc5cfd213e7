// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"fmt"
	"strings"
)

// The causes that the rules name. waiting exists only in the worst windows, where a tier's waiting is not
// charged to another tier.
const (
	causeCollection = "garbage_collection"
	causeStopped    = "stopped"
	causeDemand     = "demand"
	causeBurst      = "burst"
	causePlace      = "soft_resource"
	causeSlow       = "slow"
	causeNeighbour  = "noisy_neighbour"
	causeThrottled  = "throttled"
	causeDisk       = "disk"
	causeNetwork    = "network"
	causeErrors     = "errors"
	causeCacheLost  = "cache_lost"
	causeUnknown    = "unknown"
	causeWaiting    = "waiting"
)

// causeName is a cause as said in a sentence or a table, in the summary of the alert and on the dashboard.
func causeName(cause string) string {
	switch cause {
	case causeDemand:
		return "its own work"
	case causeStopped:
		return "something stops it"
	case causeBurst:
		return "a burst of load"
	case causePlace:
		return "a pool or worker limit"
	case causeSlow:
		return "slow for a reason that is not measured"
	case causeThrottled:
		return "a CPU quota"
	case causeDisk:
		return "its disk"
	case causeNetwork:
		return "the network"
	case causeErrors:
		return "it answers with errors"
	case causeCacheLost:
		return "its cache is lost"
	case causeUnknown:
		return "unknown"
	case causeWaiting:
		return "waiting for a place or a tier behind"
	}
	return strings.ReplaceAll(cause, "_", " ")
}

// subject is a cause in a tier, at the beginning of a sentence.
func subject(tier, cause string) string {
	switch cause {
	case causeDemand:
		return "Waiting for the work of " + tier
	case causeBurst:
		return "The burst at " + tier
	case causeStopped:
		return "What stops " + tier
	case causePlace:
		return "Waiting in " + tier + " for a connection or a worker"
	case causeSlow:
		return "What makes " + tier + " slow"
	case causeThrottled:
		return "The CPU quota of " + tier
	case causeDisk:
		return "The disk of " + tier
	case causeNetwork:
		return "The network to " + tier
	case causeErrors:
		return "What makes " + tier + " fail"
	case causeCacheLost:
		return "The lost cache of " + tier
	case causeUnknown:
		return "Waiting in " + tier + " for an unknown reason"
	}
	return capital(causeName(cause)) + " in " + tier
}

// capital writes a sentence's first letter as a capital one.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func percent(share float64) string {
	switch p := share * 100; {
	case p == 0:
		return "0 %"
	case p < 9.95:
		return fmt.Sprintf("%.1f %%", p)
	default:
		return fmt.Sprintf("%.0f %%", p)
	}
}

// times writes a factor.
func times(factor float64) string {
	if factor < 9.95 {
		return fmt.Sprintf("%.1f times", factor)
	}
	return fmt.Sprintf("%.0f times", factor)
}

// millis writes seconds as milliseconds, exactly enough to see whether they add up.
func millis(seconds float64) string {
	switch ms := seconds * 1000; {
	case ms == 0:
		return "0 ms"
	case ms < 9.95:
		return fmt.Sprintf("%.1f ms", ms)
	default:
		return fmt.Sprintf("%.0f ms", ms)
	}
}

// per writes requests per second.
func per(throughput float64) string {
	if throughput < 9.95 {
		return fmt.Sprintf("%.1f requests/s", throughput)
	}
	return fmt.Sprintf("%.0f requests/s", throughput)
}

// list writes "a", "a and b", "a, b and c".
func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
