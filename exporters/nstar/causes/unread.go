// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"fmt"
	"math"
	"os"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

func init() {
	register("unread", "Connections that the tier has accepted, on average over the time in the window, that hold "+
		"bytes which it has not read yet: requests that wait for a thread, or for its event loop.", openUnread)
}

// unread counts the tiers' connections with bytes that the server has not read. It reads one network namespace at a
// time. A foreign namespace takes many milliseconds, because the kernel writes all of its connections as text, and the
// other collectors have to be polled, too.
type unread struct {
	*shared
	listening
	readings map[uint32]*unreadSpace
	next     time.Duration
}

// unreadSpace is the last reading of a network namespace.
type unreadSpace struct {
	tiers map[window.Station]*level
	next  time.Duration // when it may be read again
}

// unreadInterval is the shortest time between two readings of a namespace.
const unreadInterval = 200 * time.Millisecond

func openUnread(s *shared) (Collector, error) {
	l, err := openListening(s.options.ProcRoot)
	if err != nil {
		return nil, fmt.Errorf("no connections can be read: %w", err)
	}
	pid := int32(os.Getpid())
	if err := l.reader.Unread(l.reader.In(pid), pid, func(discovery.Listener) {}); err != nil {
		_ = l.Close()
		return nil, fmt.Errorf("no connections can be read: %w", err)
	}
	return &unread{shared: s, listening: l, readings: make(map[uint32]*unreadSpace)}, nil
}

func (c *unread) Follow(tiers []Tier) {
	c.follow(tiers)
	before := c.readings
	c.readings = make(map[uint32]*unreadSpace)
	for place, station := range c.listeners {
		if _, ok := c.spaces[place.NetNS]; !ok {
			continue
		}
		old := before[place.NetNS]
		if old == nil {
			old = &unreadSpace{}
		}
		now := c.readings[place.NetNS]
		if now == nil {
			now = &unreadSpace{make(map[window.Station]*level), old.next}
			c.readings[place.NetNS] = now
		}
		if now.tiers[station] = old.tiers[station]; now.tiers[station] == nil {
			now.tiers[station] = &level{}
		}
	}
}

func (c *unread) Poll(now time.Duration) {
	if now < c.next {
		return
	}
	netns, due := c.due(now)
	if due == nil {
		return
	}
	due.next = now + socketRest
	began := time.Now()
	found := make(map[window.Station]float64)
	err := c.reader.Unread(netns, c.spaces[netns], func(local discovery.Listener) {
		if station, ok := discovery.CameIn(c.listeners, local); ok {
			found[station]++
		}
	})
	c.next = now + pause(time.Since(began), 0)
	if err != nil {
		return // the namespace is gone; the next scan forgets it
	}
	for station, l := range due.tiers {
		l.note(now, found[station])
		if c.active(station, now) {
			due.next = now + c.every(unreadInterval)
		}
	}
}

// due is the namespace that has waited longest for its reading; nil if none is due.
func (c *unread) due(now time.Duration) (netns uint32, space *unreadSpace) {
	for n, s := range c.readings {
		if s.next <= now && (space == nil || s.next < space.next) {
			netns, space = n, s
		}
	}
	return netns, space
}

func (c *unread) Share(tier window.Station, w Window) float64 {
	sum := math.NaN()
	for _, s := range c.readings {
		l := s.tiers[tier]
		if l == nil {
			continue
		}
		switch v := l.share(w.From, w.To); {
		case math.IsNaN(sum):
			sum = v
		case !math.IsNaN(v):
			sum += v
		}
	}
	return sum
}
