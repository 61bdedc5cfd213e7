// SPDX-License-Identifier: Apache-2.0

// Command saturation tests the estimator of package saturation on simulated servers whose saturation point is
// known, prints its estimates after 30, 60 and 120 s, and fails if an aim is missed. Nothing is measured and
// nothing depends on the machine: the same seeds give the same table.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	runs := flag.Int("runs", 24, "runs of each family, each with a seed of its own")
	seed := flag.Uint64("seed", 1, "of the first run")
	only := flag.String("only", "", "the only family to run")
	flag.Parse()
	var chosen []family
	for _, f := range families() {
		if *only == "" || f.name == *only {
			chosen = append(chosen, f)
		}
	}
	if len(chosen) == 0 {
		fmt.Fprintf(os.Stderr, "saturation: there is no family %q\n", *only)
		os.Exit(2)
	}
	found := measure(chosen, *runs, *seed)
	printTable(os.Stdout, found)
	printScatter(os.Stdout, found)
	if !printAims(os.Stdout, found) && *only == "" {
		os.Exit(1)
	}
}
