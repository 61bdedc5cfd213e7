// SPDX-License-Identifier: Apache-2.0

// Answered asks a Prometheus everything that the dashboards ask, as Grafana would, and fails on errors and on empty
// answers.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/alecthomas/kingpin/v2"
	"github.com/prometheus/client_golang/api"
	"github.com/prometheus/client_golang/api/prometheus/v1"

	"github.com/nstar-project/nstar/dashboards"
)

func main() {
	failed, err := run(os.Args[1:], os.Stdout)
	if err != nil {
		fmt.Fprintf(os.Stderr, "answered: %v\n", err)
		os.Exit(2)
	}
	if failed > 0 {
		os.Exit(1)
	}
}

// run returns how many queries were not answered; an error means that it could not ask at all.
func run(args []string, out io.Writer) (failed int, err error) {
	app := kingpin.New("answered", "Ask a Prometheus everything that the dashboards ask, and fail on errors and "+
		"empty answers.")
	app.Terminate(nil)
	url := app.Flag("prometheus", "Prometheus with Nstar's series and rules.").Default(
		"http://127.0.0.1:19090").String()
	name := app.Flag("app", "The application chosen in the dashboard.").Default("bboard").String()
	end := app.Flag("time", "End of the time range: seconds since the epoch or RFC 3339; now by default.").String()
	last := app.Flag("last", "Length of the time range.").Default("5m").Duration()
	scrape := app.Flag("scrape-interval", "Scrape interval set in Grafana's data source.").Default("5s").Duration()
	timeout := app.Flag("timeout", "Longest wait for all answers.").Default("2m").Duration()
	files := app.Arg("dashboard", "Dashboards, JSON files.").Default(
		filepath.Join("dashboards", "bottlenecks.json"), filepath.Join("dashboards", "capacity.json")).Strings()
	if _, err := app.Parse(args); err != nil {
		return 0, err
	}
	to, err := parseTime(*end)
	if err != nil {
		return 0, err
	}
	if *last <= 0 {
		return 0, fmt.Errorf("--last %v is not a time range: write for example 5m", *last)
	}
	client, err := api.NewClient(api.Config{Address: *url})
	if err != nil {
		return 0, fmt.Errorf("--prometheus %s: %v", *url, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), *timeout)
	defer cancel()
	asker := asker{prometheus: v1.NewAPI(client), out: out, view: dashboards.View{
		App: *name, Tier: ".+", Instance: ".+",
		From: to.Add(-*last), To: to, Scrape: *scrape, Width: 1000,
	}}
	if _, err := asker.prometheus.Buildinfo(ctx); err != nil {
		return 0, fmt.Errorf("no Prometheus answers at %s: %v", *url, err)
	}
	for _, file := range *files {
		d, err := dashboards.Load(file)
		if err != nil {
			return 0, err
		}
		asker.dashboard(ctx, d)
	}
	return asker.failed, nil
}

func parseTime(text string) (time.Time, error) {
	if text == "" {
		return time.Now(), nil
	}
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		return time.UnixMilli(int64(seconds * 1000)), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, fmt.Errorf("--time %q is neither seconds since the epoch nor like 2026-11-21T06:00:00Z", text)
	}
	return at, nil
}
