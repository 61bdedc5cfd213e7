// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// exported collects a tier's windows from scrapes of /windows, by number since the epoch.
type exported map[int64]cell

func (e exported) add(s bed.Samples, tier string) {
	index := func(x bed.Sample) int64 { return x.Time.UnixMilli()/width.Milliseconds() - 1 }
	for _, x := range s.Select("nstar_window_queue_length", "tier", tier) {
		c := e[index(x)]
		c.queue = x.Value
		e[index(x)] = c
	}
	for _, x := range s.Select("nstar_window_throughput", "tier", tier) {
		c := e[index(x)]
		c.completions = int64(math.Round(x.Value * width.Seconds()))
		e[index(x)] = c
	}
}
