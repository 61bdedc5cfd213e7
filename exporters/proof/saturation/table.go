// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/nstar-project/nstar/exporters/nstar/saturation"
)

// median of the values that exist.
func median(values []float64) float64 {
	values = slices.DeleteFunc(values, math.IsNaN)
	if len(values) == 0 {
		return math.NaN()
	}
	slices.Sort(values)
	return values[len(values)/2]
}

func figure(x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return fmt.Sprintf("%.3g", x)
}

// of collects a figure of all runs at a moment.
func (r result) of(moment int, what func(saturation.Estimate) float64) []float64 {
	values := make([]float64, 0, len(r.estimates))
	for _, run := range r.estimates {
		values = append(values, what(run[moment]))
	}
	return values
}

// statuses after the moment that the aims are for, as "known 20, learning 4".
func (r result) statuses() string {
	var counts [saturation.Known + 1]int
	for _, run := range r.estimates {
		counts[run[aimed].Status]++
	}
	var parts []string
	for status := saturation.Known; status >= saturation.Learning; status-- {
		if counts[status] > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", strings.ReplaceAll(status.String(), "_", " "), counts[status]))
		}
	}
	return strings.Join(parts, ", ")
}

// printTable prints a line for each family: medians of N* and its interval, and in how many runs it was within 19
// % of the truth, covered by the interval, and known; R0 relative to its truth, and the status, after 60 s.
func printTable(to io.Writer, found []result) {
	fmt.Fprintf(to, "%-41s %5s", "server, load, machine", "truth")
	for _, moment := range moments {
		fmt.Fprintf(to, " | %-25s", fmt.Sprintf("N* after %.0f s", moment))
	}
	fmt.Fprintf(to, " | %5s | %s\n%47s", "R0", "status", "")
	for range moments {
		fmt.Fprintf(to, " | %4s %-11s %8s", "N*", "interval", "in/cov/n")
	}
	fmt.Fprintln(to, " | after 60 s")
	for _, r := range found {
		name := r.name
		if r.beside {
			name += " (1)"
		}
		fmt.Fprintf(to, "%-41s %5s", name, figure(r.truth))
		for i, t := range r.tallies() {
			point := median(r.of(i, func(e saturation.Estimate) float64 { return e.SaturationPoint }))
			low := median(r.of(i, func(e saturation.Estimate) float64 { return e.Low }))
			high := median(r.of(i, func(e saturation.Estimate) float64 { return e.High }))
			interval, counts := "", fmt.Sprintf("%d of %d", t.without-t.silent, t.without)
			if !math.IsNaN(point) {
				interval = figure(low) + "-" + figure(high)
			}
			if t.runs > 0 {
				counts = fmt.Sprintf("%d/%d/%d", t.within, t.covered, t.known)
			}
			fmt.Fprintf(to, " | %4s %-11s %8s", figure(point), interval, counts)
		}
		base := median(r.of(aimed, func(e saturation.Estimate) float64 { return e.Base })) / r.base
		fmt.Fprintf(to, " | %5s | %s\n", figure(base), r.statuses())
	}
	fmt.Fprintln(to, "(1) not among the aims: this is what is lost where the work after a stop does not count, either.")
}

// printScatter prints, for each condition of the one server, the mean and the standard deviation of its N* after the
// moment that the aims are for, and how much its runs add to the square of the scatter: this shows where an
// improvement would be useful.
func printScatter(to io.Writer, found []result) {
	var all []float64
	for _, r := range found {
		if r.one && !r.beside {
			all = append(all, r.points()...)
		}
	}
	centre, spread := meanAndDeviation(all)
	if len(all) == 0 || spread == 0 {
		return
	}
	fmt.Fprintf(to, "\nOne server, N* after %.0f s     %8s %9s %18s\n", moments[aimed], "mean", "deviation",
		"of the scatter^2")
	for _, r := range found {
		if !r.one || r.beside {
			continue
		}
		points, squares := r.points(), 0.0
		for _, x := range points {
			squares += (x - centre) * (x - centre)
		}
		mean, deviation := meanAndDeviation(points)
		fmt.Fprintf(to, "%-30s %8s %9s %16.0f %%\n", r.name, figure(mean), figure(deviation),
			100*squares/(spread*spread*float64(len(all))))
	}
	fmt.Fprintf(to, "%-30s %8s %9s\n", "all", figure(centre), figure(spread))
}

// points is the N* that were known after the moment that the aims are for.
func (r result) points() []float64 {
	return slices.DeleteFunc(r.of(aimed, func(e saturation.Estimate) float64 { return e.SaturationPoint }), math.IsNaN)
}

// printAims prints the aims and the results; it reports whether all aims were reached.
func printAims(to io.Writer, found []result) bool {
	share := func(part, all int) float64 { return 100 * float64(part) / float64(max(all, 1)) }
	fmt.Fprintln(to)
	for i, moment := range moments {
		a := judgeAt(found, i)
		fmt.Fprintf(to, "After %3.0f s: N* known in %.1f %% of %d runs with one, within 19 %% in %.1f %%; "+
			"intervals that cover %.1f %%; "+
			"false ones in %.1f %% of %d runs without.\n", moment, share(a.known, a.runs), a.runs,
			share(a.within, a.runs),
			share(a.covered, a.known), share(a.without-a.silent, a.without), a.without)
	}
	fmt.Fprintf(to, "\nAims, after %.0f s:\n", moments[aimed])
	a, all := judge(found), true
	line := func(aim string, percent float64, reached bool) {
		verdict := "reached"
		if !reached {
			verdict, all = "MISSED", false
		}
		fmt.Fprintf(to, "%-71s %6.1f %%  %s\n", aim, percent, verdict)
	}
	if a.runs > 0 {
		within, covered := share(a.within, a.runs), share(a.covered, a.known)
		line("within 19 % of the truth, unknown ones counted as wrong (aim: 90 %)", within, within >= 90)
		line("interval of 90 % covers the truth (aim: 85 to 95 %)", covered, covered >= 85 && covered <= 95)
	}
	if !math.IsNaN(a.scatter) {
		line("scatter of one server under all conditions (aim: at most 10 %)", 100*a.scatter, a.scatter <= 0.10)
	}
	if a.without > 0 {
		silent := share(a.silent, a.without)
		line("no N* where there is none (aim: 99 %)", silent, silent >= 99)
	}
	return all
}
