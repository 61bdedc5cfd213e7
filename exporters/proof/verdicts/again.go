// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/monitor/replay"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// again is how recordings are judged again.
type again struct {
	promtool, rules string
	every, scrapes  time.Duration
	compact         string    // directory for compact forms; empty: none are made
	queries         []string  // whose answers are printed, too
	scores          [2]shares // as it was recorded, as it is judged now
	same, all       int       // verdicts of evaluations, every 5 s
}

// judgeAgain judges recordings with the present judgement and rules, and prints the present verdicts beside the
// recorded ones.
func judgeAgain(r *figures.Report, pattern string, a again) error {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		return cmp.Or(err, fmt.Errorf("%s: there is no such recording", pattern))
	}
	left := 0
	for _, file := range files {
		r.Section("%s", filepath.Base(file))
		rec, err := read(file)
		if errors.Is(err, errNothingTold) {
			r.Note("not judged: %v", err)
			left++
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		for _, w := range rec.exporters {
			if a.scrapes > 0 && len(w.told) > 0 {
				w.scrapes = apart(w.scrapeTimes(), a.scrapes)
			}
		}
		for _, app := range rec.apps() {
			if err := a.one(r, rec, app); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
		}
		if a.compact != "" {
			if err := a.shrink(r, rec, compacted(a.compact, file)); err != nil {
				return err
			}
		}
	}
	r.Section("%d recordings, %d of them not judged", len(files), left)
	r.Note("%-7s %6s  %s", "", "points", strings.Join(gradeNames[:unclear], " | "))
	r.Note("%-7s %6d  %s", "before", a.scores[0].all, a.scores[0].line())
	r.Note("%-7s %6d  %s", "now", a.scores[1].all, a.scores[1].line())
	r.Note("of %d verdicts, every 5 s, %d are as they were", a.all, a.same)
	return nil
}

// shrink writes the compact form of a recording, of which the same must be said.
func (a *again) shrink(r *figures.Report, rec *recorded, file string) error {
	want, err := rec.judge(rec.App, a.promtool, a.rules, nil)
	if err != nil {
		return err
	}
	if err := rec.compact(file); err != nil {
		return err
	}
	small, err := read(file)
	if err != nil {
		return err
	}
	got, err := small.judge(rec.App, a.promtool, a.rules, nil)
	if err != nil {
		return err
	}
	same := 0
	for i := range got {
		if sameVerdict(got[i].verdicts, want[i].verdicts) {
			same++
		}
	}
	r.Note("compact form: %d of %d verdicts are the same", same, len(want))
	return nil
}

// one judges an application of a recording.
func (a *again) one(r *figures.Report, rec *recorded, app string) error {
	now, err := rec.judge(app, a.promtool, a.rules, a.queries)
	if err != nil {
		return err
	}
	r.Note("%s; true is %s", app, strings.Join(rec.Expect.strings(), ", "))
	for i, e := range now {
		before, known := rec.saidAt(e.at)
		if known {
			a.all++
			if sameVerdict(before, e.verdicts) {
				a.same++
			}
		}
		at := e.at.Sub(rec.begin)
		if a.every > evaluationInterval && !rec.asked(now, i, a.every) {
			continue
		}
		line := fmt.Sprintf("%4.0f s", at.Round(second).Seconds())
		for k, said := range [][]verdict{before, e.verdicts} {
			when := [...]string{"before", "now"}[k]
			line += fmt.Sprintf("  %-6s %-11s %-52s", when, a.score(k, rec, at, said), text(said))
		}
		r.Note("%s  %s", line, e.blamed())
		for _, answer := range e.answers {
			r.Note("        %s", answer)
		}
	}
	return nil
}

// score grades a verdict, and counts it.
func (a *again) score(k int, rec *recorded, at time.Duration, said []verdict) string {
	if rec.Expect == nil {
		return ""
	}
	p := point{at: at, said: said, grade: rec.grade(at, said)}
	if p.counts() {
		a.scores[k].all++
		a.scores[k].counts[p.grade]++
	}
	return p.grade.String()
}

// grade grades a verdict as it was graded then.
func (rec *recorded) grade(at time.Duration, said []verdict) grade {
	g := rec.Expect.judge(at, said)
	if rec.doubtAt(at) && rec.Expect.inDoubt(at, said, g) {
		return unclear
	}
	return g
}

func text(said []verdict) string {
	var out []string
	for _, v := range said {
		out = append(out, fmt.Sprintf("%s %.2f", v, v.Share))
	}
	return strings.Join(out, " AND ")
}

func sameVerdict(a, b []verdict) bool {
	name := func(all []verdict) (out []string) {
		for _, v := range all {
			out = append(out, v.String())
		}
		slices.Sort(out)
		return out
	}
	return slices.Equal(name(a), name(b))
}

// evaluationInterval is that of the rules.
const evaluationInterval = 5 * time.Second

// judge gives the present judgement all the input that the judges of the recording had, and evaluates the present
// rules on the result, at the same times, and the queries.
func (rec *recorded) judge(app, promtool, rules string, queries []string) ([]evaluation, error) {
	t, err := newRuleTest(rec.evaluationTimes(), rules, queries)
	if err != nil {
		return nil, err
	}
	for _, w := range rec.exporters {
		if len(w.told) == 0 || w.told[0].Begin == nil {
			return nil, fmt.Errorf("%s: %w", w.name, errNothingTold)
		}
		player := replay.New(*w.told[0].Begin)
		next := 0
		for _, at := range w.scrapeTimes() {
			for end := w.until(next, at); next < end; next++ {
				player.Take(w.told[next])
			}
			if err := t.scrape(player, w.name, app, at); err != nil {
				return nil, err
			}
		}
	}
	return t.run(promtool)
}
