// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/kernels/console"
)

// row is the result of one kernel, and how long it took.
type row struct {
	kernel
	found console.Report
	took  time.Duration
}

// table prints all kernels one below the other.
func table(w io.Writer, rows []row) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\narchitecture\tkernel\tobjects that load\tnot\ttests passed\tnot\trequests\tcounted\ttook")
	for _, row := range rows {
		fmt.Fprintf(t, "%s\t%s\t%s\n", row.arch, row.version, strings.Join(append(cells(row.found),
			row.took.Round(time.Second).String()), "\t"))
	}
	t.Flush()
}

func cells(found console.Report) []string {
	var loaded, passed, other, asked, counted int64
	var refused []string
	for _, o := range found.Objects {
		if o.Error == "" {
			loaded++
		} else {
			refused = append(refused, o.Name)
		}
	}
	for _, t := range found.Tests {
		passed += int64(t.Passed)
		other += int64(len(t.Failed) + len(t.Skipped))
	}
	for _, l := range found.Loads {
		asked += l.Asked
		counted += l.Completions
	}
	if found.Refused != "" {
		const refusal = "the exporter does not start there"
		return []string{fmt.Sprint(loaded), strings.Join(refused, ", "), "", "", refusal, ""}
	}
	return []string{fmt.Sprint(loaded), strings.Join(refused, ", "), fmt.Sprint(passed), fmt.Sprint(other),
		fmt.Sprint(asked), fmt.Sprint(counted)}
}
