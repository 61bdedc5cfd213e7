// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// evidence is what the kernel says about a run beside Nstar, so that the truth of a scenario can itself be doubted.
type evidence struct {
	CPU  map[string]float64 `json:"cpu"`  // of one processor, by tier
	Idle float64            `json:"idle"` // of all processors, 0 to 1
}

func (e evidence) String() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(e.CPU)) {
		fmt.Fprintf(&b, "%s %.0f %%, ", name, 100*e.CPU[name])
	}
	fmt.Fprintf(&b, "machine idle %.0f %%", 100*e.Idle)
	return b.String()
}

// meter reads processor times and remembers those before.
type meter struct {
	stack *stack
	at    time.Time
	tiers map[string]float64 // seconds used so far
	idle  float64
}

func newMeter(s *stack) *meter {
	m := &meter{stack: s}
	m.read()
	return m
}

// read says what was used since the call before.
func (m *meter) read() evidence {
	now := meter{stack: m.stack, at: time.Now(), tiers: make(map[string]float64), idle: idleSeconds()}
	for _, t := range m.stack.tiers {
		for _, pid := range m.stack.pids(t.name) {
			now.tiers[t.name] += cpuSeconds(pid)
		}
	}
	e := evidence{CPU: make(map[string]float64)}
	if length := now.at.Sub(m.at).Seconds(); !m.at.IsZero() && length > 0 {
		for name, used := range now.tiers {
			e.CPU[name] = max(0, used-m.tiers[name]) / length
		}
		e.Idle = (now.idle - m.idle) / length / float64(len(processors()))
	}
	*m = now
	return e
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
