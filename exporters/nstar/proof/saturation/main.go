// SPDX-License-Identifier: Apache-2.0

// Command saturation puts the estimator of package saturation to simulated servers whose saturation point is known.
package main

import (
	"flag"
	"fmt"
	"math"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/internal/saturation"
)

func main() {
	runs := flag.Int("runs", 6, "runs of each family")
	only := flag.String("only", "", "")
	flag.Parse()
	for _, f := range families() {
		if *only != "" && f.name != *only {
			continue
		}
		fmt.Printf("%-32s %5.2f %6.1f ms |", f.name, f.truth, 1000*f.base)
		for seed := range *runs {
			windows := f.of.windows(uint64(seed)+1, 120)
			e := saturation.New(50 * time.Millisecond)
			for i, w := range windows {
				e.Add(w)
				if i == 600-1 || i == 1200-1 || i == 2400-1 {
					x := e.Estimate()
					if math.IsNaN(x.SaturationPoint) {
						fmt.Printf(" %5.5s", x.Status)
					} else {
						fmt.Printf(" %5.2f", x.SaturationPoint)
					}
					if i == 1199 {
						fmt.Printf("[%.1f %.1f R%.1f]", x.Low, x.High, 1000*x.Base)
					}
				}
			}
			fmt.Print(" |")
		}
		fmt.Println()
	}
}
