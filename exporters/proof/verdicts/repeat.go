// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// repeatable is the aim for N* of one server over several runs: the coefficient of variation.
const repeatable = 0.15

// learned are the figures that a server should have in every run, whatever the load and the neighbours did.
var learned = []string{
	"nstar_tier_saturation_point_queue_length", "nstar_tier_base_residence_seconds",
	"nstar_tier_max_throughput_requests_per_second",
}

// repeatability prints how much the learned values of each tier differ between recorded runs, taken at their ends.
// Only runs with a known N* count, and there must be three of them.
func repeatability(r *figures.Report, dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		return err
	}
	found := make(map[string]map[string][]float64) // by application and tier, by figure
	for _, file := range files {
		app, tiers, err := lastLearned(file)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		for tier, figures := range tiers {
			if _, known := figures[learned[0]]; !known {
				continue
			}
			name := app + " " + tier
			if found[name] == nil {
				found[name] = make(map[string][]float64)
			}
			for figure, value := range figures {
				found[name][figure] = append(found[name][figure], value)
			}
		}
	}
	r.Section("What was learned of a server in several runs")
	for _, name := range slices.Sorted(maps.Keys(found)) {
		runs := found[name]
		if len(runs[learned[0]]) < 3 {
			continue
		}
		point, variation := spread(runs[learned[0]])
		base, baseVariation := spread(runs[learned[1]])
		most, mostVariation := spread(runs[learned[2]])
		r.Check(variation <= repeatable,
			"%s, %d runs: N* %.2f, coefficient of variation %.1f %% (at most %.0f); R0 %.3g ms, %.1f %%; TPmax "+
				"%.0f/s, %.1f %%",
			name, len(runs[learned[0]]), point, 100*variation, 100*repeatable, 1e3*base, 100*baseVariation, most,
			100*mostVariation)
	}
	return nil
}

func spread(values []float64) (mean, variation float64) {
	sum, squares := 0.0, 0.0
	for _, v := range values {
		sum += v
		squares += v * v
	}
	n := float64(len(values))
	mean = sum / n
	return mean, math.Sqrt(max(0, squares/n-mean*mean)) / mean
}

var exported = regexp.MustCompile(`^(nstar_\w+)\{(?:[^}]*,)?tier="([^"]*)"[^}]*\} (\S+)$`)

// lastLearned reads the last of each figure in a recording.
func lastLearned(file string) (app string, tiers map[string]map[string]float64, err error) {
	tiers = make(map[string]map[string]float64)
	err = eachLine(file, func(line recordedLine) {
		if line.Run != nil {
			app = strings.TrimSuffix(line.Run.App, "-hosts")
		}
		if line.Metrics != nil {
			latest(tiers, line.Metrics)
		}
	})
	return app, tiers, err
}

// latest replaces the figures of an earlier scrape for the tiers that this one names: a figure that is gone is not
// known any more.
func latest(tiers map[string]map[string]float64, metrics []string) {
	named := make(map[string]bool)
	for _, text := range metrics {
		m := exported.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		if !named[m[2]] {
			named[m[2]], tiers[m[2]] = true, make(map[string]float64)
		}
		if value, err := strconv.ParseFloat(m[3], 64); err == nil && slices.Contains(learned, m[1]) {
			tiers[m[2]][m[1]] = value
		}
	}
}
