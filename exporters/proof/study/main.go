// SPDX-License-Identifier: Apache-2.0

// Command study prints how often the study finds the category of synthetic
// evolutions of every sub-pattern, at three levels of noise.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/nstar-project/nstar/exporters/nstartool/study/synthetic"
)

func main() {
	draws := flag.Int("draws", 300, "evolutions of each sub-pattern and level")
	least := flag.Float64("least", 0.98, "agreement that the thesis's level of noise must reach")
	seed := flag.Uint64("seed", 1, "seed of the random numbers")
	flag.Parse()
	table := synthetic.Measure(*draws, *seed)
	fmt.Print(table)
	if got := table.Overall(synthetic.ThesisNoise); got < *least {
		fmt.Fprintf(os.Stderr, "study: %.1f %% agreement, want %.1f %%\n", 100*got, 100**least)
		os.Exit(1)
	}
}
