// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/window"
	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// repetitions of the sweep in the model.
const repetitions = 40

// check compares the recorded TPmax and N* with the station's capacity and the model's saturation point.
func (t *trial) check(r *figures.Report, p *prometheus) error {
	kind := "constant"
	if t.exponential {
		kind = "exponentially distributed"
	}
	r.Section("%s: %d workers, service time %s %s, capacity %.0f/s", t.name, t.workers, t.service, kind, t.capacity())
	selector := fmt.Sprintf(`{app="proof",tier=%q}`, t.name)
	most, ok, err := p.value("nstar:tier_max_throughput:requests_per_second" + selector)
	if err != nil {
		return err
	}
	if !ok {
		r.Check(false, "no TPmax was recorded")
		return nil
	}
	if !t.exponential {
		r.Within("TPmax, recorded by the rules", most, t.capacity(), 0.03, "capacity")
	}
	points, err := p.curve(selector)
	if err != nil {
		return err
	}
	want, ideal := reference(t.station, t.steps, repetitions)
	t.compare(r, points, ideal, want)
	nStar, ok, err := p.value("nstar:tier_saturation_point:queue_length" + selector)
	if err != nil {
		return err
	}
	if !ok {
		r.Check(t.exponential, "no N* was recorded: the rules saw no plateau")
		return nil
	}
	if t.exponential {
		// the best of many bins is a lucky one, and the curve is so flat that N* follows every stroke of luck
		r.Note(
			"TPmax %.1f (capacity %.0f) and N* %.2f (theory %.2f): not checked, a sweep has too few of these windows",
			most, t.capacity(), nStar, want)
		return nil
	}
	r.Within("N*, recorded by the rules", nStar, want, 0.15, "theory")
	return nil
}

// compare prints the recorded curve beside the model's, near the saturation point.
func (t *trial) compare(r *figures.Report, points, ideal []point, nStar float64) {
	r.Note("%22s %30s", "measured", "model")
	r.Note("%8s %12s %8s %10s %12s", "queue", "requests/s", "windows", "queue", "requests/s")
	for _, p := range points {
		if p.queue < nStar/3 || p.queue > 3*nStar {
			continue
		}
		line := fmt.Sprintf("%8.2f %12.1f %8d", p.queue, p.throughput, p.windows)
		for _, q := range ideal {
			if window.Bin(q.queue) == window.Bin(p.queue) {
				line += fmt.Sprintf(" %10.2f %12.1f", q.queue, q.throughput)
			}
		}
		r.Note("%s", line)
	}
}

// little checks L = X W: the exporter's mean queue and throughput against the response times that the client saw.
func (t *trial) little(r *figures.Report, before, after bed.Samples, took time.Duration) {
	grown := func(name string) float64 {
		old, _ := before.Value(name, "tier", t.name)
		now, _ := after.Value(name, "tier", t.name)
		return now - old
	}
	completions := grown("nstar_tier_completions_total")
	r.Equal("completions", int64(completions), t.client.requests, "answers that the client got")
	queue := grown("nstar_tier_queue_seconds_total") / took.Seconds()
	residence := t.client.waited.Seconds() / float64(t.client.requests)
	r.Within("mean queue over all steps", queue, completions/took.Seconds()*residence, 0.02,
		fmt.Sprintf("throughput x response time that the client saw (%.2f ms)", 1000*residence))
	r.Within("residence time", grown("nstar_tier_residence_seconds_total"),
		grown("nstar_tier_queue_seconds_total"), 0.02,
		"integral of the queue (s)")
	if len(t.client.arrivals) > 0 {
		var integral time.Duration
		// with the service times that the server's only worker drew; constant ones need no draw
		for _, v := range fifo(t.station, t.client.arrivals, draws(0)) {
			integral += v.departure - v.arrival
		}
		r.Within("mean queue over all steps", queue, integral.Seconds()/took.Seconds(), 0.02,
			"an ideal station with the same arrivals")
	}
}
