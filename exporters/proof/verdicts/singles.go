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

// foundAim is how many of the single stops are found, of those that a request met.
const foundAim = 0.99

// singles counts single stops: a stop is found if a window that it touches, or the one after it, was said to be frozen or
// was charged with a stop or a collection.
type singles struct {
	met, found int // stops that a request met, and of these those that were found
	unmet      int
	missed     []string
	said, away int // windows that were said to be frozen or were charged so, and of these those without a stop before
}

// halted is what was judged of the windows of a tier, by the end of each, in ms.
type halted struct {
	queue map[int64]float64 // requests, as a time average
	said  map[int64]bool    // it was frozen, or charged with a stop or a collection
}

// take holds stops against what an exporter's judges say of each window, by what they were told.
func (f *singles) take(told []recording.Line, app string, stops []episode) error {
	tiers, err := judgedAgain(told, app)
	if err != nil {
		return err
	}
	for _, s := range stops {
		if t := tiers[s.Tier]; t != nil {
			f.count(t, s)
		}
	}
	for name, t := range tiers {
		if !slices.ContainsFunc(stops, func(s episode) bool { return s.Tier == name }) {
			continue // it has collections of its own
		}
		for end := range t.said {
			f.said++
			if !slices.ContainsFunc(stops, func(s episode) bool { return s.Tier == name && s.within(end, haltEvery) }) {
				f.away++
			}
		}
	}
	return nil
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
			seen = seen || t.said[end]
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
	r.Note("windows that were said to be frozen, or charged with a stop or a collection: %d, "+
		"of which %d are not within %s after one", f.said, f.away, haltEvery)
	share := float64(f.found) / float64(f.met)
	r.Check(share >= foundAim, "stops that were found: %d of %d, %.1f %% (at least %.0f %%)", f.found, f.met, 100*share,
		100*foundAim)
}

// judgedAgain has judges told what an exporter's were, and returns what they say of each window of an application, by
// tier.
func judgedAgain(told []recording.Line, app string) (map[string]*halted, error) {
	if len(told) == 0 || told[0].Begin == nil {
		return nil, errNothingTold
	}
	player := replay.New(*told[0].Begin)
	tiers := make(map[string]*halted)
	of := func(name string) *halted {
		if tiers[name] == nil {
			tiers[name] = &halted{queue: make(map[int64]float64), said: make(map[int64]bool)}
		}
		return tiers[name]
	}
	player.Judged = func(tier discovery.TierName, j judgement.Judged) {
		if tier.App == app && ofStop(j) {
			of(tier.Tier).said[ending(j.Index, player.Width)] = true
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

// ofStop reports whether a window is said to be of a stop.
func ofStop(j judgement.Judged) bool {
	return j.State == judgement.Frozen || slices.ContainsFunc(j.Charges, func(c judgement.Charge) bool {
		return c.Queue > 0 && (c.Cause == judgement.Stopped || c.Cause == judgement.GarbageCollection)
	})
}
