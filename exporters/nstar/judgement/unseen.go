// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"slices"
	"time"
)

// unseen follows a destination whose calls may be out of sight: a message broker, or several requests at once inside
// TLS. Requests that wait for such calls look like the caller's own requests.
type unseen struct {
	given    bool    // a connection turned out to be of such a kind
	answered float64 // answers to calls that were seen since then
	open     float64 // connections
	speaks   bool    // several segments came from there on connections of such a kind
	// told are these segments, over the requests that the caller answered; usual is the same over minutes.
	told, usual decayed
}

func newUnseen(width time.Duration) unseen {
	return unseen{told: newDecayed(width, toldMemory), usual: newDecayed(width, usualMemory)}
}

// add takes the calls of a window in which the caller answered so many requests. While the caller is slow, nothing is
// learned of what is usual.
func (u *unseen) add(c Calls, served float64, slow bool) {
	u.open = c.Connections
	u.told.add(c.Told, served)
	if !slow {
		u.usual.add(c.Told, served)
	}
	u.speaks = u.speaks || u.told.part >= severalTold
	if c.Unmeasured > 0 {
		u.given, u.answered = true, 0
		return
	}
	u.answered += c.Answered
}

// seen is how many answered calls show that the destination is called over other connections, and that only some of its
// connections, such as tunnels for browsers, can't be measured.
const seen = 3

const (
	toldMemory  = 10 * time.Second // half-life
	severalTold = 3                // more than a sign of life now and then
	usualMemory = 5 * time.Minute  // half-life
	fewTold     = 0.25             // segments for each request that the caller answers
	asOften     = 0.7              // of the usual
)

// sparesMost reports whether most requests can't have waited for an answer from there: only a few segments came for
// each request that was answered. It must be as many as usual, because a destination that stands still sends none.
func (u *unseen) sparesMost() bool {
	return u.usual.part > 0 && u.told.ratio() <= fewTold && u.told.ratio() >= asOften*u.usual.ratio()
}

// hides reports whether calls to the destination are out of sight. If nothing comes back from there, as from a broker
// to which messages are only published, no request waits for it; tells says that this would be known. A broker that
// has answered may stand still now.
func (u *unseen) hides(tells bool) bool {
	return u.given && u.open > 0 && u.answered < seen && (u.speaks || !tells)
}

// SetUnseen says whether the tier calls others over connections that are not measured, such as some Unix sockets.
func (t *Tier) SetUnseen(on bool) { t.asksUnseen = on }

// SetTells says whether Calls.Told is known.
func (t *Tier) SetTells(on bool) { t.tells = on }

// callsUnseen reports whether the tier calls a program out of sight.
func (t *Tier) callsUnseen() bool {
	return t.asksUnseen ||
		slices.ContainsFunc(t.destinations, func(d *destination) bool { return d.unseen.hides(t.tells) })
}

// quickUnseen reports whether most requests of the tier take several times as long as before, and most can't have
// waited for an answer that can't be seen: what they wait for is something else.
func (t *Tier) quickUnseen() bool {
	return !t.asksUnseen && t.tells && t.slowed.holds() && !slices.ContainsFunc(t.destinations,
		func(d *destination) bool { return d.unseen.hides(t.tells) && !d.unseen.sparesMost() })
}

// mayWaitUnseen is how many of a window's requests may wait for an answer that can't be seen. If the tier calls a
// program out of sight, these are the requests that sleep, without those that may wait for a thread of the tier
// instead.
func (t *Tier) mayWaitUnseen(p *pending) float64 {
	if !t.callsUnseen() || t.quickUnseen() {
		return 0
	}
	if w, ok := t.contention.of(p.Index); ok {
		return w.beyondThread(p.own, t.busiest, t.processes)
	}
	if l := t.load(p.Index); l != nil && l.sleepy() {
		return p.own
	}
	return 0
}

// mayWaitOutside reports whether requests may wait for something that is not seen: they have been there for longer than
// the answered ones took, or half of them may wait for an answer that can't be seen.
func (t *Tier) mayWaitOutside(p *pending, requests float64) bool {
	return t.patience.unaccounted() || t.mayWaitUnseen(p) >= requests/2
}

// waitsUnseen reports whether, as far as is known, most of what waits in a window waits for an answer that can't be
// seen. Fewer than asleepExcess requests may be chance.
func (t *Tier) waitsUnseen(p *pending, excess float64) bool {
	unseen := t.mayWaitUnseen(p)
	return min(unseen, excess) >= asleepExcess && unseen >= excess/2
}

// waitsHalted is how many of a window's requests may wait for an answer of a tier out of sight that is stopped: those
// that sleep and do not wait for a thread.
func (t *Tier) waitsHalted(p *pending) float64 {
	w, ok := t.contention.of(p.Index)
	if !ok || p.halted == "" {
		return 0
	}
	return w.beyondThread(p.own, t.busiest, t.processes)
}

// chargeHalted charges the requests that wait for a tier out of sight that is stopped. It returns the part of the
// excess that they are.
func (t *Tier) chargeHalted(p *pending, j *Judged, excess float64) float64 {
	part := min(excess, t.waitsHalted(p))
	j.add(Stalled, p.halted, part)
	return max(0, part)
}
