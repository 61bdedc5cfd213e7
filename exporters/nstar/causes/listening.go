// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// listening knows where the tiers listen, for collectors that read what waits at sockets.
type listening struct {
	reader    *discovery.Queues
	listeners map[discovery.Listener]window.Station
	spaces    map[uint32]int32 // a process in each network namespace in which they listen
}

func openListening(procRoot string) (listening, error) {
	reader, err := discovery.OpenQueues(procRoot)
	return listening{reader, make(map[discovery.Listener]window.Station), make(map[uint32]int32)}, err
}

// Close ends the reading.
func (l *listening) Close() error { return l.reader.Close() }

func (l *listening) follow(tiers []Tier) {
	clear(l.listeners)
	clear(l.spaces)
	for _, t := range tiers {
		for _, place := range t.Listeners {
			if place.Path != "" {
				continue // what waits at Unix sockets is not read
			}
			l.listeners[place] = t.Station
			if pid, ok := l.inside(place.NetNS, t.some()); ok {
				l.spaces[place.NetNS] = pid
			}
		}
	}
}

// inside finds a process in a network namespace, if it is not known yet.
func (l *listening) inside(netns uint32, pids []int32) (int32, bool) {
	if pid, ok := l.spaces[netns]; ok || l.reader.Own(netns) {
		return pid, true
	}
	for _, pid := range pids {
		if l.reader.In(pid) == netns {
			return pid, true
		}
	}
	return 0, false
}

const (
	// socketShare is the share of a processor that reading sockets may use. On a large machine the kernel searches
	// many buckets for a few sockets.
	socketShare = 0.005
	// socketRest is the time between two readings while no tier has requests.
	socketRest = time.Second
)

// pause is the time until the next reading after a reading that took so long; least is the minimum.
func pause(took, least time.Duration) time.Duration {
	return max(least, time.Duration(float64(took)/socketShare))
}
