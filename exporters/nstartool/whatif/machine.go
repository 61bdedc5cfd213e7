// SPDX-License-Identifier: Apache-2.0

package whatif

import "slices"

// Machine is the processors that some tiers share.
type Machine struct {
	Tiers      []string
	Processors float64 // how many
	Others     float64 // how many of them, on average, had what belongs to no tier
}

// machine is the same in a network.
type machine struct {
	stations           []int
	processors, others float64
	// follows is which part of what others use grows with the load: a load generator's does, a backup's does not.
	follows float64
}

// machinesOf are those of the trace whose tiers' processor time is known.
func machinesOf(t Trace) (all []machine) {
	for _, m := range t.Machines {
		var stations []int
		for _, name := range m.Tiers {
			if i := t.tier(name); i >= 0 && t.Tiers[i].Processor > 0 {
				stations = append(stations, i)
			}
		}
		if len(stations) > 0 && m.Processors > 0 {
			all = append(all, machine{stations: stations, processors: m.Processors, others: m.Others, follows: 0.5})
		}
	}
	return all
}

// leastLeft is the share of its processors that a machine's tiers have at least, whatever others want: the scheduler
// divides them.
const leastLeft = 0.25

// left are the processors that the tiers have.
func (m machine) left() float64 { return max(m.processors-m.others, leastLeft*m.processors) }

// computing is the part of a visit for which it needs a processor, when it finds one at once.
func (s *station) computing() float64 { return min(1, s.processor/s.base) }

// slow fills in how fast each station works, relative to what it does when it finds processors at once. Where its
// requests that are worked on want more processors than there are, they share them equally, and the computing part of
// each visit takes as much longer (processor sharing: Kleinrock, Queueing Systems 2, 4.4).
func (n *network) slow(speeds []float64, working func(station int) float64) {
	for i := range speeds {
		speeds[i] = 1
	}
	for _, m := range n.machines {
		wanted := 0.0
		for _, i := range m.stations {
			wanted += working(i) * n.stations[i].computing()
		}
		left := m.left()
		if wanted <= left {
			continue
		}
		for _, i := range m.stations {
			part := n.stations[i].computing()
			speeds[i] = 1 / (1 - part + part*wanted/left)
		}
	}
}

// onMachine reports whether a station's processors are known, and so is how much it can do.
func (n *network) onMachine(station int) bool {
	return slices.ContainsFunc(n.machines, func(m machine) bool { return slices.Contains(m.stations, station) })
}

// takeOut gives a station processors of its own, which the others on its machine lose.
func (n *network) takeOut(station int, processors float64) error {
	s := &n.stations[station]
	for i, m := range n.machines {
		at := slices.Index(m.stations, station)
		if at < 0 {
			continue
		}
		rest := m.processors - processors
		if len(m.stations) > 1 && rest < 1 {
			return unfit("%s shares %s processors with others, which would have none left", s.name, digits(m.processors))
		}
		n.machines = slices.Clone(n.machines)
		n.machines[i].stations = slices.Delete(slices.Clone(m.stations), at, at+1)
		n.machines[i].processors = rest
		n.machines = append(n.machines, machine{stations: []int{station}, processors: processors})
		return nil
	}
	return unfit("how many processors %s has, and what it computes per request, was not recorded", s.name)
}
