// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// point is one judgement.
type point struct {
	app, scenario, source string
	at                    time.Duration
	said                  []verdict
	grade                 grade
	blame                 string
}

// counts reports whether the point is scored: during warming up, only points with another verdict than learning
// are.
func (p point) counts() bool {
	return p.grade != unclear && (p.at > warmingUp || p.grade != learning)
}

// table collects the judgements of a campaign.
type table struct {
	points   []point
	capacity map[string]float64 // pages/s of an application, as last measured
	began    time.Time
}

func (t *table) note(format string, args ...any) { fmt.Printf("    "+format+"\n", args...) }

func (t *table) begin(c scenario, s *stack) {
	t.began = time.Now()
	fmt.Printf("\n%s %s (capacity %.0f pages/s, a page takes %.1f ms at least); true is %s\n", c.app.name, c.name,
		s.capacity, 1e3*s.base, strings.Join(c.expect.strings(), ", "))
}

func (t *table) score(p point) {
	t.points = append(t.points, p)
	var said []string
	for _, v := range p.said {
		said = append(said, fmt.Sprintf("%s %.2f", v, v.Share))
	}
	t.note("%4.0f s  %-14s %-5s %-11s %s", p.at.Seconds(), p.app, p.source, p.grade, strings.Join(said, " AND "))
	if p.counts() && p.grade != right {
		t.note("        %s", p.blame)
	}
}

// shares are the parts of the points that count.
type shares struct {
	all    int
	counts [grades]int
}

func (t *table) shares(of func(point) bool) shares {
	var s shares
	for _, p := range t.points {
		if of(p) && p.counts() {
			s.all++
			s.counts[p.grade]++
		}
	}
	return s
}

func (s shares) percent(of ...grade) float64 {
	n := 0
	for _, g := range of {
		n += s.counts[g]
	}
	return 100 * float64(n) / float64(max(s.all, 1))
}

// print prints a line per scenario, view and source, the totals, and the aims.
func (t *table) print(r *figures.Report) {
	type row struct{ app, scenario, source string }
	var rows []row
	for _, p := range t.points {
		if k := (row{p.app, p.scenario, p.source}); !slices.Contains(rows, k) {
			rows = append(rows, k)
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.app, b.app), cmp.Compare(a.source, b.source))
	})
	r.Section("       %-14s %-5s %-16s %6s  %s", "application", "from", "scenario", "points",
		strings.Join(gradeNames[:unclear], " | "))
	for _, k := range rows {
		s := t.shares(func(p point) bool { return row{p.app, p.scenario, p.source} == k })
		r.Note("%-14s %-5s %-16s %6d  %s", k.app, k.source, k.scenario, s.all, s.line())
	}
	all := t.shares(func(point) bool { return true })
	r.Note("%-37s %6d  %s", "all", all.all, all.line())
	if n := t.unclear(); n > 0 {
		r.Note("%d points are left out: the machine was too busy for their truth to be known", n)
	}
	t.check(r, all)
}

func (t *table) unclear() (n int) {
	for _, p := range t.points {
		if p.grade == unclear {
			n++
		}
	}
	return n
}

// check compares the totals with the aims.
func (t *table) check(r *figures.Report, all shares) {
	r.Check(all.percent(right) >= 95, "right: %.1f %% of %d (at least 95)", all.percent(right), all.all)
	r.AtMost("either of two, or learning after the first minute", all.percent(either, learning), 5, "%")
	r.AtMost("a false name", all.percent(falseName, falseAlarm), 1, "%")
	r.AtMost("healthy, while something was wrong, or no verdict", all.percent(silent, none), 1, "%")
	healthy := t.shares(func(p point) bool { return strings.HasPrefix(p.scenario, "healthy") })
	if healthy.all > 0 {
		named := healthy.percent(falseName, falseAlarm)
		r.Check(named <= 1, "silent on healthy runs: %.1f %% of %d (at least 99)", 100-named, healthy.all)
	}
}

func (s shares) line() string {
	var out []string
	for g := range unclear {
		text := "."
		if s.counts[g] > 0 {
			text = fmt.Sprint(s.counts[g])
		}
		out = append(out, fmt.Sprintf("%*s", len(gradeNames[g]), text))
	}
	return strings.Join(out, " | ")
}
