// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

func init() {
	register("frequency", "Part of the nominal clock that even the fastest of the processors lacked that the tier "+
		"may run on in the window: heat, a limit of power, or a governor that saves it.", openFrequency)
}

// frequency reads the clock frequencies of the processors (cpufreq). Idle processors are slow, as they should be. So
// the fastest processor on which a tier may run counts: if that is slow, the tier is slow.
type frequency struct {
	*shared
	sys     fs.FS
	nominal map[int]float64 // of each processor, kHz
	tiers   map[window.Station]unix.CPUSet
	clocks  []clocks // recent readings, in order
	next    time.Duration
}

// clocks is one reading: the share of its nominal frequency that each processor had.
type clocks struct {
	at  time.Duration
	had map[int]float64
}

const (
	// frequencyInterval is the shortest time between two readings, and frequencyShare the share of a processor that
	// they may use.
	frequencyInterval = 200 * time.Millisecond
	frequencyShare    = 0.005
)

func openFrequency(s *shared) (Collector, error) { return newFrequency(s, os.DirFS(sysRoot)) }

// newFrequency reads a tree like /sys/devices/system/cpu.
func newFrequency(s *shared, sys fs.FS) (*frequency, error) {
	f := &frequency{shared: s, sys: sys, nominal: make(map[int]float64), tiers: make(map[window.Station]unix.CPUSet)}
	dirs, err := fs.Glob(sys, "cpu[0-9]*/cpufreq")
	if err != nil {
		return nil, err
	}
	for _, dir := range dirs {
		cpu, err := strconv.Atoi(strings.TrimPrefix(path.Dir(dir), "cpu"))
		if err != nil {
			continue
		}
		nominal, ok := f.kilohertz(cpu, "base_frequency") // without the boost that a processor has for a while
		if !ok {
			nominal, ok = f.kilohertz(cpu, "cpuinfo_max_freq")
		}
		if _, now := f.kilohertz(cpu, "scaling_cur_freq"); ok && now && nominal > 0 {
			f.nominal[cpu] = nominal
		}
	}
	if len(f.nominal) == 0 {
		return nil, errors.New("the kernel reports no clock frequencies of processors (cpufreq); virtual machines " +
			"have none")
	}
	return f, nil
}

func (c *frequency) kilohertz(cpu int, name string) (float64, bool) {
	text, err := fs.ReadFile(c.sys, path.Join("cpu"+strconv.Itoa(cpu), "cpufreq", name))
	if err != nil {
		return 0, false
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
	return v, err == nil // some drivers write <unknown>
}

func (c *frequency) Follow(tiers []Tier) { c.tiers = allowed(tiers) }

// allowed returns the processors on which each tier may run, from the first of its processes that still lives.
func allowed(tiers []Tier) map[window.Station]unix.CPUSet {
	out := make(map[window.Station]unix.CPUSet, len(tiers))
	for _, t := range tiers {
		if set, ok := discovery.FirstAlive(t.PIDs, discovery.Affinity); ok {
			out[t.Station] = set
		}
	}
	return out
}

func (c *frequency) Poll(now time.Duration) {
	if now < c.next {
		return
	}
	began := time.Now()
	had := make(map[int]float64, len(c.nominal))
	for cpu, nominal := range c.nominal {
		if v, ok := c.kilohertz(cpu, "scaling_cur_freq"); ok {
			had[cpu] = v / nominal
		}
	}
	for len(c.clocks) > 0 && c.clocks[0].at < now-spansKept {
		c.clocks = c.clocks[1:]
	}
	c.clocks = append(c.clocks, clocks{now, had})
	c.next = now + max(frequencyInterval, time.Duration(float64(time.Since(began))/frequencyShare))
}

// Share is the value of the reading that is nearest to the window's end.
func (c *frequency) Share(tier window.Station, w Window) float64 {
	set, ok := c.tiers[tier]
	if !ok {
		return math.NaN()
	}
	nearest := -1
	for i := range c.clocks {
		if nearest < 0 || (c.clocks[i].at-w.To).Abs() < (c.clocks[nearest].at-w.To).Abs() {
			nearest = i
		}
	}
	if nearest < 0 {
		return math.NaN()
	}
	fastest := math.NaN()
	for cpu, v := range c.clocks[nearest].had {
		if set.IsSet(cpu) && !(fastest >= v) {
			fastest = v
		}
	}
	return max(0, 1-fastest)
}
