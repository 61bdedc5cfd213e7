// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// together is how many scenarios promtool runs at a time, as applications of one Prometheus server: most of the time
// that a rule takes does not depend on how many series it reads. And applications must not disturb each other.
const together = 12

var (
	appLabel = regexp.MustCompile(`\bapp="([^"]*)"`)
	// exporters are told apart by their instance, which also names processors; several on one machine by these
	instanceName = regexp.MustCompile(`([\w-]+):9965`)
	machineName  = regexp.MustCompile(`"m( [\d-]+)?"`)
	// what adds up all applications, or looks at others
	overall = regexp.MustCompile(`\b(sum|avg|count|group|min|max)\s*\(|\bapp(!=|=~|!~)`)
)

// batches puts scenarios together that last about as long. Those that can't be told apart by their applications stay
// alone.
func batches(all []scenario) (out []scenario) {
	slices.SortStableFunc(all, func(a, b scenario) int {
		return cmp.Or(cmp.Compare(a.scrape, b.scrape), cmp.Compare(a.end(), b.end()))
	})
	var batch scenario
	for _, s := range all {
		if !s.apart() {
			out = append(out, s)
			continue
		}
		if len(batch.of) == together || batch.scrape != s.scrape && len(batch.of) > 0 {
			out, batch = append(out, batch), scenario{}
		}
		batch.add(s)
	}
	if len(batch.of) > 0 {
		out = append(out, batch)
	}
	return out
}

// end is the second of the last query.
func (s scenario) end() (at int) {
	for _, q := range s.queries {
		at = max(at, q.at)
	}
	return at
}

// apart reports whether all that a scenario shows, and all that it asks for, is of an application that has no meaning
// of its own.
func (s scenario) apart() bool {
	for _, in := range s.series {
		if app := appLabel.FindStringSubmatch(in.selector); app == nil || app[1] == "monitoring" {
			return false
		}
	}
	for _, q := range s.queries {
		if overall.MatchString(q.expr) {
			return false
		}
		for labels := range q.want {
			if !appLabel.MatchString(labels) {
				return false
			}
		}
	}
	return true
}

// add puts one more scenario into a batch, under names that no other one has.
func (b *scenario) add(s scenario) {
	n := strconv.Itoa(len(b.of) + 1)
	name := func(text string) string {
		text = appLabel.ReplaceAllString(text, `app="${1}`+n+`"`)
		text = instanceName.ReplaceAllString(text, `${1}-`+n+`:9965`)
		return machineName.ReplaceAllString(text, `"m`+n+`${1}"`)
	}
	apps := map[string]bool{}
	for _, in := range s.series {
		b.series = append(b.series, series{name(in.selector), in.values})
		apps[name(appLabel.FindString(in.selector))] = true
	}
	mine := make([]string, 0, len(apps))
	for _, app := range slices.Sorted(maps.Keys(apps)) {
		_, app, _ := strings.Cut(app, "=")
		mine = append(mine, fmt.Sprintf(`label_replace(vector(1), "app", %s, "", "")`, app))
	}
	for _, q := range s.queries {
		want := map[string]float64{}
		for labels, value := range q.want {
			want[name(labels)] = value
		}
		b.queries = append(b.queries, query{
			fmt.Sprintf("(%s) and on (app) (%s)", name(q.expr), strings.Join(mine, " or ")), q.at, want})
	}
	b.of = append(b.of, s.name)
	b.scrape, b.name = s.scrape, fmt.Sprintf("%s; and %d more", b.of[0], len(b.of)-1)
}
