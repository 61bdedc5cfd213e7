// SPDX-License-Identifier: Apache-2.0

// Rules measures the rules on real Prometheus servers that scrape synthetic exporters: what they cost, whether they
// keep up with many exporters, and how many notifications a problem makes.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/alecthomas/kingpin/v2"

	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

type options struct {
	servers, alertmanager, rules, alertmanagerConf string
	dashboards                                     []string
	warm, measure                                  time.Duration
	dearest                                        int
	cost, scale                                    bool
}

func main() {
	var o options
	app := kingpin.New("rules", "Measure the rules on real Prometheus servers that scrape synthetic exporters.")
	app.Flag("prometheus", "Prometheus servers, separated by commas; those that are not there are left out.").
		Default(".cache/debian/usr/bin/prometheus,.cache/tools/prometheus-3*/prometheus").StringVar(&o.servers)
	app.Flag("alertmanager", "Command that starts Alertmanager.").Default(
		"tools/debian-run.sh prometheus-alertmanager").StringVar(&o.alertmanager)
	app.Flag("alertmanager-config",
		"Its configuration.").Default("deploy/alertmanager/alertmanager.yml").StringVar(&o.alertmanagerConf)
	app.Flag("rules", "Rule files.").Default("rules/*.yaml").StringVar(&o.rules)
	app.Flag("dashboard", "A dashboard; may be repeated.").
		Default("dashboards/bottlenecks.json", "dashboards/capacity.json").StringsVar(&o.dashboards)
	app.Flag("warm", "Time before measuring: ranges are full then, and no series is new.").Default(
		"130s").DurationVar(&o.warm)
	app.Flag("measure", "Time to measure.").Default("60s").DurationVar(&o.measure)
	app.Flag("dearest", "How many of the rules that take most time are shown.").Default("10").IntVar(&o.dearest)
	app.Flag("cost", "bench measures what the rules cost, 4 minutes a server.").Default("true").BoolVar(&o.cost)
	app.Flag("scale", "bench measures 1,000 tiers, 5 minutes a server.").Default("true").BoolVar(&o.scale)
	bench := app.Command("bench", "What the rules cost, and whether they keep up with 1,000 tiers.")
	notifications := app.Command("notifications", "How many notifications a problem makes (10 minutes).")
	what := kingpin.MustParse(app.Parse(os.Args[1:]))
	r := figures.New("rules", os.Stdout)
	var err error
	switch what {
	case bench.FullCommand():
		var parts []part
		if o.cost {
			parts = append(parts, cost)
		}
		if o.scale {
			parts = append(parts, scale)
		}
		err = each(r, o, 2, parts...)
	case notifications.FullCommand():
		err = each(r, o, 1, notify)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "rules: %v\n", err)
		os.Exit(2)
	}
	if r.Close() != nil {
		os.Exit(1)
	}
}

type part func(b *bed.Bed, r *figures.Report, o options, version, binary string) error

// each takes the parts on the first servers that are there, each with a directory of its own.
func each(r *figures.Report, o options, servers int, parts ...part) error {
	for _, pattern := range strings.Split(o.servers, ",") {
		found, err := filepath.Glob(pattern)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			r.Note("%s is not there: left out", pattern)
			continue
		}
		if servers--; servers < 0 {
			break
		}
		binary := found[len(found)-1]
		version, err := bed.Run(binary, "--version")
		if err != nil {
			return err
		}
		if fields := strings.Fields(version); len(fields) > 2 {
			version = fields[2]
		}
		for _, p := range parts {
			if err := alone(p, r, o, version, binary); err != nil {
				return err
			}
		}
	}
	return nil
}

func alone(p part, r *figures.Report, o options, version, binary string) error {
	b, err := bed.New()
	if err != nil {
		return err
	}
	defer b.Close()
	return p(b, r, o, version, binary)
}
