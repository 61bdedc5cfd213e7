// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// describe says where the data of a campaign that begins now come from.
func describe(o options) about {
	a := about{Application: o.app.name, Begun: time.Now().UTC().Truncate(time.Second), Seed: o.seed,
		Warm:    o.warm.String(),
		Measure: o.measure.String(),
		Think:   o.think.String(), Note: o.note, Machine: map[string]string{}, Programs: map[string]string{}}
	a.Revision = firstLine("git", "-C", o.root, "describe", "--always", "--dirty")
	a.Machine["kernel"] = firstLine("uname", "-sr")
	a.Machine["processors"] = fmt.Sprint(len(bed.Processors()))
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			a.Machine["processor"] = strings.TrimSpace(value)
			break
		}
	}
	programs := o.app.programs(o)
	programs["prometheus"] = []string{o.prometheus, "--version"}
	programs["nstar_exporter"] = []string{o.exporter, "--version"}
	for name, argv := range programs {
		a.Programs[name] = firstLine(argv...)
	}
	return a
}

// firstLine is the first line that a program prints; empty if it can't be run.
func firstLine(argv ...string) string {
	out, err := bed.Run(argv...)
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(strings.TrimSpace(out), "\n")
	return line
}
