// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"math"
	"time"
)

// Other is the neighbours of a tier that are not told by name: they ended before they could be asked, were too many, or
// had the processors for too short a time.
const Other = "other"

const (
	// namesOfTier bounds the neighbours that a tier tells by name: any user of the host can make new ones.
	namesOfTier = 8
	// candidates bounds those that may become one.
	candidates = 64
	// worthNaming is the time that a neighbour must have taken lately before it gets a name.
	worthNaming = 50 * time.Millisecond
	// lately is the time by which what was taken counts for half: it tells who matters now.
	lately = time.Minute
	// challenge is how much more than the least of those with a name one without must have taken lately to get its
	// place.
	challenge = 2
)

// Ledger adds up what each neighbour of a tier took. Its names are few, those who took most lately; the rest is Other.
// What a name had that is given up goes to Other, so that the sum never falls.
type Ledger struct {
	names   map[Who]*account
	waiting map[Who]*account // no names yet
	other   time.Duration
}

type account struct {
	sum    time.Duration
	recent float64 // seconds, at `last`
	last   time.Duration
}

// lately is what was taken in the last while.
func (a *account) lately(now time.Duration) float64 {
	return a.recent * math.Exp2(-(now-a.last).Seconds()/lately.Seconds())
}

func (a *account) add(d, now time.Duration) {
	a.sum, a.recent, a.last = a.sum+d, a.lately(now)+d.Seconds(), now
}

// Add notes what a neighbour took; now is any clock that goes on.
func (l *Ledger) Add(n Neighbour, now time.Duration) {
	if l.names == nil {
		l.names, l.waiting = make(map[Who]*account), make(map[Who]*account)
	}
	if a := l.names[n.Who]; a != nil {
		a.add(n.Time, now)
		return
	}
	l.other += n.Time
	if n.Who == (Who{Name: Other}) {
		return
	}
	w := l.waiting[n.Who]
	if w == nil {
		if len(l.waiting) >= candidates {
			clear(l.waiting) // the one that takes much is soon back
		}
		w = &account{last: now}
		l.waiting[n.Who] = w
	}
	w.add(n.Time, now)
	if recent := w.lately(now); recent >= worthNaming.Seconds() && l.room(recent, now) {
		w.sum = 0 // what was counted under Other stays there
		l.names[n.Who] = w
		delete(l.waiting, n.Who)
	}
}

// room makes place for one more name, whose neighbour took so much lately.
func (l *Ledger) room(recent float64, now time.Duration) bool {
	if len(l.names) < namesOfTier {
		return true
	}
	var least Who
	lowest := math.Inf(1)
	for who, a := range l.names {
		if v := a.lately(now); v < lowest {
			least, lowest = who, v
		}
	}
	if recent < challenge*lowest {
		return false
	}
	l.other += l.names[least].sum
	delete(l.names, least)
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
