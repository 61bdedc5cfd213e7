// SPDX-License-Identifier: Apache-2.0

package monitor

import "time"

const (
	// quickBeat is the time between readings of the counters of Java virtual machines and of the causes, while
	// these show things that are over within moments: a window is twice as long.
	quickBeat = 25 * time.Millisecond
	// calmBeat is the same while nothing of this kind was seen for long. Every wakeup costs, and on virtual
	// machines most.
	calmBeat = 100 * time.Millisecond
	// calmAfter is for how long nothing of this kind must have been seen. The exporter begins with a hurry of this
	// length.
	calmAfter = 10 * time.Second
)

// beat determines how often the loop wakes up, and what is due then.
type beat struct {
	every      time.Duration // between two ticks
	reads      time.Duration // between two readings of settled windows
	hurried    time.Duration // when there was last a reason for haste
	read, load due
}

// newBeat begins in a hurry.
func newBeat(reads, now time.Duration) beat {
	return beat{every: min(quickBeat, reads), reads: reads, hurried: now, read: due{now}, load: due{now}}
}

// hurry says that something was seen that is over within moments.
func (b *beat) hurry(now time.Duration) { b.hurried = now }

// calm reports whether nothing of this kind was seen for long, as set found it.
func (b *beat) calm() bool { return b.every > quickBeat }

// set computes the time between ticks; polls says whether there is more to read than settled windows. It reports
// whether that time has changed.
func (b *beat) set(now time.Duration, polls bool) bool {
	every := b.reads
	switch {
	case !polls:
	case now-b.hurried < calmAfter:
		every = min(quickBeat, every)
	default:
		every = min(calmBeat, every)
	}
	changed := every != b.every
	b.every = every
	return changed
}

// due is something that is done at some of the ticks.
type due struct{ last time.Duration }

// early is by how much something may be done before its time, because ticks are not exact.
const early = 5 * time.Millisecond

// due reports whether so much time has passed since the last time. If so, it takes this time as the last.
func (d *due) due(now, every time.Duration) bool {
	if now < d.last+every-early {
		return false
	}
	d.last = now
	return true
}
