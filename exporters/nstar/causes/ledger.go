// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"math"
	"time"
)

// Other stands for the neighbours of a tier that have no name: they ended before their name could be read, were too
// many, or had the processors for too short a time.
const Other = "other"

const (
	// namesOfTier limits the neighbours of a tier that have a name, because any user of the host can create new
	// ones.
	namesOfTier = 8
	// candidates limits the neighbours that may get a name.
	candidates = 64
	// worthNaming is the time that a neighbour must have taken recently before it gets a name.
	worthNaming = 50 * time.Millisecond
	// lately is the half-life of what was taken: it shows which neighbours matter now.
	lately = time.Minute
	// challenge is how many times as much as the smallest named neighbour another one must have taken recently to
	// replace it.
	challenge = 2
)

// Ledger adds up what each neighbour of a tier took. It keeps few names, those that took most recently; the rest is
// Other. If a name is given up, its sum goes to Other, so that the total never falls.
type Ledger struct {
	names   map[Who]*account
	waiting map[Who]*account // candidates, without a name yet
	other   time.Duration
}

type account struct {
	sum    time.Duration
	recent float64 // seconds, at `last`
	last   time.Duration
}

// lately is what was taken recently.
func (a *account) lately(now time.Duration) float64 {
	return a.recent * math.Exp2(-(now-a.last).Seconds()/lately.Seconds())
}

func (a *account) add(d, now time.Duration) {
	a.sum, a.recent, a.last = a.sum+d, a.lately(now)+d.Seconds(), now
}

// Add notes what a neighbour took. now is the time by any clock that does not go back.
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
			clear(l.waiting) // a neighbour that takes much soon comes back
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

// room makes room for one more name, whose neighbour took so much recently. It reports whether there is room.
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

// Sums are the seconds that each neighbour took. Other is always among them.
func (l *Ledger) Sums() map[Who]float64 {
	out := map[Who]float64{{Name: Other}: l.other.Seconds()}
	for name, a := range l.names {
		out[name] = a.sum.Seconds()
	}
	return out
}
