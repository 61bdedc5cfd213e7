// SPDX-License-Identifier: Apache-2.0

package whatif

import "slices"

// Machine is the processors that some tiers share.
type Machine struct {
	Host       string // where these are, as one of several such groups; empty if that is not known
	Tiers      []string
	Processors float64 // how many
	Others     float64 // how many of them, on average, ran programs of no tier
}

// machine is the same in a network.
type machine struct {
	host               string
	stations           []int
	processors, others float64
	// follows is the part of other programs' use that grows with the load: that of a load generator does, that of
	// a backup does not.
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
			all = append(all, machine{host: m.Host, stations: stations, processors: m.Processors,
				others: m.Others, follows: 0.5})
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

// slow fills in how fast each station works, relative to what it does when it finds processors at once. If the
// requests at work want more processors than there are, they share these equally, and the computing part of each
// visit takes longer by the same factor (processor sharing: Kleinrock, Queueing Systems 2, 4.4).
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

// onMachine reports whether a station's processors are known; then it is also known how much the station can do.
func (n *network) onMachine(station int) bool {
	return slices.ContainsFunc(n.machines, func(m machine) bool { return slices.Contains(m.stations, station) })
}

// takeOut gives a station processors of its own, which the others on its machine lose. If these would have none left,
// they move to the other processors of their host, beside the programs that run there.
func (n *network) takeOut(station int, processors float64) error {
	s := &n.stations[station]
	for i, m := range n.machines {
		at := slices.Index(m.stations, station)
		if at < 0 {
			continue
		}
		rest := m
		rest.stations = slices.Delete(slices.Clone(m.stations), at, at+1)
		rest.processors -= processors
		own := machine{host: m.host, stations: []int{station}, processors: processors}
		if len(rest.stations) == 0 || rest.processors >= 1 {
			n.machines = append(slices.Replace(slices.Clone(n.machines), i, i+1, rest), own)
			return nil
		}
		to := slices.IndexFunc(n.machines, func(o machine) bool {
			return m.host != "" && o.host == m.host && !slices.Contains(o.stations, station) &&
				o.processors+rest.processors >= 1
		})
		if to < 0 {
			return unfit("%s shares %s processors with others, which would have none left", s.name,
				digits(m.processors))
		}
		rest = rest.with(n.machines[to])
		n.machines = append(slices.Clone(n.machines), rest, own)
		n.machines = slices.Delete(n.machines, max(i, to), max(i, to)+1)
		n.machines = slices.Delete(n.machines, min(i, to), min(i, to)+1)
		return nil
	}
	return unfit("the number of processors of %s, and its processor time per request, were not recorded", s.name)
}

// with is both groups of processors as one.
func (m machine) with(o machine) machine {
	m.stations = slices.Concat(m.stations, o.stations)
	m.processors += o.processors
	if sum := m.others + o.others; sum > 0 {
		m.follows = (m.others*m.follows + o.others*o.follows) / sum
	}
	m.others += o.others
	return m
}
