// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/kernels/console"
)

const exporter = "/nstar_exporter"

// tiers are two servers in a chain, and one on IPv6 whose clients connect for each request.
var tiers = []struct {
	name, address, behind string
	port                  int
}{
	{name: "back", address: "127.0.0.1:8081", port: 8081},
	{name: "front", address: "127.0.0.1:8080", behind: "127.0.0.1:8081", port: 8080},
	{name: "six", address: "[::1]:8082", port: 8082},
}

// The requests to each server: on connections that are kept, and with a connection for each.
const (
	clients = 4
	kept    = 1000
	single  = 200
)

// patience with programs on an emulated processor, which is 20 to 100 times slower than a real one.
const patience = 10 * time.Minute

// count has the exporter measure servers of known counts.
func count(out io.Writer) {
	bed.Patience, bed.Client.Timeout = patience, patience
	b, err := bed.New()
	if err != nil {
		problem(out, err)
		return
	}
	defer b.Close()
	loads, log, err := measure(b)
	if err != nil {
		problem(out, err)
	}
	tell(out, console.Report{Loads: loads, Complaints: complaints(log)})
}

func measure(b *bed.Bed) (loads []console.Load, log string, err error) {
	config := "tiers:\n"
	servers := make([]*bed.Process, len(tiers))
	for i, t := range tiers {
		argv := []string{"/init", serveCommand, t.address}
		if t.behind != "" {
			argv = append(argv, t.behind)
		}
		if servers[i], err = b.Start(t.name, argv...); err != nil {
			return nil, "", err
		}
		config += fmt.Sprintf("  - name: %s\n    match: {port: %d}\n", t.name, t.port)
	}
	e, err := b.Exporter(exporter, config)
	if err != nil {
		return nil, b.Path("nstar_exporter.out"), err
	}
	for _, t := range tiers {
		if err := e.AwaitTiers(t.name); err != nil {
			return nil, e.Log, err
		}
	}
	clock := setClock()
	err = errors.Join(
		repeat(clients, kept, true, tiers[1].address), repeat(clients, single, false, tiers[1].address),
		repeat(clients, single, false, tiers[2].address), <-clock)
	time.Sleep(2 * bed.Settled)
	found, scrapeErr := e.Metrics()
	if err = errors.Join(err, scrapeErr); err != nil {
		return nil, e.Log, err
	}
	if n, _ := found.Value("nstar_dropped_total", "reason", "clock_set"); n == 0 {
		err = errors.New("the wall clock was set back, and the exporter did not notice")
	}
	asked := map[string]int64{"front": kept + single, "back": kept + single, "six": single}
	for i, t := range tiers {
		_ = servers[i].Stop() // its answer is on its last line
		served, err := strconv.ParseInt(servers[i].Tail(), 10, 64)
		if err != nil {
			return loads, e.Log, fmt.Errorf("%s: %w", t.name, err)
		}
		of := func(metric string) float64 { v, _ := found.Value(metric, "tier", t.name); return v }
		loads = append(loads, console.Load{
			Name: t.name, Asked: asked[t.name], Served: served,
			Arrivals:    int64(of("nstar_tier_arrivals_total")),
			Completions: int64(of("nstar_tier_completions_total")),
			Aborts:      int64(of("nstar_tier_aborts_total")),
			Drift:       of("nstar_drift_requests"),
		})
	}
	calls, _ := found.Value("nstar_edge_calls_total", "from", "front", "to", "back")
	// an edge's calls stand for all three of its counts
	loads = append(loads, console.Load{Name: "front to back", Asked: asked["back"], Served: loads[0].Served,
		Arrivals: int64(calls), Completions: int64(calls)})
	return loads, e.Log, errors.Join(err, e.Stop())
}

// repeat sends this many requests, with several clients at once.
func repeat(clients, requests int, keep bool, address string) error {
	var wait sync.WaitGroup
	errs := make([]error, clients)
	for c := range clients {
		wait.Go(func() {
			t := &http.Transport{DisableKeepAlives: !keep}
			defer t.CloseIdleConnections()
			for range requests / clients {
				if err := ask(t, address); err != nil {
					errs[c] = err
					return
				}
			}
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}

// complaints are the exporter's warnings and errors.
func complaints(log string) (all []string) {
	text, err := os.ReadFile(log)
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, "level=WARN") || strings.Contains(line, "level=ERROR") {
			_, said, _ := strings.Cut(strings.TrimSpace(line), "msg=")
			all = append(all, said)
		}
	}
	return all
}

// refusal starts the exporter where it is not supported: it must end, and say why in one line.
func refusal(out io.Writer) {
	said, err := bed.Run(exporter)
	if err == nil {
		problem(out, errors.New("the exporter started on a kernel that it does not support"))
	}
	tell(out, console.Report{Refused: strings.TrimSpace(said)})
}
