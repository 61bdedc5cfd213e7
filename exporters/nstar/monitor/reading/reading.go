// SPDX-License-Identifier: Apache-2.0

// Package reading takes the windows that have settled from the kernel side and adds them up. It also checks the counts
// that are carried from window to window against those over the sockets.
package reading

import (
	"log/slog"
	"maps"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/clock"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Probe is the kernel side. It is implemented by *probe.Probe, which documents the methods.
type Probe interface {
	Ring() int
	SetClock(offset time.Duration) error
	Sums(station window.Station, position int) window.Sums
	Residences(tier window.Station) probe.Residences
	Count() (probe.Counts, error)
}

// Reader reads the windows of all stations. It is not safe for concurrent use.
type Reader struct {
	width      time.Duration
	probe      Probe
	log        *slog.Logger
	offset     *clock.Offset
	settler    *window.Settler
	totals     map[window.Station]*window.Totals
	residences map[window.Station]probe.Residences // of the tier that had the number before
	drift      map[carriage]int64
	drifted    map[carriage]drifting
	lost       uint64
	corrected  uint64
}

// New makes a reader for windows of the given width, which settle so long after their end. It begins with the window
// under way. now is monotonic, and offset is that of the window clock.
func New(width, settle time.Duration, p Probe, offset *clock.Offset, now time.Duration, log *slog.Logger) *Reader {
	return &Reader{
		width: width, probe: p, log: log, offset: offset,
		settler:    window.NewSettler(width, settle, p.Ring(), now+offset.Value()),
		totals:     make(map[window.Station]*window.Totals),
		residences: make(map[window.Station]probe.Residences),
		drift:      make(map[carriage]int64),
		drifted:    make(map[carriage]drifting),
	}
}

// Begin gives a number to another station. What its slots hold so far belongs to the station before.
func (r *Reader) Begin(n window.Station) { r.settler.Begin(n, r.probe.Sums) }

// BeginTier is Begin for a tier, for which residence times are counted, too.
func (r *Reader) BeginTier(n window.Station) {
	r.Begin(n)
	r.residences[n] = r.probe.Residences(n)
	r.totals[n] = &window.Totals{}
}

// Forget drops what was added up for the station of a number.
func (r *Reader) Forget(n window.Station) {
	delete(r.totals, n)
	for _, connections := range []bool{false, true} {
		delete(r.drift, carriage{n, connections})
		delete(r.drifted, carriage{n, connections})
	}
}

// FollowClock makes the window clock follow the wall clock; both times are now. It returns the offset of the window
// clock to the monotonic clock.
func (r *Reader) FollowClock(wall, monotonic time.Duration) (offset time.Duration) {
	if r.offset.Follow(wall, monotonic) {
		r.log.Warn("The wall clock was set: some windows are lost, counters go on")
		r.settler.ClockSet()
	}
	if err := r.probe.SetClock(r.offset.Value()); err != nil {
		r.log.Warn("The window clock can't be set", "err", err)
	}
	return r.offset.Value()
}

// Offset is the offset of the window clock to the monotonic clock.
func (r *Reader) Offset() time.Duration { return r.offset.Value() }

// Read hands out the windows that have settled by now (monotonic). Windows of one time come together, in the order of
// the given stations, and are already in the totals. The slice is used again for the next time.
func (r *Reader) Read(now time.Duration, stations []window.Station, out func([]window.Window)) {
	var together []window.Window
	r.lost += uint64(r.settler.Settle(now+r.offset.Value(), stations, r.probe.Sums, func(w window.Window) {
		r.count(w)
		if len(together) > 0 && together[0].Index != w.Index {
			out(together)
			together = together[:0]
		}
		together = append(together, w)
	}))
	if len(together) > 0 {
		out(together)
	}
}

func (r *Reader) count(w window.Window) {
	t := r.totals[w.Station]
	if t == nil {
		t = &window.Totals{}
		r.totals[w.Station] = t
	}
	t.Add(w, r.width)
}

// Totals are the sums over a station's windows.
func (r *Reader) Totals(n window.Station) window.Totals {
	t := r.totals[n]
	if t == nil {
		return window.Totals{}
	}
	c := *t
	c.Load = maps.Clone(t.Load)
	return c
}

// Seen returns the number of requests in a station's windows so far, and of its windows without a request.
func (r *Reader) Seen(n window.Station) (arrivals, idle uint64) {
	if t := r.totals[n]; t != nil {
		return t.Arrivals, t.Load.Idle()
	}
	return 0, 0
}

// Residences are the residence times of a tier's requests.
func (r *Reader) Residences(n window.Station) probe.Residences {
	return r.probe.Residences(n).Sub(r.residences[n])
}

// Carried is the number of requests in a station's queue now.
func (r *Reader) Carried(n window.Station) int64 { return r.settler.Carried(n, r.probe.Sums) }

// Lost is how many windows could not be told apart.
func (r *Reader) Lost() uint64 { return r.lost }
