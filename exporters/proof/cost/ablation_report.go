// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	"github.com/nstar-project/nstar/exporters/nstar/bpf/ablation"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// aims for the smallest answers that a fast server gives.
const (
	mostFull   = 120  // ns a packet, statistics on
	mostBeyond = 60   // ns a packet, beyond an empty program
	leastKept  = 0.97 // of throughput, statistics off
)

// eachStep measures a load step by step of the kernel programs, with its server as the only tier.
func eachStep(r *figures.Report, port int, l load, rounds int) ([]*step, error) {
	var objects ablation.AblationObjects
	if err := ablation.LoadAblationObjects(&objects, nil); err != nil {
		return nil, err
	}
	defer objects.Close()
	if err := mark(&objects, port); err != nil {
		return nil, err
	}
	all := steps(&objects, port)
	if _, err := l.run(); err != nil { // warms the server up
		return nil, err
	}
	err := eachVisit(all, rounds, func(s *step) (visit, error) { return s.visit(l) }, func(round int) {
		r.Note("round %d of %d done, %.0f requests/s with nothing", round+1, rounds, all[0].rate(round))
	})
	if err != nil {
		return nil, err
	}
	stepTable(r, all)
	return all, nil
}

// againstAims checks the whole of the programs, the last step, against the empty one.
func againstAims(r *figures.Report, all []*step) {
	empty, full := all[1], all[len(all)-1]
	packet := func(v visit) float64 { return v.packet }
	var beyond []float64
	for i, v := range full.column(packet) {
		beyond = append(beyond, v-empty.column(packet)[i])
	}
	kept := full.ratios((*step).rate, all[0])
	low, high := interval(kept)
	r.AtMost("full, a packet with statistics", median(full.column(packet)), mostFull, "ns")
	r.AtMost("full, a packet beyond the empty program", median(beyond), mostBeyond, "ns")
	r.Check(median(kept) >= leastKept, "throughput kept: %.4f, 95 %% interval %.4f to %.4f (at least %v)", median(kept),
		low, high, leastKept)
}

func stepTable(r *figures.Report, all []*step) {
	r.Note("")
	r.Note("%-20s %10s %8s %18s %10s %8s %16s %7s %22s", "", "requests/s", "ratio", "95 % interval", "us/request",
		"ratio", "95 % interval",
		"runs", "ns/run (least, most)")
	for _, s := range all {
		rates, works := s.ratios((*step).rate, all[0]), s.ratios((*step).work, all[0])
		low, high := interval(rates)
		lowWork, highWork := interval(works)
		packets := s.column(func(v visit) float64 { return v.packet })
		r.Note("%-20s %10.0f %8.4f %8.4f ..%8.4f %10.2f %8.4f %7.4f ..%7.4f %7.2f %8s", s.name,
			median(s.column(func(v visit) float64 { return v.rate })), median(rates), low, high,
			median(s.column(func(v visit) float64 { return v.work })), median(works), lowWork, highWork,
			median(s.column(func(v visit) float64 { return v.runs })),
			fmt.Sprintf("%.1f (%.1f, %.1f)", median(packets), least(packets), most(packets)))
	}
	r.Note("ratio: to nothing attached, each round there and back with the same round; us/request: CPU time of the " +
		"whole machine;")
	r.Note("runs: of the programs for a request; ns/run: by the kernel's statistics, which are on for a load of " +
		"their own")
}
