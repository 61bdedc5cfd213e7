// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// server is the server that gets the load, pinned or free.
type server struct {
	name, url string
	pid       int
	port      int
}

// settled is how long after a load its causes are on /metrics: they come two seconds after the windows.
const settled = bed.Settled + 2*time.Second

func experiment(o options, r *figures.Report) error {
	all, err := processors()
	if err != nil {
		return err
	}
	if len(all) < 2 {
		return errors.New("this takes two processors")
	}
	if err := bed.Need("nginx", "wrk", "taskset"); err != nil {
		return err
	}
	b, err := bed.New()
	if err != nil {
		return err
	}
	defer b.Close()
	servers, err := start(b)
	if err != nil {
		return err
	}
	config := "tiers:\n"
	for _, s := range servers {
		config += fmt.Sprintf("  - {name: %s, app: cores, match: {port: %d}}\n", s.name, s.port)
	}
	e, err := b.Exporter(o.exporter, config, "--bpf.stats")
	if err != nil {
		return err
	}
	for _, s := range servers {
		if err := e.AwaitTiers(s.name); err != nil {
			return err
		}
		m := measurement{options: o, server: s, exporter: e, all: all}
		if err := m.warm(); err != nil {
			return err
		}
		r.Section("%s, %d connections: %d rounds of free, pinned, pinned, free, %s each", s.name,
			o.connections, o.rounds,
			o.length)
		if err := m.rounds(); err != nil {
			return err
		}
		m.print(r)
	}
	return errors.Join(cost(e, r), e.Ended())
}

// cost prints the cost in the kernel of following moves, for the whole machine.
func cost(e *bed.Exporter, r *figures.Report) error {
	m, err := e.Metrics()
	if err != nil {
		return err
	}
	for _, program := range []string{"nstar_migrate", "nstar_switch"} {
		runs, _ := m.Value("nstar_bpf_runs_total", "program", program)
		took, _ := m.Value("nstar_bpf_run_seconds_total", "program", program)
		if runs > 0 {
			r.Note("%s: %.0f runs of %.0f ns, with the kernel's statistics on", program, runs, took/runs*1e9)
		}
	}
	return nil
}

// start starts both servers: one that hardly touches memory, and one that reads a table for each request.
func start(b *bed.Bed) ([]server, error) {
	n, err := b.Nginx()
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	port, err := bed.FreePort()
	if err != nil {
		return nil, err
	}
	at := net.JoinHostPort("127.0.0.1", fmt.Sprint(port))
	p, err := b.Start("table", self, "-serve", at)
	if err != nil {
		return nil, err
	}
	servers := []server{{"nginx", n.URL(), n.PID, n.Port}, {"table", "http://" + at + "/", p.PID, port}}
	return servers, bed.WaitFor(10*time.Second,
		func() error { return errors.Join(p.Ended(), bed.Shows(servers[1].url)) })
}
