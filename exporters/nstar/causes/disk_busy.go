// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/window"
)

func init() {
	register("disk_busy", "Share of the window for which the tier's disk, or the host's busiest one where that is "+
		"not known, had requests (utilization, as in iostat -x).", func(s *shared) (Collector, error) {
		d, err := s.blockDevices()
		return &diskLoad{d, busyTime}, err
	})
	register("disk_queue", "Requests at the tier's disk, or at the host's busiest one where that is not known, on "+
		"average over the time in the window: those that are done, each for as long as it took (aqu-sz of iostat -x).",
		func(s *shared) (Collector, error) {
			d, err := s.blockDevices()
			return &diskLoad{d, queueTime}, err
		})
}

// Columns of /sys/block/DISK/stat, in ms: for how long the disk had requests, and the sum of the times that all
// requests took (Documentation/block/stat.rst of the kernel).
const (
	busyTime  = 9
	queueTime = 10
)

const (
	// devicesInterval is the shortest time between two readings of up to devicesAtOnce disks. More disks are read
	// less often, and in calm times all are.
	devicesInterval = 50 * time.Millisecond
	devicesAtOnce   = 16
)

// devices are the disks of the host, with the increases of their counters.
type devices struct {
	root   string // where the kernel shows the disks
	shared *shared
	disks  map[string]*device
	next   time.Duration
	// of returns a tier's disks by major and minor number, as far as they are known.
	of func(window.Station) []uint32
}

type device struct {
	number uint32 // major and minor number, as in package diskuse
	stat   *reader
	at     time.Duration
	last   map[int]float64 // seconds, by column
	grown  map[int]*spans
}

// blockDevices opens the disks when the first collector needs them.
func (s *shared) blockDevices() (*devices, error) {
	if s.devices != nil {
		return s.devices, nil
	}
	d := &devices{root: "/sys/block", shared: s}
	if err := d.find(); err != nil {
		return nil, err
	}
	s.devices = d
	return d, nil
}

// find looks which disks there are.
func (d *devices) find() error {
	names, err := os.ReadDir(d.root)
	if err != nil {
		return err
	}
	before := d.disks
	d.disks = make(map[string]*device)
	for _, n := range names {
		name := n.Name()
		if one := before[name]; one != nil {
			d.disks[name] = one
			continue
		}
		if one := d.open(name); one != nil {
			d.disks[name] = one
		}
	}
	for name, one := range before {
		if d.disks[name] == nil {
			one.stat.close()
		}
	}
	if len(d.disks) == 0 {
		return fmt.Errorf("%s shows no disk", d.root)
	}
	return nil
}

// open opens a disk; nil if it is not a real one: memory, a device that hands its requests on to other disks (device
// mapper, RAID), which count themselves, or a drive with nothing in it.
func (d *devices) open(name string) *device {
	dir := filepath.Join(d.root, name)
	if strings.HasPrefix(name, "ram") || strings.HasPrefix(name, "zram") {
		return nil
	}
	if below, err := os.ReadDir(filepath.Join(dir, "slaves")); err == nil && len(below) > 0 {
		return nil
	}
	size, _ := os.ReadFile(filepath.Join(dir, "size"))
	number, err := os.ReadFile(filepath.Join(dir, "dev"))
	if err != nil || strings.TrimSpace(string(size)) == "0" {
		return nil
	}
	var major, minor uint32
	if n, err := fmt.Sscanf(string(number), "%d:%d", &major, &minor); err != nil || n != 2 {
		return nil
	}
	stat, err := openReader(filepath.Join(dir, "stat"))
	if err != nil {
		return nil
	}
	return &device{number: major<<20 | minor, stat: stat, last: make(map[int]float64),
		grown: map[int]*spans{busyTime: {}, queueTime: {}}}
}

func (d *devices) poll(now time.Duration) {
	if now < d.next {
		return
	}
	d.next = now + d.shared.every(devicesInterval)*time.Duration(1+len(d.disks)/devicesAtOnce)
	for _, one := range d.disks {
		one.poll(now)
	}
}

func (d *device) poll(now time.Duration) {
	text, err := d.stat.read()
	fields := strings.Fields(text)
	if err != nil || len(fields) <= queueTime {
		return
	}
	for column, grown := range d.grown {
		ms, err := strconv.ParseUint(fields[column], 10, 64)
		if err != nil {
			return
		}
		v := float64(ms) / 1e3
		if d.at > 0 && v >= d.last[column] {
			grown.add(d.at, now, v-d.last[column])
		}
		d.last[column] = v
	}
	d.at = now
}

// diskLoad is one of the columns.
type diskLoad struct {
	*devices
	column int
}

func (c *diskLoad) Follow([]Tier) { _ = c.find() } // what was there is kept

// Poll reads the disks while any tier has requests.
func (c *diskLoad) Poll(now time.Duration) {
	for tier := range c.shared.asked {
		if c.shared.active(tier, now) {
			c.poll(now)
			return
		}
	}
}

func (c *diskLoad) Share(tier window.Station, w Window) float64 {
	var mine []uint32
	if c.of != nil {
		mine = c.of(tier)
	}
	most := math.NaN()
	for _, one := range c.disks {
		if one.at == 0 || len(mine) > 0 && !slices.Contains(mine, one.number) {
			continue
		}
		if v := one.grown[c.column].share(w.From, w.To); !(most >= v) {
			most = v
		}
	}
	if c.column == busyTime {
		return min(most, 1)
	}
	return most
}
