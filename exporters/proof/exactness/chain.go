// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// pages is a script for wrk: a reader of the bulletin board with think times. Args are those of bed.Pace.
const pages = bed.Pace + `
function request()
  local n = math.random(100)
  local path
  if n <= 20 then path = "/StoriesOfTheDay?id=" .. math.random(50)
  elseif n <= 60 then path = "/ViewStory?id=" .. math.random(3900)
  elseif n <= 80 then path = "/ViewComment?id=" .. math.random(39000)
  elseif n <= 90 then path = "/Search?word=lom&id=" .. math.random(3000)
  else path = "/AuthorPage?id=" .. math.random(2000) end
  return wrk.format("GET", path)
end
`

// own are the servers' own counts.
type own struct{ httpd, tomcat, mariadb int64 }

func (s *stack) own() (o own, err error) {
	if o.httpd, err = bed.Accesses(s.url("server-status?auto")); err != nil {
		return o, err
	}
	if o.tomcat, err = s.requests(); err != nil {
		return o, err
	}
	o.mariadb, err = s.commands()
	return o, err
}

// threeTiers checks httpd, Tomcat and MariaDB of the demo in one run: counts, windows, and Tomcat stopped.
func threeTiers(r *figures.Report, exporter, root string, duration time.Duration) error {
	if _, err := os.Stat(root + "/deploy/demo/install.sh"); err != nil {
		return fmt.Errorf("the demo's servers are needed: %w", err)
	}
	b, err := bed.New()
	if err != nil {
		return err
	}
	defer b.Close()
	s, err := startStack(b, root)
	if err != nil {
		return err
	}
	targets := []target{
		{tier: "httpd", port: s.httpdPort, protocol: http},
		{tier: "tomcat", port: s.ajpPort, protocol: ajp},
		{tier: "mariadb", port: s.dbPort, protocol: mysql},
	}
	m, err := newMeasurement(b, exporter, targets)
	if err != nil {
		return err
	}
	if err := s.counted(r, m, duration); err != nil {
		return err
	}
	r.Section("Tomcat stopped by SIGSTOP for %s, behind httpd", pause)
	return freeze(r, m, targets[1], []int{s.tomcat.PID}, func() error {
		_, err := s.load(4, 60, 300).Run()
		return err
	})
}

func (s *stack) load(seconds, connections, think int) bed.Wrk {
	return bed.Wrk{
		Threads: 1, Connections: connections, Duration: time.Duration(seconds+2) * time.Second, URL: s.url(""),
		Script: s.bed.Path("pages.lua"), Args: []string{strconv.Itoa(seconds), strconv.Itoa(think)},
	}
}

func (s *stack) counted(r *figures.Report, m *measurement, duration time.Duration) error {
	if _, err := s.bed.Write("pages.lua", pages); err != nil {
		return err
	}
	r.Section("httpd, Tomcat and MariaDB under wrk, 60 connections for %s", duration)
	if _, err := s.load(3, 60, 100).Run(); err != nil { // the first pages compile and connect
		return err
	}
	first, err := s.own()
	if err != nil {
		return err
	}
	before, err := s.own()
	if err != nil {
		return err
	}
	var result bed.Result
	seen, err := m.during(true, func() (err error) {
		result, err = s.load(int(duration.Seconds()), 60, 200).Run()
		return err
	})
	if err != nil {
		return err
	}
	after, err := s.own()
	if err != nil {
		return err
	}
	if result.Errors != "" {
		return fmt.Errorf("wrk saw failures, so its count is no reference: %s", result.Errors)
	}
	r.Note("%d requests; %d packets captured, %d dropped", result.Requests, seen.packets, seen.dropped)
	r.Check(seen.dropped == 0, "packets that the capture dropped: %d", seen.dropped)
	// asking itself causes requests to the servers; two questions in a row show how many
	completions := func(tier string) int64 { return seen.grown("nstar_tier_completions_total", tier) }
	r.Equal("httpd completions", completions("httpd"), after.httpd-before.httpd-(before.httpd-first.httpd),
		"Total Accesses")
	r.Equal("tomcat completions", completions("tomcat"), after.tomcat-before.tomcat, "requestCount of its connector")
	r.Equal("mariadb completions", completions("mariadb"), after.mariadb-before.mariadb-(before.mariadb-first.mariadb),
		"Questions, prepared statements and pings")
	for _, t := range m.targets {
		r.Equal(t.tier+" arrivals", seen.grown("nstar_tier_arrivals_total", t.tier), completions(t.tier), "completions")
		if err := seen.againstCapture(r, t); err != nil {
			return err
		}
	}
	return nil
}
