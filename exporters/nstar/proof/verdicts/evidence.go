// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// evidence is what the kernel says about a run beside Nstar, so that the truth of a scenario can itself be doubted.
type evidence struct {
	CPU     map[string]float64 // of one processor, by tier
	Idle    float64            // of all processors, 0 to 1
	Foreign float64            // the same, for processes that are no part of the run
	Delay   float64            // seconds per second that threads of the tiers were ready to run and had no processor
}

func (e evidence) String() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(e.CPU)) {
		fmt.Fprintf(&b, "%s %.0f %%, ", name, 100*e.CPU[name])
	}
	fmt.Fprintf(&b, "machine idle %.0f %%, others %.0f %%", 100*e.Idle, 100*e.Foreign)
	return b.String()
}

// meter reads processor times and remembers those before.
type meter struct {
	stack *stack
	ours  []int // processes of the run beside the tiers
	at    time.Time
	tiers map[string]float64 // seconds used so far
	rest  float64            // the same, by the other processes of the run
	idle  float64
	delay float64
}

func newMeter(s *stack, ours ...int) *meter {
	m := &meter{stack: s, ours: ours}
	m.read()
	return m
}

// read says what was used since the call before.
func (m *meter) read() evidence {
	now := meter{stack: m.stack, ours: m.ours, at: time.Now(), tiers: make(map[string]float64), idle: idleSeconds()}
	for _, t := range m.stack.tiers {
		for _, pid := range m.stack.pids(t.name) {
			now.tiers[t.name] += cpuSeconds(pid)
			now.delay += delaySeconds(pid)
		}
	}
	for _, pid := range m.ours {
		now.rest += cpuSeconds(pid)
	}
	e := evidence{CPU: make(map[string]float64)}
	if length := now.at.Sub(m.at).Seconds(); !m.at.IsZero() && length > 0 {
		used := (now.rest - m.rest) / length
		for name := range now.tiers {
			e.CPU[name] = max(0, now.tiers[name]-m.tiers[name]) / length
			used += e.CPU[name]
		}
		n := float64(len(processors()))
		e.Idle = (now.idle - m.idle) / length / n
		e.Foreign = max(0, 1-e.Idle-used/n)
		e.Delay = max(0, now.delay-m.delay) / length
	}
	*m = now
	return e
}

// delaySeconds is how long the threads of a process have waited for a processor.
func delaySeconds(pid int) (sum float64) {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	for _, name := range files {
		data, _ := os.ReadFile(name)
		if fields := strings.Fields(string(data)); len(fields) > 1 {
			sum += number(fields[1]) / 1e9
		}
	}
	return sum
}

const ticks = 100 // per second, in /proc on every Linux

// cpuSeconds is what a process has used, user and system.
func cpuSeconds(pid int) float64 {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	// the name in brackets may hold spaces: count from its end
	fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
	if len(fields) < 13 {
		return 0
	}
	return (number(fields[11]) + number(fields[12])) / ticks
}

// idleSeconds of all processors since boot.
func idleSeconds() float64 {
	data, _ := os.ReadFile("/proc/stat")
	fields := strings.Fields(strings.SplitN(string(data), "\n", 2)[0])
	if len(fields) < 6 {
		return 0
	}
	return (number(fields[4]) + number(fields[5])) / ticks
}

func number(s string) float64 {
	f, _ := strconv.ParseFloat(s, 64)
	return f
}

// locked runs f while the file is locked; an empty name means no lock.
func locked(name string, f func() error) error {
	if name == "" {
		return f()
	}
	file, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return err
	}
	defer file.Close() // gives the lock back
	if err := unix.Flock(int(file.Fd()), unix.LOCK_EX); err != nil {
		return err
	}
	return f()
}
