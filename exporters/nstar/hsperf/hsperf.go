// SPDX-License-Identifier: Apache-2.0

// Package hsperf finds out when a Java virtual machine stood still to collect garbage, to the millisecond,
// without an agent, a debugger or the machine's cooperation. The share of each window that it takes is the
// candidate cause of RAB, Fig. 6b.
//
// HotSpot keeps its performance counters in a mapped file, /tmp/hsperfdata_USER/PID, from JDK 1.4.2 to today.
// For every collector these hold the number of pauses, their total length, and the beginning and end of the
// last one in ticks since the machine's start. Read every 20 to 25 ms, they give each longer pause exactly,
// and the sum of the shorter ones.
//
// # Which pauses
//
// Counted are the stop-the-world pauses of Serial, Parallel, CMS, G1 (young,
// full, remark, cleanup) and ZGC. Shenandoah adds its concurrent phases to the
// same counters; its stops (also degenerated and full collections) are the times
// at safepoints while it collects, exact in their sum, and to a poll in their
// place. With ZGC the times count, too, in which threads that want memory wait
// for a collection (allocation stalls), as far as the collection was begun for
// that: a lower bound, to a poll. The time to reach the safepoint, in which the
// application's threads stop one by one, is not part of a pause, as in -Xlog:gc.
//
// # How exact
//
// The ticks are nanoseconds of CLOCK_MONOTONIC minus an unknown start. Only the start has to be estimated.
// The machine publishes it as wall clock in whole milliseconds (sun.rt.createVmBeginTime), which is right to
// 0.5 ms unless the wall clock was stepped since. Two bounds check and refine it: an event in the counters
// happened before they were read, and an event that appeared between two polls happened after the first poll.
// JDK 24 and earlier also publish the present (sun.os.hrt.ticks) every 50 ms; later ones do not. Measured on
// JDK 17 and 25 with Serial, Parallel and G1 against the times in -Xlog:gc, on two cores at load averages
// from 4 to 90: begin and end of a pause off by less than 1 ms, the share of a 50 ms window by 0.013, or 0.05
// where G1 had several short pauses between two polls, the sum of all pauses by 0.2 %.
package hsperf

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/clock"
)

// The reasons for which a process cannot be followed. Open wraps them in a line
// that says which process and what to do.
var (
	// ErrNoCounters: the process is no HotSpot machine, or was told to keep its
	// counters to itself.
	ErrNoCounters = errors.New("no performance counters")
	// ErrStarting: the counters are not ready yet; try again.
	ErrStarting = errors.New("the virtual machine is still starting")
	// ErrConcurrent: the collector does not count its pauses separately, and the machine does not count
	// its safepoints.
	ErrConcurrent = errors.New("the collector's pauses are not counted apart from its concurrent work")
	// ErrMalformed: the file is none of HotSpot's, or was cut short.
	ErrMalformed = errors.New("malformed performance counters")
	// ErrUntrusted: the file may not be what it claims, as a link or a file of
	// another user.
	ErrUntrusted = errors.New("refused to read the performance counters")
)

// JVM follows the collections of one virtual machine. It is not safe for
// concurrent use.
type JVM struct {
	file   *os.File
	layout *layout
	clock  func() time.Duration
	buf    []byte

	start      startOfTicks
	collectors []collector
	values     []counters
	stops      stops
	stalls     stalls
	past       history
	polled     bool
	safepoints safepoints
	crowded    bool // the last poll found several pauses of a collector
	// lastPoll is when the last poll began, on CLOCK_MONOTONIC.
	lastPoll time.Duration
}

// Open finds the counters of the process pid of the proc file system at
// procRoot, also in another container, and reads them for the first time. It
// does not wait.
func Open(procRoot string, pid int32) (*JVM, error) {
	file, err := find(procRoot, pid)
	if err != nil {
		return nil, fmt.Errorf("process %d: %w", pid, err)
	}
	j, err := follow(file, clock.Monotonic)
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("process %d: %w", pid, err)
	}
	return j, nil
}

// follow begins with an open file; now reads CLOCK_MONOTONIC.
func follow(file *os.File, now func() time.Duration) (*JVM, error) {
	data, err := io.ReadAll(io.NewSectionReader(file, 0, maxFileBytes)) // it may have grown since it was found
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	l, err := parseLayout(data)
	if err != nil {
		return nil, err
	}
	j := &JVM{
		file: file, layout: l, clock: now,
		buf:        make([]byte, l.end-l.begin),
		start:      unknownStart(),
		collectors: make([]collector, len(l.collectors)),
		values:     make([]counters, len(l.collectors)),
	}
	if l.vmBegin > 0 {
		wall, monotonic := clock.Now()
		j.start.published(time.Duration(l.vmBegin)*time.Millisecond, wall, monotonic)
	}
	return j, j.Poll(now())
}

// PollBytes is how much every Poll reads.
func (j *JVM) PollBytes() int { return len(j.buf) }

// Close gives the file back.
func (j *JVM) Close() error { return j.file.Close() }

// Poll reads the counters. It is to be called every 100 ms, or every 20 to 25 ms
// while machines are Crowded, with the present CLOCK_MONOTONIC; of several
// pauses of a collector between two calls only the last is exact. It allocates
// nothing. An error (wrapping ErrMalformed) means that the file was cut short:
// the machine is gone.
func (j *JVM) Poll(now time.Duration) error {
	// Read, not mapped: a file that another user cuts short would end us with
	// SIGBUS.
	if n, err := j.file.ReadAt(j.buf, int64(j.layout.begin)); n < len(j.buf) {
		return fmt.Errorf("%w: cut short: %w", ErrMalformed, err)
	}
	after := j.clock()
	first := !j.polled

	latest := j.layout.ticks(j.buf)
	for i := range j.collectors {
		v := j.layout.counters(j.buf, i)
		latest = max(latest, v.entry, v.exit)
		j.values[i] = v
		if old := j.collectors[i].last; !first {
			if v.entry != old.entry {
				j.start.happenedAfter(v.entry, j.lastPoll)
			}
			if v.exit != old.exit {
				j.start.happenedAfter(v.exit, j.lastPoll)
			}
		}
	}
	if latest > 0 {
		j.start.happenedBefore(latest, after)
	}
	at, since := j.start.ticks(now), j.start.ticks(j.lastPoll)
	if first {
		since = at
	}
	j.crowded = false
	if j.layout.countAt > 0 {
		j.atSafepoints(first, since, at)
	}
	if j.layout.causeBytes > 0 {
		j.stalls.observe(j.layout.stalled(j.buf), since, at, &j.past)
	}
	for i := range j.collectors {
		if j.layout.countAt > 0 {
			j.collectors[i].last = j.values[i]
			continue
		}
		j.crowded = j.crowded || !first && j.values[i].done()-j.collectors[i].completed > 1
		if first {
			j.collectors[i].begin(j.values[i], &j.past)
		} else {
			j.collectors[i].observe(j.values[i], since, at, &j.past)
		}
	}
	j.past.forget(at - keep)
	j.polled, j.lastPoll = true, now
	return nil
}

// atSafepoints takes the stops of a machine whose collector does not count its pauses separately.
func (j *JVM) atSafepoints(first bool, since, at int64) {
	l := j.layout
	count, time := l.long(j.buf, l.countAt), l.scale(l.long(j.buf, l.safepointAt))
	if first {
		j.stops = stops{count: count, time: time}
		return
	}
	collecting, exact := false, span{}
	for i, v := range j.values {
		last := j.collectors[i].last
		collecting = collecting || v != last || v.entry > v.exit
		if v.exit >= v.entry && v.exit > exact.end {
			exact = span{v.entry, v.exit}
		}
	}
	j.crowded = count-j.stops.count > 1
	j.stops.observe(count, time, since, at, collecting, exact, &j.past)
}

// Crowded reports whether the last Poll found several pauses of one collector, so
// that more frequent polls would be more exact.
func (j *JVM) Crowded() bool { return j.crowded }

// Stopped is how much of [from, to), on CLOCK_MONOTONIC, the application stood
// still for garbage collection, as far as the last Poll knew. The last ten
// seconds are remembered.
func (j *JVM) Stopped(from, to time.Duration) time.Duration {
	begin, end := j.start.ticks(from), j.start.ticks(to)
	// A pause that goes on is known until the last poll.
	running := span{begin: never}
	for i := range j.collectors {
		if c := &j.collectors[i]; c.inside {
			running.begin = min(running.begin, c.last.entry)
		}
	}
	if s, on := j.stops.running(j.start.ticks(j.lastPoll)); on {
		running.begin = min(running.begin, s.begin)
	}
	if j.stalls.stalled {
		running.begin = min(running.begin, j.stalls.since)
	}
	running.end = max(j.start.ticks(j.lastPoll), running.begin)
	if running.begin == never {
		running = span{}
	}
	return j.past.within(begin, end, running)
}

// Start is when the machine's ticks began, on CLOCK_MONOTONIC, as far as Poll has found out: see the
// package's comment.
func (j *JVM) Start() time.Duration { return j.start.value() }
