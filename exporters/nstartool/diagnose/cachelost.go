// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"fmt"
	"slices"
)

// blameCacheLost says that a tier does not find in its cache what it found there, and what it asks instead.
func (d diagnosis) blameCacheLost() string {
	var instead []string
	for _, e := range d.Edges {
		if e.From == d.finding.Tier && e.Calls.times() >= grown {
			instead = append(instead, e.callsMore())
		}
	}
	return d.finding.Tier + " does not find in " + d.cacheOf(d.finding.Tier) + " what it found there before: " +
		d.cost("for what it asks instead", inBrackets(instead))
}

// cacheOf is the cache that a tier asks.
func (d diagnosis) cacheOf(tier string) string {
	var caches []string
	for _, e := range d.Edges {
		if e.From == tier && slices.Contains([]string{"redis", "memcached"}, d.Programs[e.To].Name) {
			caches = append(caches, e.To)
		}
	}
	if len(caches) == 0 {
		return "its cache"
	}
	return "its cache (" + list(caches) + ")"
}

// cureCacheLost is what to do about it.
func (d diagnosis) cureCacheLost(tier, others string) (first, useless string) {
	return fmt.Sprintf("Find out why %s does not find in %s what it looks for: it was emptied (a restart, "+
			"FLUSHALL), is too small (evictions), its entries expire at once, or a new version of %s uses other keys "+
			"or no cache. If it was only emptied, this passes when it is full again.", tier, d.cacheOf(tier), tier),
		except("More capacity for %s helps only to bear the calls that the cache spared.", others)
}
