// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"time"
)

// application is the object of a campaign: servers, the setups in which they run, and the load that they get.
type application struct {
	name string
	// unit of its throughput.
	unit string
	// answer is the time that its users feel, as a metric of theirs.
	answer string
	tiers  []tier      // the front one first
	calls  [][2]string // from which tier to which
	// clients is the tier whose metrics are the clients' own; empty if they have none.
	clients string
	setups  []setup
	// usual are the parameters if a setup says nothing else.
	usual map[string]string
	// rules are the files that define its indicators.
	rules []string
	// think, warm and measure are the flags' values if not set.
	think, warm, measure time.Duration
	// flood is a load that is more than any setup can take, and doesn't drown it.
	flood flood
	// saturating is how many clients keep a setup busy that does a number of requests per second, each in a number
	// of seconds when alone.
	saturating func(most, alone float64, think time.Duration) float64
	// programs are command lines that print versions, by name.
	programs func(o options) map[string][]string
	// disposable says that its data are created again at each start, so that there is no need to wait for
	// servers that end.
	disposable bool
	// stack is what starts the servers.
	stack func(r *servers) stack
}

// flood is a load with its clients and their think time.
type flood struct {
	clients int
	think   time.Duration
}

// applications are all that there are.
var applications = []*application{&lamp, &pipeline}

func named(name string) (*application, error) {
	for _, a := range applications {
		if a.name == name {
			return a, nil
		}
	}
	return nil, fmt.Errorf("no application %s", name)
}

// stack starts an application's servers and its load.
type stack interface {
	// begin starts the servers and returns when they are ready to be measured.
	begin(ctx context.Context) error
	// exporters returns what Prometheus shall scrape in addition to Nstar and the machine, and starts exporters
	// that are programs of their own.
	exporters() ([]job, error)
	// drive starts a load of this many clients for at least this time, or until it is stopped.
	drive(name string, clients int, think, length time.Duration) (load, error)
	// calm returns when nothing is left of an earlier load.
	calm(ctx context.Context) error
}

// load is a load that runs.
type load interface {
	outcome() (outcome, error)
	Ended() error
	Stop() error
}

// tier is a server of the application.
type tier struct {
	name string
	// protocol that Nstar watches on the port; empty for a server that gets no requests.
	protocol string
	port     int
	// pools are the parameters of the tier's places.
	pools []string
	// rescued are the parameters that get their usual values again if the tier is made bigger.
	rescued []string
}

func (a *application) tierNames() []string {
	var out []string
	for _, t := range a.tiers {
		out = append(out, t.name)
	}
	return out
}

// setup is a configuration of the application and its load.
type setup struct {
	name, what string
	// shares of the servers' processors, by tier; their sum leaves room for one tier to grow.
	shares map[string]float64
	// params of the scripts if they differ from usual.
	params map[string]string
	// mix of pages, if clients ask for pages: each is drawn as often as it is listed.
	mix []string
	// slow are the disks of tiers that are not as fast as they could be.
	slow map[string]disk
}

// disk is how many operations per second a tier's disk does; 0 for no limit.
type disk struct{ reads, writes int }

// growth is how much bigger a tier is made to see whether it limits: of its share, and of its places and its disk.
const (
	growthOfShare  = 1.5
	growthOfPlaces = 2
)

// grown is the setup with a tier made bigger in all that it may lack; none for an empty name.
func (a *application) grown(s setup, name string) setup {
	s.shares, s.slow = maps.Clone(s.shares), maps.Clone(s.slow)
	params := maps.Clone(a.usual)
	maps.Copy(params, s.params)
	s.params = params
	for _, t := range a.tiers {
		if t.name != name {
			continue
		}
		s.shares[name] *= growthOfShare
		for _, pool := range t.pools {
			if places, err := strconv.Atoi(s.params[pool]); err == nil {
				s.params[pool] = strconv.Itoa(places * growthOfPlaces)
			}
		}
		for _, parameter := range t.rescued {
			s.params[parameter] = a.usual[parameter]
		}
		if d, ok := s.slow[name]; ok {
			s.slow[name] = disk{d.reads * growthOfPlaces, d.writes * growthOfPlaces}
		}
	}
	return s
}
