// SPDX-License-Identifier: Apache-2.0

package causes

import "time"

// Other is the neighbours of a tier that are not told by name: they ended before they could be asked, were too many, or had
// the processors for too short a time.
const Other = "other"

const (
	// namesOfTier bounds the neighbours that a tier tells by name: any user of the host can make new ones.
	namesOfTier = 8
	// candidates bounds those that may become one.
	candidates = 64
	// worthNaming is the time that a neighbour must have taken before it gets a name, in one minute.
	worthNaming = 50 * time.Millisecond
	// quiet is after how long without taking anything a name may be given up for another.
	quiet = time.Minute
)

// Ledger adds up what each neighbour of a tier took. Its names are few; the rest is Other. What a name had that is given up
// goes to Other, so that the sum never falls.
type Ledger struct {
	names   map[Who]*account
	waiting map[Who]*account // no names yet
	other   time.Duration
}

type account struct {
	sum  time.Duration
	last time.Duration // when something was added
	from time.Duration // when the minute of a candidate began
}

// Add notes what a neighbour took; now is any clock that goes on.
func (l *Ledger) Add(n Neighbour, now time.Duration) {
	if l.names == nil {
		l.names, l.waiting = make(map[Who]*account), make(map[Who]*account)
	}
	if a := l.names[n.Who]; a != nil {
		a.sum, a.last = a.sum+n.Time, now
		return
	}
	l.other += n.Time
	if n.Name == Other {
		return
	}
	w := l.waiting[n.Who]
	if w == nil || now-w.from > quiet {
		if w == nil && len(l.waiting) >= candidates {
			clear(l.waiting) // the one that takes much is soon back
		}
		w = &account{from: now}
		l.waiting[n.Who] = w
	}
	w.sum, w.last = w.sum+n.Time, now
	if w.sum >= worthNaming && l.room(now) {
		l.names[n.Who] = &account{last: now} // from zero: what was counted under Other stays there
		delete(l.waiting, n.Who)
	}
}

// room makes place for one more name.
func (l *Ledger) room(now time.Duration) bool {
	if len(l.names) < namesOfTier {
		return true
	}
	var oldest Who
	for name, a := range l.names {
		if now-a.last > quiet && (oldest == (Who{}) || a.last < l.names[oldest].last) {
			oldest = name
		}
	}
	if oldest == (Who{}) {
		return false
	}
	l.other += l.names[oldest].sum
	delete(l.names, oldest)
	return true
}

// Sums are the seconds that each took; Other is always among them.
func (l *Ledger) Sums() map[Who]float64 {
	out := map[Who]float64{{Name: Other}: l.other.Seconds()}
	for name, a := range l.names {
		out[name] = a.sum.Seconds()
	}
	return out
}
