// SPDX-License-Identifier: Apache-2.0

package judgement

import "time"

// ceased finds that no calls to a destination begin any more, though connections to it are open, none of them carries
// a call, and as many requests wait in the tier as should have called since, while the tier goes on with others. So
// they wait for what they need to call: a pool whose connections were all taken and never given back (a leak), or that
// is held by something else. Soon they have all of the tier's workers, and nothing goes on any more.
type ceased struct {
	usual, usualDone float64 // in a window, as a mean over some seconds before that: calls begun; what left the tier
	missed           float64 // calls that should have begun since the last one
	windows, done    float64 // since then: windows; what left the tier
	before           float64 // requests that waited at that time
	found            bool    // no call began since it was found
}

// look takes a window: the calls, how many of them are outstanding, and what the whole tier got done in it. It reports
// whether the requests that wait are those that should have called.
func (c *ceased) look(calls Calls, outstanding, done, waiting float64, width time.Duration) bool {
	if calls.Begun > 0 || outstanding > 0 || calls.Connections == 0 {
		c.missed, c.windows, c.done, c.before, c.found = 0, 0, 0, waiting, false
	}
	c.windows++
	c.done += done
	weight := 1 - remaining(width, ceasedMemory)
	second := c.usual / width.Seconds()
	switch {
	case c.missed < enoughMissed:
		c.usual += (calls.Begun - c.usual) * weight
		c.usualDone += (done - c.usualDone) * weight
	case waiting < max(1, second/4): // the tier does without these calls
		c.usual -= c.usual * weight
	}
	if second < 1 {
		c.missed, c.found = 0, false
	}
	c.missed += c.usual
	c.found = c.found || c.missed >= max(enoughMissed, second) && waiting-c.before >= second/2 &&
		c.done >= goesOn*c.usualDone*c.windows
	return c.found
}

const (
	ceasedMemory = 10 * time.Second // half-life
	enoughMissed = 20               // calls, so that it is no chance
	goesOn       = 0.1              // of what usually leaves the tier: it does not stand still
)

// mayBePatient reports whether the requests in the tier may wait on purpose, and not for what is lacking.
func (t *Tier) mayBePatient(p *pending) bool { return !p.lost() && t.patience.unaccounted() }

// lost reports whether places are taken for good: those to call a destination, or all of the tier (jam.go).
func (p *pending) lost() bool { return p.ceased != "" || p.jammed }

// noteCeased takes a window of all destinations. Requests may also wait for a program out of sight.
func (t *Tier) noteCeased(p *pending, waiting float64) {
	done, under := p.done(), 0.0
	for _, n := range p.outstanding {
		under += n
	}
	for i, d := range t.destinations {
		was := d.ceased.found
		found := d.ceased.look(p.calls[i], p.outstanding[i], done, waiting, t.width)
		if found && !was && under >= p.calls[i].Connections {
			d.ceased.found, found = false, false // requests that wait for another tier may have them
		}
		if found && p.ceased == "" && !t.callsUnseen() {
			p.ceased = d.to
		}
	}
}
