// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/bed/group"
)

// everyTier stands for all tiers of an application.
const everyTier = "*"

// tier is a server of the application, as the configuration of an exporter needs it.
type tier struct {
	name, protocol string
	port           int      // 0: it listens nowhere, and is known by its command, which is its name
	socket         string   // path of a Unix socket in the application's directory, if it listens there instead
	calls          []string // names of the tiers behind it
	found          string   // the name that an exporter without a configuration gives it; empty if it is the same
}

// named picks a tier by its name.
func named(name string) func(tier) bool { return func(t tier) bool { return t.name == name } }

// application is a stack that can be started, loaded and hurt.
type application struct {
	name  string
	tiers []tier // the front one first
	// unseen is the tier that exporters with a configuration must not see; empty if there is none
	unseen string
	own    string // the tier of the board that has a processor of its own, or everyTier
	ports  map[string]int
	// workers are processes that serve no requests, and so are no tiers
	workers []string
	// sockets are where tiers listen, by name, if they are asked over Unix sockets: OVER=unix
	sockets map[string]string
	// outside are the ports of servers that are no tiers, and that an exporter with a configuration is not to know
	outside []int
	// params of the scripts if a scenario says nothing else
	params params
	// pages that visitors ask for if a load names none; if empty, the load generator's own, those of the board
	pages []string
	tls   bool // the front speaks it
	// warm is how long the application takes to reach its full speed, if that is longer than usual
	warm time.Duration
	// prepare brings everything that a start needs, once; start starts the servers.
	prepare func(*stack) error
	start   func(*stack) error
	// sends is the command line of clients that visit no pages, for this long; they write their outcome into a
	// file.
	sends func(s *stack, l load, duration time.Duration, summary string) []string
	// tells is what the application itself says about the last interval, in addition to its answers; nil if it says
	// nothing.
	tells func(*stack) string
}

// stack is a running application, in a directory that remains after it: prepared data are found again.
type stack struct {
	application
	bed      *bed.Bed
	root     string            // the repository
	dir      string            // of the application
	account  string            // that the servers run as
	nice     int               // of servers and load
	spread   bool              // over all processors
	recorded bool              // exporters record the input of their judges
	counted  bool              // exporters count the time of their kernel programs
	params   map[string]string // of the application and the scenario
	parts    map[string]*bed.Process
	groups   []*group.Group // of tiers, for the run
	capacity float64        // pages/s, by calibration
	base     float64        // seconds that a page takes a single user; 0 if it was not measured
	halts    halts          // that were made one by one
	beside   *stack         // another application on the same machine; nil for none
}

// tell is what the application says about itself since the last question; empty if it says nothing.
func (s *stack) tell() string {
	if s.tells == nil {
		return ""
	}
	return s.tells(s)
}

// up prepares the application and starts it.
func (s *stack) up() error {
	if err := s.prepare(s); err != nil {
		return err
	}
	return s.start(s)
}

// without is the application with a tier that no exporter sees.
func (a application) without(unseen string) application {
	for _, t := range a.tiers {
		if t.name == unseen {
			a.unseen, a.outside = unseen, append(slices.Clone(a.outside), t.port)
		}
	}
	return a
}

// overUnix is the application with the tiers that its scripts have listen at Unix sockets with OVER=unix.
func (a application) overUnix() application {
	a.tiers = slices.Clone(a.tiers)
	for i := range a.tiers {
		a.tiers[i].socket = a.sockets[a.tiers[i].name]
	}
	return a
}

// onOneHost reports whether its tiers can't be on hosts of their own.
func (a application) onOneHost() bool {
	return slices.ContainsFunc(a.tiers, func(t tier) bool { return t.socket != "" })
}

// seen are the tiers that exporters with a configuration see, and the calls of these that they see.
func (a application) seen() []tier {
	var out []tier
	for _, t := range a.tiers {
		if t.name == a.unseen {
			continue
		}
		t.calls = slices.DeleteFunc(slices.Clone(t.calls), func(name string) bool { return name == a.unseen })
		out = append(out, t)
	}
	return out
}

// script is the path of one of the application's scripts.
func (s *stack) script(name string) string { return filepath.Join(s.root, "deploy", s.name, name) }

// installed prepares an application: the programs that it needs, and the directories that its servers write to.
func installed(directories ...string) func(*stack) error {
	return func(s *stack) error {
		if _, err := bed.Run(s.script("install.sh")); err != nil {
			return err
		}
		for _, name := range directories {
			if err := s.directory(name); err != nil {
				return err
			}
		}
		return nil
	}
}

// directory makes a directory that the servers' account owns.
func (s *stack) directory(name string) error {
	return bed.Account(s.account).Directories(s.dir, name)
}

// command is how a script runs as the servers' account, on one processor, with the parameters in its environment.
func (s *stack) command(core int, argv ...string) []string {
	out := append(s.first(core), bed.Account(s.account).As()...)
	out = append(out, "--pdeathsig", "TERM", "env", "ROOT="+s.root, "DEMO="+s.dir, "DEMO_USER="+s.account)
	for name, port := range s.ports {
		out = append(out, fmt.Sprintf("%s=%d", name, port))
	}
	for name, value := range s.params {
		out = append(out, name+"="+value)
	}
	return append(out, argv...)
}

// first is the command that runs a program on one processor (unless all processors are for all programs) and with
// priority over others: the truth of a scenario must not depend on what else the machine does, or on the number of
// exporters.
func (s *stack) first(core int) []string {
	out := []string{"nice", "-n", strconv.Itoa(s.nice)}
	if p := realTime(); p > 0 {
		out = append(out, "chrt", "-r", strconv.Itoa(p+1))
	}
	if s.spread {
		return out
	}
	return append(out, "taskset", "-c", strconv.Itoa(core))
}

// run runs a script to its end.
func (s *stack) run(argv ...string) error {
	_, err := bed.Run(s.command(others(), argv...)...)
	return err
}

// part starts a server and waits until ready says so.
func (s *stack) part(name string, core int, ready func() error, argv ...string) error {
	p, err := s.bed.Start(name, s.command(core, argv...)...)
	if err != nil {
		return err
	}
	s.parts[name] = p
	return bed.WaitFor(60*time.Second, func() error {
		if err := p.Ended(); err != nil {
			return err
		}
		return ready()
	})
}

// stop ends the servers in the order of asking, gently: a database that is killed has to recover at its next start.
func (s *stack) stop() {
	if s.beside != nil {
		s.beside.stop()
	}
	for i := range s.tiers {
		p := s.parts[s.tiers[i].name]
		if p == nil || p.Ended() != nil {
			continue
		}
		_ = syscall.Kill(p.PID, syscall.SIGCONT)
		_ = syscall.Kill(p.PID, syscall.SIGTERM)
		_ = bed.WaitFor(20*time.Second, func() error {
			if p.Ended() != nil {
				return nil
			}
			return fmt.Errorf("%s still runs", p.Name)
		})
	}
	s.ungroup()
}

// database starts MariaDB on a processor, with the options that the scenario adds.
func (s *stack) database(name string, core int) error {
	argv := append([]string{s.demo("mariadb/start.sh")}, strings.Fields(s.params["MARIADB_OPTIONS"])...)
	return s.part(name, core, s.mariadbAnswers, argv...)
}

// postgresql starts PostgreSQL on a processor, with the application's data in it.
func (s *stack) postgresql(name string, core int) error {
	prepare := s.script("prepare.sh")
	if err := s.run(prepare, "data"); err != nil {
		return err
	}
	if err := s.part(name, core, s.postgresqlAnswers, s.script("start.sh"), "postgresql"); err != nil {
		return err
	}
	return s.run(prepare, "load")
}

// postgresqlAnswers reports whether the application's PostgreSQL does. One that was killed recovers first: it listens
// meanwhile, and refuses everybody.
func (s *stack) postgresqlAnswers() error {
	_, err := bed.Run(filepath.Join(s.root, ".cache/debian/usr/lib/postgresql/15/bin/pg_isready"), "-q",
		"-h", "127.0.0.1", "-p", strconv.Itoa(s.ports["POSTGRESQL_PORT"]))
	return err
}

// pids are the processes of a tier: the one that was started, and its children.
func (s *stack) pids(name string) []int {
	p := s.parts[name]
	if p == nil {
		return nil
	}
	out := []int{p.PID}
	children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", p.PID, p.PID))
	for _, field := range strings.Fields(string(children)) {
		if pid, err := strconv.Atoi(field); err == nil {
			out = append(out, pid)
		}
	}
	return out
}

// core is the processor of a tier of the board.
func (s *stack) core(tier string) int {
	if s.own == tier || s.own == everyTier {
		return middle()
	}
	return others()
}

// middle and others are the processors of the tier in the middle, which computes most, and of everything else. On one
// processor for all, the tiers would compete for it, and every queue would grow when any other one does.
func middle() int { return bed.Processors()[len(bed.Processors())-1] }
func others() int { return bed.Processors()[0] }
