// SPDX-License-Identifier: Apache-2.0

// Command saturation puts the estimator of package saturation to simulated servers whose saturation point is known.
package main

import (
	"flag"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/internal/saturation"
)

func main() {
	runs := flag.Int("runs", 6, "runs of each family")
	only := flag.String("only", "", "")
	flag.Parse()
	type tot struct{ good, known, cover, n, no, none int }
	var all [3]tot
	var ones []float64
	for _, f := range families() {
		if *only != "" && f.name != *only {
			continue
		}
		fmt.Printf("%-32s %5.2f %6.1f ms |", f.name, f.truth, 1000*f.base)
		var found [3][]float64
		var t [3]tot
		status := map[string]int{}
		var bases, widths []float64
		for seed := range *runs {
			windows := f.of.windows(uint64(seed)+1, 120)
			e := saturation.New(50 * time.Millisecond)
			for i, w := range windows {
				e.Add(w)
				if k := slices.Index([]int{600, 1200, 2400}, i+1); k >= 0 {
					x := e.Estimate()
					t[k].n++
					if k == 1 {
						status[x.Status.String()[:5]]++
						bases = append(bases, x.Base/f.base)
					}
					if math.IsNaN(x.SaturationPoint) {
						t[k].no++
						continue
					}
					t[k].known++
					found[k] = append(found[k], x.SaturationPoint)
					if k == 1 {
						widths = append(widths, x.High/x.Low)
						if f.one {
							ones = append(ones, x.SaturationPoint)
						}
					}
					if math.Abs(x.SaturationPoint/f.truth-1) <= 0.19 {
						t[k].good++
					}
					if x.Low <= f.truth && f.truth <= x.High {
						t[k].cover++
					}
				}
			}
		}
		for k := range t {
			slices.Sort(found[k])
			m := math.NaN()
			if len(found[k]) > 0 {
				m = found[k][len(found[k])/2]
			}
			fmt.Printf(" %6.2f %2d/%2d/%2d |", m, t[k].good, t[k].cover, t[k].known)
			if math.IsNaN(f.truth) {
				all[k].none += t[k].n
				all[k].no += t[k].no
			} else {
				all[k].n += t[k].n
				all[k].good += t[k].good
				all[k].known += t[k].known
				all[k].cover += t[k].cover
			}
		}
		slices.Sort(bases)
		slices.Sort(widths)
		w := 0.0
		if len(widths) > 0 {
			w = widths[len(widths)/2]
		}
		fmt.Printf(" R %.2f w %.2f %v\n", bases[len(bases)/2], w, status)
	}
	for k := range all {
		fmt.Printf("%+v  good %.0f%% cover %.0f%% none %.0f%%\n", all[k], 100*float64(all[k].good)/float64(all[k].n), 100*float64(all[k].cover)/float64(all[k].known), 100*float64(all[k].no)/float64(all[k].none))
	}
	m, v := 0.0, 0.0
	for _, x := range ones {
		m += x / float64(len(ones))
	}
	for _, x := range ones {
		v += (x - m) * (x - m) / float64(len(ones))
	}
	fmt.Printf("scatter %.1f %%\n", 100*math.Sqrt(v)/m)
}
