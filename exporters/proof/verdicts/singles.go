// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/judgement"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/recording"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/replay"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// foundAim is the share of single stops that must be found, of the stops that a request met.
const foundAim = 0.99

// straysShown are how many of the windows that were said to be of a stop, and are of none, are printed.
const straysShown = 20

// singles counts single stops: a stop is found if a window that it touches, or the one after it, was said to be frozen
// or was charged with a stop or a collection.
type singles struct {
	met, found int // stops that a request met, and of these those that were found
	unmet      int
	missed     []string
	said, away int // windows that were said to be frozen or were charged so, and of these those without a stop before
	strays     []string
}

// halted is the judgement of the windows of a tier, by the end of each, in ms.
type halted struct {
	queue map[int64]float64       // requests, as a time average
	said  map[int64]time.Duration // judged as part of a stop that ended at most this long before it
}

// take compares stops with the judgement of each window by an exporter's judges, from their recorded input. It also
// compares their judgement with the stops and the safepoints of virtual machines, apart from the times in which
// something else was done to a tier.
func (f *singles) take(told []recording.Line, app string, stops, safepoints, busy []episode) error {
	tiers, err := judgedAgain(told, app)
	if err != nil {
		return err
	}
	for _, s := range stops {
		if t := tiers[s.Tier]; t != nil {
			f.count(t, s)
		}
	}
	f.hold(tiers, slices.Concat(stops, safepoints), busy)
	return nil
}

// hold compares the judgement of windows with the real stops.
func (f *singles) hold(tiers map[string]*halted, stops, busy []episode) {
	for name, t := range tiers {
		for end, after := range t.said {
			if slices.ContainsFunc(busy, func(e episode) bool { return e.within(end, 0) }) {
				continue
			}
			f.said++
			if !slices.ContainsFunc(stops, func(e episode) bool { return e.Tier == name && e.within(end, after) }) {
				f.away++
				f.strays = append(f.strays, fmt.Sprintf("%s at %s", name, time.UnixMilli(end).Format("15:04:05.000")))
			}
		}
	}
}

// within reports whether a window touches the stop or the time after it.
func (e episode) within(end int64, after time.Duration) bool {
	return end > e.Begin.UnixMilli() && end-windowMillis < e.End.Add(after).UnixMilli()
}

// count adds a stop. Requests that came to a tier in it are told by the windows that it touches.
func (f *singles) count(t *halted, e episode) {
	met, seen := false, false
	for end, queue := range t.queue {
		if e.within(end, windowMillis*time.Millisecond) {
			met = met || queue > 0
			seen = seen || t.said[end] > 0
		}
	}
	switch {
	case !met:
		f.unmet++
		return
	case seen:
		f.found++
	default:
		f.missed = append(f.missed, fmt.Sprintf("%s at %s for %d ms", e.Tier, e.Begin.Format("15:04:05.000"),
			e.End.Sub(e.Begin).Milliseconds()))
	}
	f.met++
}

func (f *singles) print(r *figures.Report) {
	if f.met == 0 {
		return
	}
	r.Section("Each single stop of %d to %d ms", shortestHalt.Milliseconds(), longestHalt.Milliseconds())
	for _, one := range f.missed {
		r.Note("missed: %s", one)
	}
	r.Note("stops that no request met: %d", f.unmet)
	slices.Sort(f.strays)
	for _, one := range f.strays[:min(len(f.strays), straysShown)] {
		r.Note("said without a stop: %s", one)
	}
	share := float64(f.found) / float64(f.met)
	r.Check(share >= foundAim, "stops that were found: %d of %d, %.1f %% (at least %.0f %%)", f.found, f.met, 100*share,
		100*foundAim)
	right := f.said - f.away
	share = float64(right) / float64(max(f.said, 1))
	r.Check(share >= precisionAim, "windows that were said to be frozen at a stop that was made or is in the JVM's "+
		"log, or charged with one less than %s before: %d of %d, %.1f %% (at least %.0f %%)", haltEvery, right, f.said,
		100*share, 100*precisionAim)
}

// judgedAgain gives judges the input of an exporter's judges, and returns their judgement of each window of an
// application, by tier.
func judgedAgain(told []recording.Line, app string) (map[string]*halted, error) {
	if len(told) == 0 || told[0].Begin == nil {
		return nil, errNothingTold
	}
	player := replay.New(*told[0].Begin)
	tiers := make(map[string]*halted)
	of := func(name string) *halted {
		if tiers[name] == nil {
			tiers[name] = &halted{queue: make(map[int64]float64), said: make(map[int64]time.Duration)}
		}
		return tiers[name]
	}
	player.Judged = func(tier discovery.TierName, j judgement.Judged) {
		if after := ofStop(j); tier.App == app && after > 0 {
			of(tier.Tier).said[ending(j.Index, player.Width)] = after
		}
	}
	for _, line := range told {
		if line.Windows != nil {
			for _, t := range line.Windows.Tiers {
				if t.App == app {
					of(t.Tier).queue[ending(line.Windows.Index, player.Width)] = t.Queue(player.Width)
				}
			}
		}
		player.Take(line)
	}
	return tiers, nil
}

// ending is a window's end in ms since 1970.
func ending(index int64, width time.Duration) int64 { return (index + 1) * width.Milliseconds() }

// ofStop is how long before a window its stop may have ended, if the window is judged as part of a stop: the tier
// stood still itself, or waits for what a stop left behind. 0: it is not judged as part of a stop.
func ofStop(j judgement.Judged) time.Duration {
	switch {
	case j.State == judgement.Frozen:
		return windowMillis * time.Millisecond
	case slices.ContainsFunc(j.Charges, func(c judgement.Charge) bool {
		return c.Queue > 0 && (c.Cause == judgement.Stopped || c.Cause == judgement.GarbageCollection)
	}):
		return haltEvery
	}
	return 0
}
