// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"maps"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/judgement"
)

// known is what was learned of a tier, and when it was there last.
type known struct {
	judgement.Knowledge
	seen time.Time
}

// mostKnown bounds how many tiers are remembered that are not there: anybody can start some and end them.
const mostKnown = 256

// retire ends the judgement of a tier that is away; what it learned is remembered.
func (j *judges) retire(name discovery.TierName) {
	t := j.tiers[name]
	if t == nil {
		return
	}
	if j.known == nil {
		j.known = make(map[discovery.TierName]known)
	}
	j.known[name] = known{t.Knowledge(), time.Now()}
	delete(j.tiers, name)
	forgetOldest(j.known)
}

// forget drops a destination of a tier that nothing leads to any more.
func (j *judges) forget(name discovery.TierName, to string) {
	t := j.tiers[name]
	if t == nil {
		return
	}
	t.Forget(to)
	for key := range t.sums.Excess {
		if key.To == to {
			delete(t.sums.Excess, key)
		}
	}
	delete(t.sums.Waiting, onTier(to))
	for key := range t.sums.Left {
		if key.To == to {
			delete(t.sums.Left, key)
		}
	}
}

// knowledge is what all tiers have learned, those that are away included.
func (j *judges) knowledge() map[discovery.TierName]known {
	out := maps.Clone(j.known)
	if out == nil {
		out = make(map[discovery.TierName]known)
	}
	for name, t := range j.tiers {
		out[name] = known{t.Knowledge(), time.Now()}
	}
	return out
}

// forgetOldest keeps what is remembered within bounds.
func forgetOldest(all map[discovery.TierName]known) {
	for len(all) > mostKnown {
		var oldest discovery.TierName
		first := true
		for name, k := range all {
			if first || k.seen.Before(all[oldest].seen) {
				oldest, first = name, false
			}
		}
		delete(all, oldest)
	}
}
