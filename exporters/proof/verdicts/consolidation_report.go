// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"

	"github.com/nstar-project/nstar/exporters/nstar/pearson"
)

// The sweeps.
const (
	averagingSmall = "who used less comes first, B's pool small"
	linuxSmall     = "Linux, B's pool small"
	averagingLarge = "who used less comes first, B's pool as large as A's"
)

// print shows the paper's figures from the measurements, and checks their shape.
func (x *pair) print(sweeps map[string][]level, alone map[string]outcome) {
	for _, name := range []string{averagingSmall, linuxSmall, averagingLarge} {
		x.figure2(name, sweeps[name])
		x.figure3(name, sweeps[name])
		x.figures56(name, sweeps[name])
	}
	r := x.report
	r.Section("Figure 8: the size of B's pool")
	for i := range levels {
		r.Note("A %.2f of B: B %4.0f ms with %s connections, %4.0f ms with %s", levels[i],
			1e3*sweeps[averagingSmall][i].b.Mean, smallPool, 1e3*sweeps[averagingLarge][i].b.Mean, largePool)
	}
	r.Note("B without A: %.0f ms with %s connections, %.0f ms with %s", 1e3*alone[smallPool].Mean, smallPool,
		1e3*alone[largePool].Mean, largePool)

	small, large := sweeps[averagingSmall], sweeps[averagingLarge]
	peak := slices.MaxFunc(small, slower)
	last := small[len(small)-1]
	r.Section("The shape of the paper's figures")
	r.Check(peak.b.Mean >= 1.5*last.b.Mean && peak.b.Mean >= 1.5*small[0].b.Mean,
		"figure 2: B takes %.0f ms at first, %.0f ms at most (A %.2f of B), %.0f ms at last (paper: about 65, 260, 80)",
		1e3*small[0].b.Mean, 1e3*peak.b.Mean, peak.share, 1e3*last.b.Mean)
	mirror := 1.0
	for _, l := range small {
		mirror = min(mirror, x.correlation(l, "cpu_ratio", x.a, "cpu_ratio", x.b))
	}
	r.Check(mirror <= -0.4, "figure 3: the databases' processor times are mirror images, correlation %.2f", mirror)
	r.Check(x.correlation(peak, "cpu_ratio", x.a, "queue_length", x.b) > 0.1,
		"figure 5b: B's requests queue while A has the processor, correlation %.2f at the peak",
		x.correlation(peak, "cpu_ratio", x.a, "queue_length", x.b))
	r.Check(x.correlation(peak, "cpu_ratio", x.b, "queue_length", x.a) < 0,
		"figure 6b: B has less of the processor while A has requests, correlation %.2f at the peak",
		x.correlation(peak, "cpu_ratio", x.b, "queue_length", x.a))
	for _, fixed := range large {
		if fixed.share == peak.share {
			r.Check(fixed.b.Mean <= 0.7*peak.b.Mean, "figure 8b: with a pool as large as A's B takes %.0f ms there",
				1e3*fixed.b.Mean)
		}
	}
}

// slower compares B's response times.
func slower(l, m level) int {
	if l.b.Mean < m.b.Mean {
		return -1
	}
	return 1
}

// figure2 is throughput and response time over A's load.
func (x *pair) figure2(name string, sweep []level) {
	x.report.Section("Figure 2: %s; B has %d users", name, x.users(loadB).users)
	for _, l := range sweep {
		x.report.Note("A %4d users: %4.0f pages/s, %4.0f ms;  B %4.0f pages/s, %4.0f ms", l.users, l.a.Throughput,
			1e3*l.a.Mean, l.b.Throughput, 1e3*l.b.Mean)
	}
}

// figure3 is the databases' processor time at 100 ms, and (figure 4) where B's requests wait.
func (x *pair) figure3(name string, sweep []level) {
	x.report.Section("Figures 3 and 4: %s", name)
	for _, l := range sweep {
		a, da := moments(x.spans(l, "cpu_ratio", x.a, "mariadb"))
		b, db := moments(x.spans(l, "cpu_ratio", x.b, "mariadb"))
		web, _ := moments(x.spans(l, "own_queue_length", x.b, "httpd"))
		app, _ := moments(x.spans(l, "own_queue_length", x.b, "tomcat"))
		data, _ := moments(x.spans(l, "queue_length", x.b, "mariadb"))
		x.report.Note("A %4d users: processor A %3.0f %% (+-%2.0f), B %3.0f %% (+-%2.0f), correlation %5.2f;  "+
			"B's queue web %4.1f, app %4.1f, database %4.1f", l.users, 100*a, 100*da, 100*b, 100*db,
			x.correlation(l, "cpu_ratio", x.a, "cpu_ratio", x.b), web, app, data)
	}
}

// figures56 are the correlations at the databases, at 100 ms.
func (x *pair) figures56(name string, sweep []level) {
	x.report.Section("Figures 5 and 6: %s; correlations at the databases at 100 ms", name)
	x.report.Note("                processor A with               processor B with")
	x.report.Note("                queue A  queue B  time B       queue B  queue A  time A      A's with queue B, " +
		"lagged")
	for _, l := range sweep {
		lagged, lag := strongest(x.spans(l, "cpu_ratio", x.a, "mariadb"), x.spans(l, "queue_length", x.b, "mariadb"))
		x.report.Note("A %4d users:   %5.2f    %5.2f    %5.2f         %5.2f    %5.2f    %5.2f        %5.2f after %d ms",
			l.users,
			x.correlation(l, "cpu_ratio", x.a, "queue_length", x.a),
			x.correlation(l, "cpu_ratio", x.a, "queue_length", x.b),
			x.correlation(l, "cpu_ratio", x.a, "residence_seconds", x.b),
			x.correlation(l, "cpu_ratio", x.b, "queue_length", x.b),
			x.correlation(l, "cpu_ratio", x.b, "queue_length", x.a),
			x.correlation(l, "cpu_ratio", x.b, "residence_seconds", x.a),
			lagged, lag*together*int(windowWidth.Milliseconds()))
	}
}

// correlation is that of a metric of one's database with a metric of another's.
func (x *pair) correlation(l level, name string, of *stack, with string, others *stack) float64 {
	value, _ := pearson.Later(x.spans(l, name, of, "mariadb"), x.spans(l, with, others, "mariadb"), 0)
	return value
}

// spans are a metric's at a level.
func (x *pair) spans(l level, name string, s *stack, tier string) []float64 {
	return x.record.spans(l.from, l.to, name, s.name, tier)
}
