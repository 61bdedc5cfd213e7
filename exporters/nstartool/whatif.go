// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kingpin/v2"

	"github.com/nstar-project/nstar/exporters/nstartool/whatif"
	"github.com/nstar-project/nstar/exporters/nstartool/whatif/recorded"
)

const whatifHelp = `Predict what a change would gain, from the recorded windows alone.

Changes may be combined. If none is given, the changes that an operator would try first are predicted one by one.

Exit codes: 0 the prediction was made; 1 it could not be made (one line on standard error says why).`

// prediction is the command line of `nstartool whatif`.
type prediction struct {
	server  server
	app     string
	period  period
	output  string
	timeout time.Duration
	freezes []string
	speed   []string
	pool    []string
	own     []string
	load    float64
}

func (p *prediction) addFlags(cmd *kingpin.CmdClause) {
	p.server.addFlags(cmd)
	cmd.Flag("app", "The application; not needed if there is only one.").StringVar(&p.app)
	p.period.addFlags(cmd)
	cmd.Flag("output", "Format of the prediction.").Default("text").EnumVar(&p.output, "text", "json")
	cmd.Flag("timeout", "Longest wait for Prometheus.").Default("30s").DurationVar(&p.timeout)
	cmd.Flag("no-freezes", "A tier without its stops, or without the stops by one cause.").
		PlaceHolder("TIER[:CAUSE]").StringsVar(&p.freezes)
	cmd.Flag("speed", "A tier that works faster.").PlaceHolder("TIER=FACTOR").StringsVar(&p.speed)
	cmd.Flag("pool", "Another cap on the calls from one tier to another.").
		PlaceHolder("FROM:TO=PLACES").StringsVar(&p.pool)
	cmd.Flag("own-processors",
		"A tier on processors that it shares with no other program; the other tiers on its machine lose these.").
		PlaceHolder("TIER=N").StringsVar(&p.own)
	cmd.Flag("load", "More users or arrivals, for example 1.5.").Default("1").Float64Var(&p.load)
}

// changes are the changes that the flags ask for.
func (p *prediction) changes() ([]whatif.Change, error) {
	var all []whatif.Change
	for _, f := range p.freezes {
		tier, cause, _ := strings.Cut(f, ":")
		all = append(all, whatif.NoFreezes{Tier: tier, Cause: cause})
	}
	for _, f := range p.speed {
		tier, text, _ := strings.Cut(f, "=")
		factor, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, fmt.Errorf("--speed %q: write for example mariadb=2", f)
		}
		all = append(all, whatif.Speed{Tier: tier, Factor: factor})
	}
	for _, f := range p.pool {
		edge, text, _ := strings.Cut(f, "=")
		from, to, ok := strings.Cut(edge, ":")
		places, err := strconv.Atoi(text)
		if err != nil || !ok {
			return nil, fmt.Errorf("--pool %q: write for example tomcat:mariadb=32", f)
		}
		all = append(all, whatif.Pool{From: from, To: to, Places: places})
	}
	for _, f := range p.own {
		tier, text, _ := strings.Cut(f, "=")
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, fmt.Errorf("--own-processors %q: write for example mariadb=1", f)
		}
		all = append(all, whatif.OwnProcessors{Tier: tier, Processors: n})
	}
	if p.load != 1 {
		all = append(all, whatif.Load{Factor: p.load})
	}
	return all, nil
}

// run writes the predictions.
func (p *prediction) run(stdout io.Writer) error {
	end, span, err := p.period.parse()
	if err != nil {
		return err
	}
	changes, err := p.changes()
	if err != nil {
		return err
	}
	client, err := p.server.client()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), p.timeout)
	defer cancel()
	trace, err := recorded.Read(ctx, client, p.app, end, span)
	if err != nil {
		return err
	}
	replay, err := whatif.New(trace)
	if err != nil {
		return err
	}
	if len(changes) == 0 {
		return p.write(stdout, replay.Candidates(""))
	}
	one, err := replay.Predict(changes...)
	if err != nil {
		return err
	}
	return p.write(stdout, []whatif.Prediction{one})
}

// write one prediction in full, or the sentences of several.
func (p *prediction) write(stdout io.Writer, predictions []whatif.Prediction) error {
	if p.output == "json" {
		encoder := json.NewEncoder(stdout)
		encoder.SetIndent("", "  ")
		return encoder.Encode(predictions)
	}
	if len(predictions) == 0 {
		fmt.Fprintln(stdout, "None of the usual changes can be predicted from these windows; ask for one change to "+
			"see why.")
		return nil
	}
	for _, one := range predictions[1:] {
		fmt.Fprintf(stdout, "%s\n", one.Sentence())
	}
	if len(predictions) > 1 {
		fmt.Fprintln(stdout)
	}
	return predictions[0].WriteText(stdout)
}
