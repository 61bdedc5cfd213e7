// SPDX-License-Identifier: Apache-2.0

// Command nstartool is for operators what promtool is for Prometheus: it reads
// what Nstar has recorded and says it in plain sentences.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/alecthomas/kingpin/v2"
	"github.com/prometheus/client_golang/api"
	promconfig "github.com/prometheus/common/config"
	"github.com/prometheus/common/model"
	"github.com/prometheus/common/version"

	"github.com/nstar-project/nstar/exporters/nstar/internal/diagnose"
)

// Exit codes. A diagnosis is a success whatever it says, unless --exit-code
// asks for the verdict in the code.
const (
	exitOK            = 0
	exitError         = 1
	exitBottleneck    = 3
	exitNotEnoughData = 4
)

const (
	help         = "The companion of nstar_exporter for operators."
	diagnoseHelp = `Say which tiers were saturated or frozen, which took turns, why, and what to do.

Exit codes: 0 the diagnosis was made, whatever it says; 1 it could not be made (one line on standard error says why). With --exit-code also 3 when a bottleneck was found and 4 when there is not enough data.`
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, stdout, stderr io.Writer) int {
	app := kingpin.New("nstartool", help)
	app.Version(version.Print("nstartool"))
	app.HelpFlag.Short('h')
	terminated := -1
	app.Terminate(func(status int) { terminated = status }).UsageWriter(stdout).ErrorWriter(stderr)

	cmd := app.Command("diagnose", diagnoseHelp)
	server := cmd.Flag("prometheus", "URL of the Prometheus that has Nstar's rules loaded.").Default("http://localhost:9090").String()
	name := cmd.Flag("app", "Only this application.").String()
	last := cmd.Flag("last", "How far to look back, for example 3m or 2h.").Default("3m").String()
	output := cmd.Flag("output", "Format of the diagnosis.").Default("text").Enum("text", "json")
	exitCode := cmd.Flag("exit-code", "Exit with 3 when a bottleneck was found and 4 when there is not enough data.").Bool()
	timeout := cmd.Flag("timeout", "Longest wait for Prometheus.").Default("30s").Duration()
	httpConfig := cmd.Flag("http.config.file", "Prometheus HTTP client configuration, for TLS and credentials (as in promtool).").String()

	selected, err := app.Parse(args)
	if terminated >= 0 { // --help or --version
		return terminated
	}
	if err != nil {
		fmt.Fprintf(stderr, "nstartool: %v; try nstartool --help\n", err)
		return exitError
	}
	if selected != cmd.FullCommand() {
		return exitOK
	}
	span, err := model.ParseDuration(*last)
	if err != nil || span <= 0 {
		fmt.Fprintf(stderr, "nstartool: --last %q is not a duration: write for example 90s, 3m or 2h\n", *last)
		return exitError
	}
	client, err := newClient(*server, *httpConfig)
	if err != nil {
		fmt.Fprintf(stderr, "nstartool: %v\n", err)
		return exitError
	}
	ctx, cancel := context.WithTimeout(context.Background(), *timeout)
	defer cancel()
	observations, err := diagnose.NewReader(client, *server).Read(ctx, *name, time.Duration(span))
	if err != nil {
		fmt.Fprintf(stderr, "nstartool: %v\n", err)
		return exitError
	}
	report := diagnose.Decide(observations)
	write := report.WriteText
	if *output == "json" {
		write = report.WriteJSON
	}
	if err := write(stdout); err != nil {
		fmt.Fprintf(stderr, "nstartool: %v\n", err)
		return exitError
	}
	if !*exitCode {
		return exitOK
	}
	switch report.Verdict {
	case diagnose.AlternatingBottleneck, diagnose.SingleBottleneck:
		return exitBottleneck
	case diagnose.NotEnoughData:
		return exitNotEnoughData
	}
	return exitOK
}

// newClient checks the URL, because the client library takes anything, and
// adds TLS and credentials from a file in Prometheus's own format.
func newClient(server, configFile string) (api.Client, error) {
	u, err := url.Parse(server)
	if err == nil && (u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
		err = errors.New("it must begin with http:// or https:// and name a host")
	}
	if err != nil {
		return nil, fmt.Errorf("--prometheus %q is not a URL of Prometheus: %v", server, err)
	}
	transport := api.DefaultRoundTripper
	if configFile != "" {
		config, _, err := promconfig.LoadHTTPConfigFile(configFile)
		if err != nil {
			return nil, fmt.Errorf("--http.config.file: %v", err)
		}
		if transport, err = promconfig.NewRoundTripperFromConfig(*config, "nstartool", promconfig.WithUserAgent("nstartool")); err != nil {
			return nil, fmt.Errorf("--http.config.file %s: %v", configFile, err)
		}
	}
	return api.NewClient(api.Config{Address: server, Client: &http.Client{Transport: transport}})
}
