// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"io"
	"time"

	"github.com/alecthomas/kingpin/v2"

	"github.com/nstar-project/nstar/exporters/nstartool/diagnose"
)

const diagnoseHelp = `Say whether anything is wrong, where requests waited, why, since when, and what to do.

Exit codes: 0 the diagnosis was made, whatever it says; 1 it could not be made (one line on standard error says why). With --exit-code also 3 when a bottleneck was found and 4 when there is not enough data, or Nstar is still learning.`

// diagnosis is the command line of `nstartool diagnose`.
type diagnosis struct {
	server   server
	app      string
	period   period
	output   string
	exitCode bool
	timeout  time.Duration
	gain     bool
}

func (d *diagnosis) addFlags(cmd *kingpin.CmdClause) {
	d.server.addFlags(cmd)
	cmd.Flag("app", "Diagnose only this application; by default all applications except the "+
		"monitoring.").StringVar(&d.app)
	d.period.addFlags(cmd)
	cmd.Flag("output", "Format of the diagnosis.").Default("text").EnumVar(&d.output, "text", "json")
	cmd.Flag("exit-code", "Exit with 3 when a bottleneck was found and 4 when there is not enough data, or Nstar is "+
		"still learning.").BoolVar(&d.exitCode)
	cmd.Flag("gain", "Predict what the best change would gain, as whatif does; --no-gain saves some seconds.").
		Default("true").BoolVar(&d.gain)
	cmd.Flag("timeout", "Longest wait for Prometheus.").Default("30s").DurationVar(&d.timeout)
}

// run writes the diagnosis and returns the exit code.
func (d *diagnosis) run(stdout io.Writer) (int, error) {
	end, span, err := d.period.parse()
	if err != nil {
		return exitError, err
	}
	client, err := d.server.client()
	if err != nil {
		return exitError, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), d.timeout)
	defer cancel()
	observations, err := diagnose.NewReader(client, d.server.url).ReadUntil(ctx, d.app, end, span)
	if err != nil {
		return exitError, err
	}
	report := diagnose.Decide(observations)
	if d.gain {
		addGains(ctx, client, &report, end, span)
	}
	write := report.WriteText
	if d.output == "json" {
		write = report.WriteJSON
	}
	if err := write(stdout); err != nil {
		return exitError, err
	}
	if !d.exitCode {
		return exitOK, nil
	}
	switch report.Verdict {
	case diagnose.AlternatingBottleneck, diagnose.SingleBottleneck:
		return exitBottleneck, nil
	case diagnose.NotEnoughData, diagnose.Learning:
		return exitNotEnoughData, nil
	}
	return exitOK, nil
}
