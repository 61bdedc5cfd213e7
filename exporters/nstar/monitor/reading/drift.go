// SPDX-License-Identifier: Apache-2.0

package reading

import (
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// carriage identifies a count that is carried from window to window and can be counted anew over the sockets: the
// requests in flight of a tier or an edge, or the open connections.
type carriage struct {
	station     window.Station
	connections bool
}

// Correction is the amount by which a carried count was corrected.
type Correction struct {
	Station     window.Station
	Connections bool // of the open connections; if false, of the requests in flight
	By          int64
}

// driftTries is how often the two counts are compared before a difference is believed, because the queue changes
// meanwhile.
const driftTries = 5

// CheckDrift compares the carried counts of some stations with those over the sockets. It corrects counts that have
// been wrong for a while and returns these corrections.
func (r *Reader) CheckDrift(stations []window.Station) ([]Correction, error) {
	var drift map[carriage]int64
	for range driftTries {
		before := r.carried(stations)
		counted, err := r.probe.Count()
		if err != nil {
			return nil, err
		}
		seen := differences(before, r.carried(stations), counted)
		if drift == nil {
			drift = seen
		}
		agree := true
		for what, n := range seen {
			if max(n, -n) < max(drift[what], -drift[what]) {
				drift[what] = n
			}
			agree = agree && drift[what] == 0
		}
		if agree {
			break
		}
	}
	corrections := r.correct(drift)
	r.drift = drift
	return corrections, nil
}

// driftChecks is how many checks in a row must find a difference to the same side before a carried count is corrected.
const driftChecks = 4

// drifting is a row of checks that found a difference to the same side.
type drifting struct {
	checks int
	least  int64 // of the differences, the one nearest to zero
}

func (d drifting) add(n int64) drifting {
	if d.checks == 0 || (n > 0) != (d.least > 0) {
		return drifting{1, n}
	}
	if d.checks++; max(n, -n) < max(d.least, -d.least) {
		d.least = n
	}
	return d
}

// correct corrects carried counts that have been off to one side for a while, by what of it was there all the time.
// Requests in flight come and go: a difference that stays is no measuring error, but a missed end.
func (r *Reader) correct(drift map[carriage]int64) (out []Correction) {
	for what, n := range drift {
		if n == 0 {
			delete(r.drifted, what)
			continue
		}
		d := r.drifted[what].add(n)
		r.drifted[what] = d
		if d.checks < driftChecks {
			continue
		}
		if what.connections {
			r.settler.AdjustConnections(what.station, -d.least)
		} else {
			r.settler.Adjust(what.station, -d.least)
		}
		r.corrected += uint64(max(d.least, -d.least))
		out = append(out, Correction{what.station, what.connections, -d.least})
		drift[what] -= d.least
		delete(r.drifted, what)
	}
	return out
}

// Drift is a station's carried count less the requests in flight counted over the sockets, at the last check.
func (r *Reader) Drift(n window.Station) int64 { return r.drift[carriage{n, false}] }

// Corrected is the sum of all corrections, in requests and connections.
func (r *Reader) Corrected() uint64 { return r.corrected }

// differences is by how much the counts lie outside of the range between what was carried before and after counting.
func differences(before, after map[carriage]int64, counted probe.Counts) map[carriage]int64 {
	out := make(map[carriage]int64)
	for what := range before {
		n := int64(counted.InFlight[what.station])
		if what.connections {
			n = int64(counted.Connections[what.station])
		}
		low, high := min(before[what], after[what]), max(before[what], after[what])
		out[what] = min(max(n, low), high) - n
	}
	return out
}

func (r *Reader) carried(stations []window.Station) map[carriage]int64 {
	out := make(map[carriage]int64)
	for _, n := range stations {
		out[carriage{n, false}] = r.settler.Carried(n, r.probe.Sums)
		out[carriage{n, true}] = r.settler.CarriedConnections(n, r.probe.Sums)
	}
	return out
}
