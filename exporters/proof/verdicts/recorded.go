// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"maps"
	"slices"
	"sort"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/monitor/recording"
)

// recorded is a recording as it is judged again.
type recorded struct {
	recordedRun
	begin     time.Time // of the load
	said      []recordedSaid
	before    []evaluation // what the rules said at the time
	exporters []*witness
}

// witness is an exporter of a recording.
type witness struct {
	name    string
	told    []recording.Line
	scrapes []int64 // ms
}

var errNothingTold = errors.New("it does not hold what the judges were told, as exporters write it down since they " +
	"have --record.file")

// read reads a recording: of one of these runs, or one that an exporter wrote anywhere else (--record.file).
func read(file string) (*recorded, error) {
	var r recorded
	err := eachLine(file, func(line recordedLine) {
		switch {
		case line.Recorded(): // the file is an exporter's own
			w := r.witness("exporter")
			w.told = append(w.told, line.Line)
		case line.Run != nil:
			r.recordedRun, r.begin = *line.Run, time.UnixMilli(line.T)
		case line.Said != nil:
			r.said = append(r.said, *line.Said)
		case line.Told != nil:
			w := r.witness(line.By)
			w.told = append(w.told, *line.Told)
		case line.Scrapes != nil:
			r.witness(line.Scrapes.By).scrapes = line.Scrapes.At
		case line.Verdicts != nil:
			r.before = append(r.before, evaluation{at: time.UnixMilli(line.T), verdicts: line.Verdicts})
		}
	})
	if err != nil {
		return nil, err
	}
	if len(r.exporters) == 0 {
		return nil, errNothingTold
	}
	if r.begin.IsZero() {
		r.begin = time.UnixMilli(r.exporters[0].told[0].At)
	}
	return &r, nil
}

func (r *recorded) witness(name string) *witness {
	i := slices.IndexFunc(r.exporters, func(w *witness) bool { return w.name == name })
	if i < 0 {
		i = len(r.exporters)
		r.exporters = append(r.exporters, &witness{name: name})
	}
	return r.exporters[i]
}

// apps are the applications that are judged: the one of the run or, of a recording from elsewhere, all that had
// requests.
func (r *recorded) apps() []string {
	if r.App != "" {
		return []string{r.App}
	}
	seen := make(map[string]bool)
	for _, w := range r.exporters {
		for _, l := range w.told {
			if l.Windows != nil {
				for _, t := range l.Windows.Tiers {
					seen[t.App] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// saidAt is what the rules said at the time; false if that is not in the recording.
func (r *recorded) saidAt(t time.Time) ([]verdict, bool) {
	for _, e := range r.before {
		if e.at.Sub(t).Abs() < evaluationInterval/2 {
			return e.verdicts, true
		}
	}
	return nil, false
}

// asked reports whether an evaluation is the last one before a multiple of some interval.
func (r *recorded) asked(all []evaluation, i int, every time.Duration) bool {
	at := all[i].at.Sub(r.begin)
	next := (at + every - 1).Truncate(every)
	return at > 0 && next-at < evaluationInterval && (i+1 == len(all) || all[i+1].at.Sub(r.begin) > next)
}

// doubtAt reports whether the truth was in doubt.
func (r *recorded) doubtAt(at time.Duration) bool {
	for _, s := range r.said {
		if d := s.At - at.Seconds(); d >= 0 && d < interval.Seconds() {
			return s.Doubt
		}
	}
	return false
}

// evaluationTimes are those of the rules or, if they are not known, every 5 s. Rules do not look at what was scraped in
// the half a second before, so that a time just after a scrape would be the worst of all: it is a little later then.
func (r *recorded) evaluationTimes() (out []time.Time) {
	for _, e := range r.before {
		out = append(out, e.at)
	}
	if out != nil {
		return out
	}
	last := r.begin
	for _, w := range r.exporters {
		if end := time.UnixMilli(w.told[len(w.told)-1].At); end.After(last) {
			last = end
		}
	}
	first := r.begin.Add(evaluationInterval)
	scrape := time.UnixMilli(r.exporters[0].scrapeTimes()[0])
	if age := (first.Sub(scrape)%evaluationInterval + evaluationInterval) % evaluationInterval; age < notRead {
		first = first.Add(notRead - age)
	}
	for t := first; !t.After(last); t = t.Add(evaluationInterval) {
		out = append(out, t)
	}
	return out
}

// notRead is for how long rules do not look at a scrape, rounded up to the grid of promtool's scrapes.
const notRead = 750 * time.Millisecond

// scrapeTimes are those of Prometheus or, if they are not known, every 5 s.
func (w *witness) scrapeTimes() []int64 {
	if w.scrapes != nil {
		return w.scrapes
	}
	var out []int64
	for t := w.told[0].At; t <= w.told[len(w.told)-1].At; t += evaluationInterval.Milliseconds() {
		out = append(out, t)
	}
	return out
}

// apart leaves out the scrapes that come too soon after another one, as if Prometheus had been told to scrape less
// often.
func apart(scrapes []int64, least time.Duration) (out []int64) {
	for _, at := range scrapes {
		if len(out) == 0 || at-out[len(out)-1] >= least.Milliseconds()-notRead.Milliseconds() {
			out = append(out, at)
		}
	}
	return out
}

// until is the end of the input that the judges had when a scrape that began at a time, in ms, was answered; from is
// the end for the scrape before.
func (w *witness) until(from int, at int64) int {
	for i := from; i < len(w.told) && w.told[i].At < at+answered; i++ {
		if w.told[i].Asked && w.told[i].At >= at {
			return i
		}
	}
	n := len(w.told) - from
	return from + sort.Search(n, func(i int) bool { return w.told[from+i].At > at })
}

// answered is the time in ms within which scrapes are.
const answered = 2000
