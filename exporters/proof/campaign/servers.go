// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/bed/group"
)

// servers are the application as it runs in one setup, and the programs that measure it.
type servers struct {
	options
	setup
	stack
	bed        *bed.Bed
	groups     map[string]*group.Group // by tier, for its share of the processors
	disks      map[string]*group.Group // for its share of the disk, if disks can be limited
	started    map[string]*bed.Process
	prometheus *bed.Prometheus
}

// theirs are the processors of the servers. The first one is for the load generator and the measuring programs: on
// one processor for all, a heavy load would take from the servers the time that they need for it.
func theirs() []int { return bed.Processors()[1:] }

func pinned(cpus []int, nice int) []string {
	var list []string
	for _, c := range cpus {
		list = append(list, strconv.Itoa(c))
	}
	return []string{"nice", "-n", strconv.Itoa(nice), "taskset", "-c", strings.Join(list, ",")}
}

// start starts the application in a setup and everything that measures it.
func start(ctx context.Context, o options, s setup, state string) (*servers, error) {
	if len(bed.Processors()) < 2 {
		return nil, fmt.Errorf("a campaign needs two processors: one for the servers, and one for the load that no " +
			"server may feel")
	}
	b, err := bed.New()
	if err != nil {
		return nil, err
	}
	r := &servers{options: o, setup: s, bed: b, groups: map[string]*group.Group{},
		disks: map[string]*group.Group{}, started: map[string]*bed.Process{}}
	r.stack = o.app.stack(r)
	begin := func() error { return r.begin(ctx) }
	watch := func() error { return r.measuring(state) }
	for _, step := range []func() error{r.makeGroups, begin, watch, r.confine} {
		if err := step(); err != nil {
			r.stop()
			return nil, err
		}
	}
	return r, nil
}

// stop ends everything that was started.
func (r *servers) stop() {
	if r == nil {
		return
	}
	if r.app.disposable {
		r.kill()
	} else {
		r.end()
	}
	r.bed.Close()
	for _, groups := range []map[string]*group.Group{r.groups, r.disks} {
		for _, g := range groups {
			g.Remove()
		}
	}
}

// kill ends all programs at once.
func (r *servers) kill() {
	for _, p := range r.started {
		if p.Ended() == nil {
			_ = syscall.Kill(p.PID, syscall.SIGKILL)
		}
	}
}

// end ends the servers in the order of asking, gently: a database that is killed has to recover.
func (r *servers) end() {
	for _, t := range r.app.tiers {
		p := r.started[t.name]
		if p == nil || p.Ended() != nil {
			continue
		}
		_ = syscall.Kill(p.PID, syscall.SIGTERM)
		_ = bed.WaitFor(20*time.Second, func() error {
			if p.Ended() != nil {
				return nil
			}
			return fmt.Errorf("%s still runs", p.Name)
		})
	}
}

// makeGroups makes a group for each tier, without limits: the setups are not about the time of a start.
func (r *servers) makeGroups() error {
	for _, t := range r.app.tiers {
		g, err := group.New("cpu", "campaign-"+t.name)
		if err != nil {
			return err
		}
		r.groups[t.name] = g
		if err := share(g, 1); err != nil {
			return err
		}
		if disk, err := group.New("blkio", "campaign-"+t.name); err == nil {
			r.disks[t.name] = disk
		}
	}
	return nil
}

// confine gives each tier the setup's share of the processors, and of the disk.
func (r *servers) confine() error {
	for name, g := range r.groups {
		if err := share(g, r.shares[name]); err != nil {
			return err
		}
	}
	for name, slow := range r.slow {
		// If disks can't be limited, the rest of the setup remains.
		if err := r.slowDown(name, slow); err != nil {
			fmt.Fprintf(os.Stderr, "campaign: %s: the disk is not slowed: %v\n", r.name, err)
		}
	}
	return nil
}

// period is short, so that a tier that has used its share waits for milliseconds, not for whole windows.
const period = 5 * time.Millisecond

// share is how much of the servers' processors a tier may use.
func share(g *group.Group, of float64) error { return g.Quota(of*float64(len(theirs())), period) }

// slowDown limits a tier's operations per second on the device that holds the output.
func (r *servers) slowDown(tier string, to disk) error {
	g := r.disks[tier]
	if g == nil {
		return errors.New("no control group for disks")
	}
	device, err := group.Device(r.output)
	if err != nil {
		return err
	}
	if err := g.Reads(device, to.reads); err != nil {
		return err
	}
	return g.Writes(device, to.writes)
}

// script is how one runs as the servers' account, with a directory of its own and the parameters in its environment.
func (r *servers) script(dir string, environment []string, argv ...string) []string {
	out := append(bed.Account(r.account).As(), "--pdeathsig", "TERM", "env",
		"ROOT="+r.root, "DEMO="+dir, "DEMO_USER="+r.account)
	out = append(out, environment...)
	for name, value := range r.params {
		out = append(out, name+"="+value)
	}
	return append(out, argv...)
}

// tier starts a server in its group, on the servers' processors, and waits until it is ready.
func (r *servers) tier(name string, ready func() error, argv ...string) error {
	command := r.groups[name].Enter()
	if g := r.disks[name]; g != nil {
		command = append(command, g.Enter()...)
	}
	command = append(command, pinned(theirs(), r.nice)...)
	p, err := r.bed.Start(name, append(command, argv...)...)
	if err != nil {
		return err
	}
	r.started[name] = p
	return awaited(p, ready)
}

// awaited returns when a program is ready, or has ended.
func awaited(p *bed.Process, ready func() error) error {
	var ended error
	err := bed.WaitFor(90*time.Second, func() error {
		if ended = p.Ended(); ended != nil {
			return nil
		}
		return ready()
	})
	return cmp.Or(ended, err)
}
