// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"slices"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/causes/owner"
	"github.com/nstar-project/nstar/exporters/nstar/causes/sched"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// namesKept limits the processes whose names are remembered between two scans.
const namesKept = 4096

// takers finds the names of those that had the processors for which tiers waited: tiers, or processes of no tier. Names
// of processes are read as soon as possible, because a process that has ended has none.
type takers struct {
	namer  *discovery.Namer
	tiers  map[uint32]Tier         // by process
	number map[window.Station]Tier // by station, also former tiers until others have their numbers
	allies map[window.Station]map[uint32]bool
	names  map[uint32]string // by process, since the last scan; "" if it had none
	older  map[uint32]string // the same, since the scan before that
}

func newTakers(procRoot string) *takers {
	return &takers{
		namer: discovery.NewNamer(procRoot),
		tiers: make(map[uint32]Tier), number: make(map[window.Station]Tier),
		allies: make(map[window.Station]map[uint32]bool),
		names:  make(map[uint32]string), older: make(map[uint32]string),
	}
}

// follow learns the tiers again, and drops old names: process ids are used again, and a process may become another
// program.
func (t *takers) follow(tiers []Tier) {
	clear(t.tiers)
	clear(t.allies)
	t.older, t.names = t.names, make(map[uint32]string)
	for _, tier := range tiers {
		t.number[tier.Station] = tier
		for _, pid := range tier.all() {
			t.tiers[uint32(pid)] = tier
		}
		allies := make(map[uint32]bool, len(tier.Allies))
		for _, pid := range tier.Allies {
			allies[uint32(pid)] = true
		}
		t.allies[tier.Station] = allies
	}
}

// name is the name of a neighbour of the given tier: a tier's own name, with its application if that is a different
// one, or else the name that discovery gives to a process. It is Other if the name is not known.
func (t *takers) name(of Tier, who owner.Owner) Who {
	pid := who.Process()
	if tier, ok := t.tierOf(who); ok {
		if tier.App == of.App {
			return Who{tier.Name, true}
		}
		ally := slices.ContainsFunc(tier.PIDs, func(pid int32) bool { return t.allies[of.Station][uint32(pid)] })
		return Who{Name: tier.App + "/" + tier.Name, Own: ally}
	}
	if pid == 0 {
		return Who{Name: Other}
	}
	name, ok := t.names[pid]
	if !ok && len(t.names) < namesKept {
		if name = t.namer.Name(int32(pid)); name == "" {
			name = t.older[pid]
		}
		t.names[pid] = name
	}
	if name == "" {
		name = Other
	}
	return Who{Name: name, Own: t.allies[of.Station][pid]}
}

// tierOf is the tier to which the process belonged, from what the kernel knew at the time, or from the scan.
func (t *takers) tierOf(who owner.Owner) (tier Tier, ok bool) {
	if station, isTier := who.Tier(); isTier {
		tier, ok = t.number[station]
	} else {
		tier, ok = t.tiers[who.Process()]
	}
	return tier, ok
}

// Who is a neighbour.
type Who struct {
	Name string
	Own  bool // a tier of the same application, or an ally: not noise, but work for the same requests
}

// Neighbour is a program that had processors for which a tier's threads waited, and for how long.
type Neighbour struct {
	Who
	Time time.Duration
}

// isOf returns a function that reports whether an owner belongs to the tier.
func (t *takers) isOf(tier Tier) func(owner.Owner) bool {
	return func(who owner.Owner) bool {
		of, ok := t.tierOf(who)
		return ok && of.Station == tier.Station
	}
}

// neighbours are the neighbours in a window, each name once. Time without a name is divided between allies and others
// in the same ratio as the time of named processes of no tier, because the kernel side counts allies among these.
func (t *takers) neighbours(of Tier, times sched.Times) (out []Neighbour) {
	var allies, all time.Duration
	rest := times.Others
	for _, taker := range times.Takers {
		who := t.name(of, taker.Owner)
		rest -= taker.Time
		out = join(out, Neighbour{who, taker.Time})
		if _, isTier := taker.Owner.Tier(); !isTier {
			all += taker.Time
			if who.Own {
				allies += taker.Time
			}
		}
	}
	if rest <= 0 {
		return out
	}
	if allies > 0 {
		part := time.Duration(float64(rest) * allies.Seconds() / all.Seconds())
		out = join(out, Neighbour{Who{Name: Other, Own: true}, part})
		rest -= part
	}
	if rest > 0 {
		out = join(out, Neighbour{Who{Name: Other}, rest})
	}
	return out
}

// join adds a neighbour to those of a window, each name once.
func join(all []Neighbour, n Neighbour) []Neighbour {
	for i := range all {
		if all[i].Who == n.Who {
			all[i].Time += n.Time
			return all
		}
	}
	return append(all, n)
}
