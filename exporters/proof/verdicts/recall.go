// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nstar-project/nstar/exporters/nstar/judgement"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// Aims for the windows of stops, from the first second on: the share of the windows that lie fully in a stop
// with a waiting request and are judged frozen, and the share of the windows judged frozen that touch a stop.
const (
	recallAim    = 0.97
	precisionAim = 0.99
)

// pause is a time in which a tier is known to have stood still, in ms.
type pause struct{ begin, end int64 }

// standstill is what a recording says about one tier that stood still: windows by the end of each, in ms.
type standstill struct {
	pauses []pause
	queue  map[int64]float64
	state  map[int64]float64
	gc     map[int64]float64 // share of the window in garbage collection, as the JVM counts it
}

const windowMillis = 50

// stopped compares the windows that were judged frozen with the stops that were made, for each recording with stops:
// SIGSTOP as it was sent, and collections as the JVM counts them.
func stopped(r *figures.Report, dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		return err
	}
	r.Section("Frozen windows against the stops that were made")
	for _, file := range files {
		tiers, err := episodes(file)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		for tier, e := range tiers {
			name := strings.TrimSuffix(filepath.Base(file), ".jsonl") + ", " + tier
			if len(e.pauses) > 0 {
				e.compare(r, name, e.inPause, e.nearPause)
			} else {
				e.compare(r, name+" (collections)", func(t int64) bool { return e.gc[t] >= whole },
					func(t int64) bool { return e.gc[t] > 0 })
			}
		}
	}
	return nil
}

// whole is the share of a window that lies completely in a collection, apart from rounding.
const whole = 0.999

// episodes finds the tiers of a recording that were stopped or collect garbage.
func episodes(file string) (map[string]*standstill, error) {
	all := make(map[string]*standstill)
	of := func(tier string) *standstill {
		if all[tier] == nil {
			all[tier] = &standstill{
				queue: make(map[int64]float64), state: make(map[int64]float64), gc: make(map[int64]float64),
			}
		}
		return all[tier]
	}
	err := eachLine(file, func(line recordedLine) {
		if s := line.Stop; s != nil {
			e := of(s.Tier)
			e.pauses = append(e.pauses, pause{s.Begin.UnixMilli(), s.End.UnixMilli()})
		}
		for key, v := range line.V {
			name, tier, ok := strings.Cut(strings.TrimSuffix(key, "}"), "{")
			switch {
			case !ok || strings.Contains(tier, ">"):
			case name == "queue_length":
				of(tier).queue[line.T] = v
			case name == "state":
				of(tier).state[line.T] = v
			case name == "gc_ratio":
				of(tier).gc[line.T] = v
			}
		}
	})
	for tier, e := range all {
		collects := slices.ContainsFunc(slices.Collect(maps.Values(e.gc)), func(v float64) bool { return v >= whole })
		if len(e.pauses) == 0 && !collects {
			delete(all, tier)
		}
	}
	return all, err
}

// inPause reports whether a window lies completely in a stop.
func (e *standstill) inPause(end int64) bool {
	return slices.ContainsFunc(e.pauses, func(p pause) bool { return p.begin <= end-windowMillis && end <= p.end })
}

// nearPause reports whether a window touches a stop or the window after it, in which requests that continue have
// not left yet.
func (e *standstill) nearPause(end int64) bool {
	return slices.ContainsFunc(e.pauses, func(p pause) bool {
		return end > p.begin && end-windowMillis < p.end+windowMillis
	})
}

func (e *standstill) compare(r *figures.Report, name string, in, near func(int64) bool) {
	full, found, said, outside := 0, 0, 0, 0
	for end, state := range e.state {
		frozen := state == float64(judgement.Frozen)
		if in(end) && e.queue[end] >= 1 {
			full++
			if frozen {
				found++
			}
		}
		if frozen {
			said++
			if !near(end) {
				outside++
			}
		}
	}
	if full == 0 {
		return
	}
	recall, precision := float64(found)/float64(full), 1-float64(outside)/float64(max(said, 1))
	r.Check(recall >= recallAim && precision >= precisionAim,
		"%s: of %d windows fully in a stop, with a request, %.1f %% found (at least %.0f); of %d said to be frozen "+
			"%.1f %% were (at least %.0f)",
		name, full, 100*recall, 100*recallAim, said, 100*precision, 100*precisionAim)
}
