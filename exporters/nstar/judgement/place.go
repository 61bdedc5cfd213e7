// SPDX-License-Identifier: Apache-2.0

package judgement

// place finds whether the excess waits for a place to call, and whose fault that is. It returns one charge, or one for
// each destination whose places may be the ones that are lacking. It returns nothing if the excess does not wait for a
// place.
func (t *Tier) place(p *pending, excess float64) []Charge {
	if p.ceased != "" {
		return []Charge{{Cause: SoftResource, To: p.ceased}}
	}
	if p.jammed {
		return []Charge{{Cause: SoftResource, To: t.jam.to}}
	}
	if excess < 1 || t.flows(p.Index) || t.contention.always() {
		return nil
	}
	maybe := t.mayBeAsleep(p.Index)
	asleep := t.asleep(p.Index) || maybe && t.contention.sleeping() >= fewAsleep
	most := -1.0
	var busiest *destination
	for i, d := range t.destinations {
		if i >= len(p.outstanding) {
			continue
		}
		capped := d.cap.capped() && (!d.cap.hardlyCalls() || maybe && d.cap.busier() && d.cap.places() > 1)
		if !capped && !(asleep && (d.cap.inRotation() && !t.waitingLine.refuted() || d.cap.handedOn())) {
			continue
		}
		if d.slowness() >= slow || d.cap.shared() {
			return []Charge{{Cause: Behind, To: d.to}} // the slowest explains it; others may be capped, too
		}
		// Of several destinations, take the one whose places carry calls for most of the time.
		if in := d.cap.inUse(); in > most {
			most, busiest = in, d
		}
	}
	if busiest == nil {
		return nil
	}
	if busiest.cap.mayBeShared() {
		if t.mayWaitOutside(p, excess) {
			return nil // for something that is not seen, as far as is known
		}
		if t.slowed.holds() && !t.lineIsKnown() {
			return []Charge{{Cause: UnknownCause}} // each request may sleep by itself
		}
		return []Charge{{Cause: SoftResource}} // for a lock, or for that connection if a request keeps it
	}
	var charges []Charge
	for _, d := range t.lacking(busiest) {
		charges = append(charges, t.waitsForPlace(d))
	}
	return charges
}

// fewAsleep is how many requests must be seen asleep, on average over a second, so that it is no chance.
const fewAsleep = 2

// unaccepted is the charge for requests that wait because all workers are taken and asleep. If most of the workers'
// requests wait for an answer of a tier that is slow, more workers would only wait there, too. Then the requests wait
// for that tier. If it is not known here whether that tier is slow, the workers are places to call it. If no worker is
// ever done, their number is not what the requests wait for.
func (t *Tier) unaccepted(p *pending) Charge {
	held := t.contention.held()
	for i, n := range p.outstanding {
		d := t.destinations[i]
		switch {
		case n < fewCalls || n <= held && !t.refuses.now():
		case d.slowness() >= slow:
			return Charge{Cause: Behind, To: d.to}
		case n > held:
			return t.waitsForPlace(d)
		}
	}
	switch {
	case t.mute.hangs(t.width):
		return Charge{Cause: Stopped}
	case !t.mute.answered:
		return Charge{Cause: UnknownCause}
	}
	return Charge{Cause: SoftResource}
}

// lacking returns the destinations whose places may be the ones for which requests wait. busiest is the destination
// whose places carry calls for most of the time. But a request that holds a place at one destination may call another
// one meanwhile. Then there are never more calls at the other one than places at the first, and the other one seems to
// have the same number of places.
//
// If a place is taken for a single call, the next request takes it as soon as it is free. So places that stand empty
// for a part of the time, while requests press, are not what these wait for. A request that makes several calls keeps
// its place between them. So such places may all be taken although they hardly carry a call.
func (t *Tier) lacking(busiest *destination) []*destination {
	places := busiest.cap.places()
	if places < 2 { // one connection may be shared by all requests
		return []*destination{busiest}
	}
	var holding []*destination
	for _, d := range t.destinations {
		if d != busiest && d.cap.keeps(places) && !(d.slowness() >= slow) {
			holding = append(holding, d)
		}
	}
	if len(holding) > 0 && busiest.cap.inUse() < filled && !busiest.cap.severalCalls() {
		return holding
	}
	return append(holding, busiest)
}

// filled is the share of the time for which places carry a call that leaves no room for more calls.
const filled = 0.85

// waitsForPlace is a charge for waiting for a place at a destination that is not slow, as far as is known here. If the
// destination was always at its limit, it was never seen what its calls take when there is little to do.
func (t *Tier) waitsForPlace(d *destination) Charge {
	if d.slowness() < quick && !t.isFull(d.to) {
		return Charge{Cause: SoftResource, To: d.to}
	}
	return Charge{Cause: Place, To: d.to}
}

// places is the number of calls or connections that are the limit: the cap, or the number of connections if all are in
// rotation.
func (l *limit) places() float64 {
	if n, ok := l.found(); ok {
		return n
	}
	return l.open
}

// keeps reports whether there are exactly so many connections, all of them kept by requests that make several calls
// each, and none is left over.
func (l *limit) keeps(places float64) bool {
	return l.open == places && l.rotate() && l.severalCalls()
}

// severalCalls reports whether each request makes several calls while requests press.
func (l *limit) severalCalls() bool { return l.completed > 0 && l.begun >= several*l.completed }

const several = 1.5

// settleItself charges requests that wait for this tier itself. They wait for what this tier lacks, processors or
// places; or for a tier that is slow and holds those places.
func (t *Tier) settleItself(p *pending, j *Judged) {
	for i := range j.Charges {
		c := &j.Charges[i]
		place := c.Cause == Behind || c.Cause == Place || c.Cause == SoftResource
		if !place || c.To == "" || !t.destination(c.To).itself {
			continue
		}
		c.Cause, c.To = SoftResource, ""
		if t.full(p.Index) {
			c.Cause = Demand
		}
		for k := range p.outstanding {
			if d := t.destinations[k]; !d.itself && t.waitAtSlow(p, k, 0) {
				c.Cause, c.To = Behind, d.to
			}
		}
	}
}
