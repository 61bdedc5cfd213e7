// SPDX-License-Identifier: Apache-2.0

package judging

import (
	"maps"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/judgement"
)

// Memory is what was learned of tiers, by the tiers' names.
type Memory map[discovery.TierName]Learned

// Learned is what was learned of a tier, and when the tier was last there.
type Learned struct {
	judgement.Knowledge
	Seen time.Time
}

// mostKnown limits how many absent tiers are remembered: anybody can start tiers and end them.
const mostKnown = 256

// Retire ends the judgement of a tier that is away. What it has learned is remembered.
func (j *Judges) Retire(name discovery.TierName) {
	delete(j.unasked, name)
	t := j.tiers[name]
	if t == nil {
		return
	}
	j.memory[name] = Learned{t.Knowledge(), time.Now()}
	delete(j.tiers, name)
	j.memory.forgetOldest()
}

// Forget drops a destination of a tier to which no connection leads any more.
func (j *Judges) Forget(name discovery.TierName, to string) {
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

// Memory is what all tiers have learned, including absent tiers.
func (j *Judges) Memory() Memory {
	out := maps.Clone(j.memory)
	for name, t := range j.tiers {
		out[name] = Learned{t.Knowledge(), time.Now()}
	}
	return out
}

// Remember takes what an earlier run learned, for tiers that appear later.
func (j *Judges) Remember(m Memory) {
	maps.Copy(j.memory, m)
	j.memory.forgetOldest()
}

// forgetOldest drops the oldest entries beyond mostKnown.
func (m Memory) forgetOldest() {
	for len(m) > mostKnown {
		var oldest discovery.TierName
		first := true
		for name, k := range m {
			if first || k.Seen.Before(m[oldest].Seen) {
				oldest, first = name, false
			}
		}
		delete(m, oldest)
	}
}
