// SPDX-License-Identifier: Apache-2.0

package main

import "time"

// secondName and secondShift are the name of a second board on the same machine, and the distance of its ports from
// the first one's.
const (
	secondName  = "second"
	secondShift = 1000
)

// secondBoard is a whole board on the processor of the first one's application server.
func secondBoard() application {
	out := consolidated(secondName, secondShift)
	out.own = everyTier
	return out
}

// startSecond starts it beside the first one, at a higher priority than that has.
func (s *stack) startSecond() error {
	o := options{root: s.root, account: s.account, nice: max(-20, s.nice-5), spread: s.spread}
	s.beside = o.stack(s.bed, secondBoard(), params{"COLLECTOR": s.params["COLLECTOR"]})
	return s.beside.up()
}

// stopSecond ends it.
func (s *stack) stopSecond() error {
	s.beside.stop()
	s.beside = nil
	return nil
}

// useSecond has a crowd keep the second board at its limit.
func useSecond(s *stack, d time.Duration) error {
	_, err := s.beside.measure(secondName, load{users: 48, think: 10 * time.Millisecond}, d)
	return err
}

// outsidePorts are where the second board's tiers listen.
func outsidePorts(a application) (ports []int) {
	for _, t := range a.tiers {
		ports = append(ports, t.port)
	}
	return ports
}
