// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"slices"
	"time"
)

// limit looks for a cap on the calls outstanding to one destination: a pool of connections, or workers that hold one
// connection each. While requests press for a place, that is, wait in the tier itself, the largest number of calls
// outstanding at once is the cap, window after window, and it is never exceeded. Without a cap the maximum of many
// windows is a rare event (CONS section 4: concurrency downstream flat at a cap while the queue upstream grows).
type limit struct {
	second  int // windows in a second
	seconds int
	peaks   [limitMemory]float64 // most calls outstanding at once, by seconds, without the two highest windows
	now     []float64            // the same by windows, of the second under way
	keep    float64              // weight that a pressed window still has one window later

	// open: number of connections; unchanged: for how many windows it has been the same. rotating: connections in
	// rotation (calling, or between two calls); carrying: connections that carry a call in a window; means of about
	// the last second
	open, rotating, carrying float64
	unchanged                int

	// sums over windows under pressure, decayed
	pressed, full, used   float64
	calls, squares, opens float64
	begun                 float64 // calls
	answered, done        float64 // calls; requests that the tier answered; both times the requests that waited
	completed             float64 // requests that the tier answered
	pairs                 pairs   // calls answered and requests completed, window by window
	lowered               lowered

	// windows without pressure, and the same sums over them, but not weighted
	calm, calmBegun, calmAnswered, calmDone, calmOpens float64
}

// limitMemory is for how many seconds the highest peak is remembered. After this time a pool that was made smaller is
// known, if it was not noticed before (lowered).
const limitMemory = 30

// pressedMemory is the half-life of what is learned from windows under pressure.
const pressedMemory = 5 * time.Second

func newLimit(width time.Duration) limit {
	return limit{
		second: max(int(time.Second/width), 1),
		keep:   remaining(width, pressedMemory),
	}
}

// strays is how many windows of a second may have a peak beyond the cap. There may be a call beside the requests that
// waits for no place, such as a load balancer's health check.
const strays = 2

// strays is that number for the connections that are open. A call beside the requests has a connection of its own. So
// on a single connection there are none: two calls on it at the same time show that it is shared, and no request waits
// for it.
func (l *limit) strays() int {
	if l.open <= 1 {
		return 0
	}
	return strays
}

// highest is the largest number of calls outstanding at once in the last seconds.
func (l *limit) highest() float64 { return l.highestOf(limitMemory) }

// highestOf is the same over the given number of whole seconds.
func (l *limit) highestOf(seconds int) float64 {
	h := 0.0
	for i := range min(seconds, l.seconds, limitMemory) {
		h = max(h, l.peaks[(l.seconds-1-i)%limitMemory])
	}
	return h
}

// look takes a window in which the tier had an own queue of the given length and answered done requests. pressed says
// that requests waited in the tier itself.
func (l *limit) look(c Calls, outstanding, own, done float64, pressed bool) {
	l.now = append(l.now, c.Peak)
	if len(l.now) == l.second {
		l.endSecond()
	}
	if c.Connections == l.open {
		l.unchanged++
	} else {
		l.open, l.unchanged = c.Connections, 0
	}
	l.rotating += (outstanding + c.Idle - l.rotating) / float64(l.second)
	l.carrying += (c.Used - l.carrying) / float64(l.second)
	if !pressed {
		decay(&l.calm, l.keep, 1)
		decay(&l.calmBegun, l.keep, c.Begun)
		decay(&l.calmAnswered, l.keep, c.Answered)
		decay(&l.calmDone, l.keep, done)
		decay(&l.calmOpens, l.keep, c.Connections)
		return
	}
	decay(&l.begun, l.keep, c.Begun)
	decay(&l.answered, l.keep, own*c.Answered)
	decay(&l.done, l.keep, own*done)
	decay(&l.completed, l.keep, done)
	l.pairs.add(l.keep, c.Answered, done)
	decay(&l.pressed, l.keep, 1)
	decay(&l.full, l.keep, indicator(l.atPeak(c.Peak)))
	decay(&l.used, l.keep, indicator(c.Connections > 0 && c.Used >= c.Connections))
	decay(&l.calls, l.keep, outstanding)
	decay(&l.squares, l.keep, outstanding*outstanding)
	decay(&l.opens, l.keep, c.Connections)
	l.noteLowered(pressedWindow{l.seconds, c.Peak, outstanding})
}

// endSecond remembers the second's peak. If it is higher than all peaks before, what was taken for the cap was no cap.
func (l *limit) endSecond() {
	slices.Sort(l.now)
	peak, before := l.now[max(0, len(l.now)-1-l.strays())], l.highest()
	l.now = l.now[:0]
	l.peaks[l.seconds%limitMemory] = peak
	l.seconds++
	if peak > before {
		l.full = 0
		if before > 0 && l.pressed > 0 {
			l.pressed = 0
			l.used, l.calls, l.squares, l.opens, l.begun, l.answered, l.done, l.completed = 0, 0, 0, 0, 0, 0, 0, 0
			l.pairs = pairs{}
		}
	}
}

// usual reports whether about as many calls are outstanding as there are most of the time while requests press for a
// place.
func (l *limit) usual(outstanding float64) bool {
	return l.pressed >= minPressed && outstanding >= fullShare*l.calls/l.pressed
}

// inRotation reports whether each connection is held by a request, which calls or does not call: the connections have
// been the same for a while and hardly any of them is left over. It means something only if requests press. A pool that
// hands out the connection that has been idle for longest keeps all in rotation, too, but then few of them carry a call
// in the same window. A connection that all requests share is also always in rotation. But if requests press and there
// are still no more calls than otherwise, and a call carries no more requests, then the requests do not wait for a lack
// of connections. If there were many more connections before, the calls of that time can't be compared.
func (l *limit) inRotation() bool {
	return l.open > 0 && !l.together(l.open) && (l.more(somewhatBusier) || l.shared() || l.fewer()) && l.rotate() &&
		l.carrying >= carryingShare*l.open
}

// rotate reports whether the connections have been the same for a while and hardly any of them is left over.
func (l *limit) rotate() bool {
	return l.unchanged >= rotationSeconds*l.second && l.rotating >= rotationShare*l.open
}

// together reports whether so many connections carry several calls each at the same time: then no request holds a
// connection for itself. Only calls since the number of connections last changed count.
func (l *limit) together(connections float64) bool {
	return l.highestOf(max(rotationSeconds, l.unchanged/l.second)) >= 2*connections
}

const (
	rotationSeconds = 3
	rotationShare   = 0.75
	carryingShare   = 0.6 // of them carry a call in each window
)

func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// atPeak reports whether so many calls are the cap. A connection that is just handed over is idle, so in a large pool
// not quite all connections are seen in use at once.
func (l *limit) atPeak(peak float64) bool {
	h := l.highest()
	return h > 0 && peak >= h-math.Floor(h/largePool)
}

// largePool is the pool size for each multiple of which one connection may be missing at the peak.
const largePool = 16

// Thresholds of a cap.
const (
	minPressed = 10  // windows under pressure, half a second
	capShare   = 0.7 // of them at the peak; without a cap fewer than a third are
	// For connections that are held but idle between calls: all carry calls in every window, and the number of
	// calls outstanding stays constant at a good part of them. A tier that has more connections than it needs
	// leaves most of them idle.
	usedShare = 0.9
	heldShare = 0.25
	constant  = 0.2 // coefficient of variation
)

// found returns the cap, and whether there is one.
func (l *limit) found() (float64, bool) {
	if l.pressed < minPressed {
		return 0, false
	}
	if l.full >= capShare*l.pressed {
		return l.highest(), true
	}
	mean := l.calls / l.pressed
	deviation := math.Sqrt(max(l.squares/l.pressed-mean*mean, 0))
	connections := l.opens / l.pressed
	if l.used >= usedShare*l.pressed && !l.together(connections) && mean >= heldShare*connections &&
		deviation <= constant*mean {
		return math.Round(connections), true
	}
	return 0, false
}

// capped reports whether there is a cap.
func (l *limit) capped() bool {
	_, ok := l.found()
	return ok
}

// hardlyCalls reports whether the places carry a call for only a small part of the time though requests press. Requests
// may keep the places while they do something else. Or all requests share one connection, as in many clients of caches,
// and no request waits for it.
func (l *limit) hardlyCalls() bool { return l.inUse() < hardlyCalls }

const hardlyCalls = 0.5

// mayBeShared reports whether there is a single connection, and it hardly carries a call. Then all requests may share
// it, also in a protocol that is not known here, of which no more than one call at a time is seen.
func (l *limit) mayBeShared() bool { return l.open <= 1 && l.hardlyCalls() }

// busier reports whether there are more calls while requests press than otherwise: a request that waits for a place
// takes it as soon as it is free. It is also true if requests press all the time.
func (l *limit) busier() bool { return l.more(busier) }

// more reports whether there are at least so many times as many calls under pressure as without it.
func (l *limit) more(times float64) bool {
	return l.calm < minPressed || l.begun/l.pressed >= times*l.calmBegun/l.calm
}

// fewer reports whether there are far fewer connections than when no request pressed for one.
func (l *limit) fewer() bool { return l.open <= fewerShare*l.calmOpens/l.calm }

const (
	fewerShare     = 0.5
	busier         = 1.3
	somewhatBusier = 1.1 // if all places are taken: near the limit, for a part of the time no request waits
)

// shared reports whether one call carries several of the requests that press: more requests than calls are answered,
// and more per call than otherwise. Producers of a broker, group commits and loaders that batch put all that waits into
// the next call. A cap on calls is then no cap on requests, and the requests wait for the pace of the tier behind.
func (l *limit) shared() bool {
	return l.calmAnswered >= fewestShared && l.begun >= fewestShared && l.answered > 0 &&
		l.done/l.answered >= perCall*max(1, l.calmDone/l.calmAnswered)
}

const (
	fewestShared = 20 // calls, before anything is said
	perCall      = 1.5
)

// inUse is the share of the places that carry a call, on average over the time in which requests press.
func (l *limit) inUse() float64 {
	if highest := l.highest(); highest > 0 && l.pressed > 0 {
		return l.calls / l.pressed / highest
	}
	return 0
}
