// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// processors are those that this process may use.
func processors() (out []int, err error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, err
	}
	for cpu := range len(set) * 64 {
		if set.IsSet(cpu) {
			out = append(out, cpu)
		}
	}
	return out, nil
}

// keep keeps all threads of a server on some processors.
func keep(pid int, cpus []int) error {
	var set unix.CPUSet
	for _, cpu := range cpus {
		set.Set(cpu)
	}
	family, err := bed.Family(pid)
	if err != nil {
		return err
	}
	for _, p := range family {
		tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", p))
		if err != nil {
			return err
		}
		for _, task := range tasks {
			tid, _ := strconv.Atoi(task.Name())
			if err := unix.SchedSetaffinity(tid, &set); err != nil && !errors.Is(err, unix.ESRCH) {
				return err
			}
		}
	}
	return nil
}

// once is one load on one placement.
type once struct {
	perSecond float64
	cpu       float64 // seconds of the server, by the kernel's own accounting
	requests  float64
	cores     map[string]float64 // seconds by processor, as the exporter says
	moves     float64
}

// measurement is both placements of one server.
type measurement struct {
	options
	server       server
	exporter     *bed.Exporter
	all          []int
	free, pinned []once
}

// warm loads the server once, so that the exporter has seen it and caches are filled.
func (m *measurement) warm() error {
	if err := keep(m.server.pid, m.all); err != nil {
		return err
	}
	_, err := m.load()
	return err
}

func (m *measurement) rounds() error {
	last := m.all[len(m.all)-1:]
	for range m.options.rounds {
		for _, step := range []struct {
			cpus []int
			to   *[]once
		}{{m.all, &m.free}, {last, &m.pinned}, {last, &m.pinned}, {m.all, &m.free}} {
			if err := keep(m.server.pid, step.cpus); err != nil {
				return err
			}
			got, err := m.load()
			if err != nil {
				return err
			}
			*step.to = append(*step.to, got)
		}
	}
	return nil
}

// load sends requests from the first processor, where wrk always is, and reads the result.
func (m *measurement) load() (out once, err error) {
	before, err := m.counters()
	if err != nil {
		return out, err
	}
	first := []string{"taskset", "-c", strconv.Itoa(m.all[0])}
	w, err := bed.Wrk{Threads: 1, Connections: m.connections, Duration: m.length, URL: m.server.url,
		Prefix: first}.Run()
	if err != nil {
		return out, err
	}
	after, err := m.atRest()
	if err != nil {
		return out, err
	}
	out = once{perSecond: w.PerSecond, requests: float64(w.Requests), cpu: after.cpu - before.cpu,
		moves: after.moves - before.moves}
	out.cores = make(map[string]float64)
	for cpu, v := range after.cores {
		out.cores[cpu] = v - before.cores[cpu]
	}
	return out, nil
}

// atRest reads the counters when all of the load is in them: on a busy machine the exporter may be seconds behind.
func (m *measurement) atRest() (c once, err error) {
	last := -1.0
	err = bed.WaitFor(time.Minute, func() error {
		time.Sleep(settled)
		if c, err = m.counters(); err != nil {
			return err
		}
		if now := c.ran(); now-last > 0.005 {
			last = now
			return errors.New("the exporter's counts do not come to rest")
		}
		return nil
	})
	return c, err
}

// counters reads both sides' figures so far.
func (m *measurement) counters() (c once, err error) {
	family, err := bed.Family(m.server.pid)
	if err != nil {
		return c, err
	}
	for _, pid := range family {
		s, err := bed.CPUSeconds(pid)
		if err != nil {
			return c, err
		}
		c.cpu += s
	}
	metrics, err := m.exporter.Metrics()
	if err != nil {
		return c, err
	}
	c.moves, _ = metrics.Value("nstar_tier_migrations_total", "tier", m.server.name)
	c.cores = make(map[string]float64)
	for _, s := range metrics.Select("nstar_tier_core_seconds_total", "tier", m.server.name) {
		c.cores[s.Labels["cpu"]] += s.Value
	}
	return c, nil
}
