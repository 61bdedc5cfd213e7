// SPDX-License-Identifier: Apache-2.0

package main

import (
	"compress/gzip"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/monitor/judging"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/recording"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// compacted is the name of a recording's compact form in a directory.
func compacted(directory, file string) string {
	name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file), ".gz"), ".jsonl")
	return filepath.Join(directory, name+".jsonl.gz")
}

// compact writes a recording with no more than is needed to judge its application again, in fewer digits. The
// recording itself is shortened by that.
func (rec *recorded) compact(file string) (err error) {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	packed, _ := gzip.NewWriterLevel(f, gzip.BestCompression)
	defer func() { err = errors.Join(err, packed.Close(), f.Close()) }()
	r := &recorder{file: packed}
	r.add(rec.begin, "run", rec.recordedRun)
	for _, s := range rec.said {
		r.add(rec.begin, "said", s)
	}
	for _, w := range rec.exporters {
		for _, l := range w.told {
			if l, needed := rec.needed(l); needed {
				err = errors.Join(err, r.write(map[string]any{"by": w.name, "told": l}))
			}
		}
		r.add(rec.begin, "scrapes", scrapes{w.name, w.scrapes})
	}
	for _, e := range rec.before {
		r.add(e.at, "verdicts", e.verdicts)
	}
	return err
}

// needed is the part of a line about the recording's application, up to the last verdict of the rules.
func (rec *recorded) needed(l recording.Line) (recording.Line, bool) {
	if n := len(rec.before); n > 0 && l.At > rec.before[n-1].at.UnixMilli() {
		return l, false
	}
	l.Known = slices.DeleteFunc(l.Known, func(k recording.Known) bool { return k.App != rec.App })
	l.Found = slices.DeleteFunc(l.Found, func(f judging.Fact) bool { return f.App != rec.App })
	l.Loads = slices.DeleteFunc(l.Loads, func(l recording.Load) bool { return l.App != rec.App })
	for i := range l.Loads {
		shortenLoad(&l.Loads[i])
	}
	l.Answers = slices.DeleteFunc(l.Answers, func(a recording.Answers) bool { return a.App != rec.App })
	for i := range l.Answers {
		a := &l.Answers[i]
		a.Seconds, a.Quick, a.Long, a.Typical = exact(a.Seconds), exact(a.Quick), exact(a.Long), exact(a.Typical)
		a.Center, a.Chance, a.Effective = short(a.Center), exact(a.Chance), short(a.Effective)
		t := &a.Times
		t.Seconds, t.Quartile, t.Median = exact(t.Seconds), exact(t.Quartile), exact(t.Median)
	}
	if w := l.Windows; w != nil {
		w.Tiers = slices.DeleteFunc(w.Tiers, func(t recording.Tier) bool { return t.App != rec.App })
		w.Edges = slices.DeleteFunc(w.Edges, func(e recording.Edge) bool { return e.App != rec.App })
		for i := range w.Tiers {
			shortenTier(&w.Tiers[i])
		}
		for i := range w.Edges {
			shortenWindow(&w.Edges[i].Window)
		}
	}
	about := len(l.Known) + len(l.Found) + len(l.Loads) + len(l.Answers)
	return l, about > 0 || l.Begin != nil || l.Gone != nil || l.Windows != nil || l.Asked
}

// A compact form has thousandths, of requests as of processors.
const digits = 1000

func short(v float64) float64 { return math.Round(v*digits) / digits }

// exact has microseconds: many requests take less than a millisecond.
func exact(v float64) float64 { return math.Round(v*1e6) / 1e6 }

func shortenLoad(l *recording.Load) {
	for _, f := range []*recording.Figure{&l.Cores, &l.Used, &l.Busy, &l.Thread} {
		*f = recording.Figure(short(float64(*f)))
	}
	l.Others, l.Disk, l.Waiting = short(l.Others), short(l.Disk), short(l.Waiting)
}

func shortenTier(t *recording.Tier) {
	shortenWindow(&t.Window)
	t.GC, t.Quota = recording.Figure(short(float64(t.GC))), short(t.Quota)
	if w := t.Work; w != nil {
		for _, v := range []*float64{&w.Ran, &w.Waited, &w.Taken, &w.Disk, &w.Asleep, &w.Unaccepted, &w.Refused,
			&w.Stopped} {
			*v = short(*v)
		}
	}
}

// shortenWindow leaves out fields that no verdict depends on.
func shortenWindow(w *window.Window) {
	w.Residence, w.Gaps = 0, 0
	const unit = int64(windowMillis * time.Millisecond / digits)
	for _, v := range []*int64{&w.QueueTime, &w.ConnectionTime, &w.GapTime} {
		*v = (*v + unit/2) / unit * unit
	}
}
