// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// toldApart lets the exporter distinguish the kinds of a load's requests. Each count must equal the server's count,
// and all of them together, including the others, must equal the tier's completions.
func toldApart(r *figures.Report, b *bed.Bed, exporter string, s *subject) error {
	if s.byKind == nil {
		return nil
	}
	l := s.loads[s.mixed]
	r.Section("%s: kinds of requests, %s", s.name, l.name)
	e, err := begin(b, exporter, s, s.kinds...)
	if err != nil {
		return err
	}
	before, err := e.Metrics()
	if err != nil {
		return err
	}
	from, err := s.byKind()
	if err != nil {
		return err
	}
	if err := l.run(); err != nil {
		return err
	}
	time.Sleep(bed.Settled)
	to, err := s.byKind()
	if err != nil {
		return err
	}
	after, err := e.Metrics()
	if err != nil {
		return err
	}
	of := func(name, kind string) int64 {
		was, _ := before.Value(name, "app", "proof", "tier", s.name, "kind", kind)
		is, _ := after.Value(name, "app", "proof", "tier", s.name, "kind", kind)
		return int64(is - was)
	}
	var sum int64
	for _, kind := range append([]string{"other"}, s.kinds...) {
		completions := of("nstar_tier_kind_completions_total", kind)
		sum += completions
		r.Equal(kind+": arrivals", of("nstar_tier_kind_arrivals_total", kind), completions, "completions")
		if words := strings.Fields(kind); len(words) == 2 {
			r.Check(completions > 0, "%s: completions: %d", kind, completions)
			r.Equal(kind+": completions", completions, to[words[1]]-from[words[1]], l.source)
		}
	}
	was, _ := value(before, "nstar_tier_completions_total", s.name)
	is, _ := value(after, "nstar_tier_completions_total", s.name)
	r.Equal("completions of all kinds", sum, int64(is-was), "completions of the tier")
	return e.Stop()
}
