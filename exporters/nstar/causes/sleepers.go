// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"bytes"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/causes/sched"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// sleepers are the threads of tiers that sleep until another thread wakes them, for longer than the kernel's program
// books on wakeup. Most of them are idle workers and background threads. Which of them wait for a lock for so long
// follows from how long requests stay in the tier.
type sleepers struct {
	blocked   func() iter.Seq2[uint32, time.Duration]
	procRoot  string
	stations  map[int32]window.Station // by process
	asleep    map[uint32]sleeper       // by thread
	over      []sleeper
	processes map[uint32]int32 // process of each thread that was seen; 0: none that matters
	next      time.Duration
}

// sleeper is one sleep.
type sleeper struct {
	station     window.Station
	since, seen time.Duration // CLOCK_MONOTONIC; seen: when it was last seen asleep
}

func newSleepers(blocked func() iter.Seq2[uint32, time.Duration], procRoot string) *sleepers {
	return &sleepers{blocked: blocked, procRoot: procRoot, asleep: make(map[uint32]sleeper),
		processes: make(map[uint32]int32)}
}

// sleepersEvery is how often threads are looked at: the end of a sleep is known at most so much later.
const sleepersEvery = 250 * time.Millisecond

// follow takes the tiers that a scan found.
func (s *sleepers) follow(tiers []Tier) {
	s.stations = make(map[int32]window.Station)
	for _, t := range tiers {
		for _, pid := range t.PIDs {
			s.stations[pid] = t.Station
		}
	}
}

// poll looks which threads sleep now.
func (s *sleepers) poll(now time.Duration) {
	if now < s.next {
		return
	}
	s.next = now + sleepersEvery
	before := s.asleep
	s.asleep = make(map[uint32]sleeper, len(before))
	seen := make(map[uint32]int32, len(before))
	for thread, since := range s.blocked() {
		if now-since < sched.LongestSleep { // if shorter, it is booked when it is over
			continue
		}
		pid, known := s.processes[thread]
		if !known {
			pid = s.process(thread)
		}
		seen[thread] = pid
		if station, ok := s.stations[pid]; ok {
			s.asleep[thread] = sleeper{station, since, now}
		}
	}
	s.processes = seen
	for thread, old := range before {
		if s.asleep[thread].since != old.since {
			s.over = append(s.over, old)
		}
	}
	for len(s.over) > 0 && s.over[0].seen < now-spansKept {
		s.over = s.over[1:]
	}
}

// process is the process of a thread; 0 if it is gone, or waits for a disk.
func (s *sleepers) process(thread uint32) int32 {
	status, err := os.ReadFile(filepath.Join(s.procRoot, fmt.Sprint(thread), "status"))
	if err != nil {
		return 0
	}
	pid := int32(0)
	for line := range bytes.Lines(status) {
		name, value, _ := bytes.Cut(bytes.TrimSpace(line), []byte(":\t"))
		switch string(name) {
		case "State":
			if bytes.HasPrefix(value, []byte("D")) {
				return 0
			}
		case "Tgid":
			n, _ := strconv.ParseInt(string(value), 10, 32)
			pid = int32(n)
		}
	}
	return pid
}

// share is how many threads of a tier slept in [from, to), on average. It leaves out threads that are known by now to
// sleep for longer than longest.
func (s *sleepers) share(tier window.Station, from, to, longest time.Duration) float64 {
	sum := time.Duration(0)
	add := func(one sleeper) {
		if one.station == tier && one.seen-one.since <= longest {
			sum += max(0, min(one.seen, to)-max(one.since, from))
		}
	}
	for one := range maps.Values(s.asleep) {
		add(one)
	}
	for _, one := range s.over {
		add(one)
	}
	return float64(sum) / float64(to-from)
}
