// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

func init() {
	register("accept_queue", "Connections to the tier, on average over the time in the window, that are established "+
		"and wait until the tier accepts them: all of its workers are taken.", openAcceptQueue)
}

// Accept is a tier's accept queue at the last reading.
type Accept struct {
	Waiting uint64 // connections
	Limit   uint64 // most that may wait; 0 if not known
	Refused uint64 // packets of connections that were dropped for lack of room, since the tier was found
}

// acceptQueue reads the accept queues of the tiers' listening sockets.
type acceptQueue struct {
	*shared
	listening
	alone   map[uint32]window.Station // the tier that has a namespace for itself
	mu      sync.Mutex                // guards tiers and what they hold: scrapes read them concurrently
	tiers   map[window.Station]*accepting
	dropped map[uint64]uint32 // by socket, so far
	drops   map[uint32]uint64 // by namespace, so far
	own     *uint64           // drops of this program's namespace so far; nil while unknown
	looked  time.Duration     // when own was read
	next    time.Duration
}

// accepting is all accept queues of a tier together.
type accepting struct {
	Accept
	waiting  level // connections
	refusals spans // packets
}

const (
	// acceptInterval is the shortest time between two readings.
	acceptInterval = 50 * time.Millisecond
	// ownInterval is the longest time between two readings of the drops in this program's namespace.
	ownInterval = time.Second
)

func openAcceptQueue(s *shared) (Collector, error) {
	l, err := openListening(s.options.ProcRoot)
	if err != nil {
		return nil, fmt.Errorf("no accept queues can be read: %w", err)
	}
	return &acceptQueue{
		shared: s, listening: l, alone: make(map[uint32]window.Station), tiers: make(map[window.Station]*accepting),
		dropped: make(map[uint64]uint32), drops: make(map[uint32]uint64),
	}, nil
}

func (c *acceptQueue) Follow(tiers []Tier) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.follow(tiers)
	clear(c.alone)
	before := c.tiers
	c.tiers = make(map[window.Station]*accepting)
	var shared []uint32
	for _, t := range tiers {
		if c.tiers[t.Station] = before[t.Station]; c.tiers[t.Station] == nil {
			c.tiers[t.Station] = &accepting{}
		}
		for _, l := range t.Listeners {
			if other, ok := c.alone[l.NetNS]; ok && other != t.Station {
				shared = append(shared, l.NetNS)
			}
			c.alone[l.NetNS] = t.Station
		}
	}
	for netns := range c.alone {
		if c.reader.Own(netns) || slices.Contains(shared, netns) {
			delete(c.alone, netns)
		}
	}
}

func (c *acceptQueue) Poll(now time.Duration) {
	if now < c.next {
		return
	}
	c.next = now + socketRest
	began := time.Now()
	found := make(map[window.Station]Accept)
	seen := make(map[uint64]uint32)
	for netns, pid := range c.spaces {
		err := c.reader.Accept(netns, pid, func(q discovery.AcceptQueue) { c.take(q, found, seen) })
		if err != nil {
			return // the namespace is gone; the next scan forgets it
		}
	}
	c.dropped = seen
	c.boundOwn(now, found)
	c.countNamespaces(found)
	rest := c.note(now, found)
	c.next = now + pause(time.Since(began), c.every(acceptInterval))
	if rest {
		c.next = max(c.next, now+socketRest)
	}
}

// note takes a reading of all tiers. It reports whether none of them has requests.
func (c *acceptQueue) note(now time.Duration, found map[window.Station]Accept) (rest bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	rest = true
	for station, a := range c.tiers {
		c.moved = a.note(now, found[station]) || c.moved
		rest = rest && !c.active(station, now)
	}
	return rest
}

// take adds one socket's queue to its tier's.
func (c *acceptQueue) take(q discovery.AcceptQueue, found map[window.Station]Accept, seen map[uint64]uint32) {
	station, ok := c.listeners[q.Listener]
	if !ok {
		return
	}
	a := found[station]
	a.Waiting += uint64(q.Waiting)
	a.Limit += uint64(q.Limit)
	if q.Counted {
		if before, ok := c.dropped[q.Socket]; ok {
			a.Refused += uint64(q.Refused - before)
		}
		seen[q.Socket] = q.Refused
	}
	found[station] = a
}

// boundOwn limits the drops of sockets in this program's namespace, because a socket may drop packets and refuse no
// connection. If a server defers accepting until the request is there, as Apache httpd does by default, its socket
// drops a packet of every connection. The namespace counts only packets that found no room. If both happen at the same
// time, the server that defers may be said to refuse some connections. The counter is read when sockets dropped
// something, and from time to time to know its earlier value.
func (c *acceptQueue) boundOwn(now time.Duration, found map[window.Station]Accept) {
	dropped := false
	for _, a := range found {
		dropped = dropped || a.Refused > 0
	}
	if c.own != nil && !dropped && now-c.looked < ownInterval {
		return
	}
	c.looked = now
	n, err := c.reader.OwnDrops()
	if err != nil {
		c.own = nil
		return
	}
	if c.own != nil {
		for station, a := range found {
			a.Refused = min(a.Refused, n-min(n, *c.own))
			found[station] = a
		}
	}
	c.own = &n
}

// countNamespaces takes the drops of namespaces whose sockets do not report their own drops, if it is clear which tier
// they belong to.
func (c *acceptQueue) countNamespaces(found map[window.Station]Accept) {
	seen := make(map[uint32]uint64)
	for netns, station := range c.alone {
		pid, ok := c.spaces[netns]
		if !ok {
			continue
		}
		n, err := c.reader.Drops(pid)
		if err != nil {
			continue
		}
		if before, ok := c.drops[netns]; ok && n > before {
			a := found[station]
			a.Refused += n - before
			found[station] = a
		}
		seen[netns] = n
	}
	c.drops = seen
}

// note takes a reading, in which Refused is the growth since the reading before. It reports whether connections have to
// wait: some are there at two readings in a row.
func (a *accepting) note(now time.Duration, r Accept) (waits bool) {
	waits = a.Waiting > 0 && r.Waiting > 0
	if a.waiting.at > 0 {
		a.refusals.add(a.waiting.at, now, float64(r.Refused))
	}
	a.waiting.note(now, float64(r.Waiting))
	a.Waiting, a.Limit = r.Waiting, r.Limit
	a.Refused += r.Refused
	return waits
}

// Accept returns the tier's accept queue as it is now.
func (c *acceptQueue) Accept(tier window.Station) (Accept, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.tiers[tier]
	if a == nil || a.waiting.at == 0 {
		return Accept{}, false
	}
	return a.Accept, true
}

func (c *acceptQueue) Share(tier window.Station, w Window) float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.tiers[tier]
	if a == nil {
		return math.NaN()
	}
	return a.waiting.share(w.From, w.To)
}

// refused is how many packets a second were dropped in a window for lack of room.
func (c *acceptQueue) refused(tier window.Station, w Window) float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if a := c.tiers[tier]; a != nil {
		return a.refusals.share(w.From, w.To)
	}
	return 0
}
