// SPDX-License-Identifier: Apache-2.0

package group

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Device is the one that holds a directory, as "major:minor".
func Device(directory string) (string, error) {
	var stat unix.Stat_t
	if err := unix.Stat(directory, &stat); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d:%d", unix.Major(stat.Dev), unix.Minor(stat.Dev)), nil
}

// Reads limits the group to this many reads per second from a device; 0 is no limit.
func (g *Group) Reads(device string, perSecond int) error {
	return g.operations("blkio.throttle.read_iops_device", "riops", device, perSecond)
}

// Writes limits the group to this many writes per second to a device; 0 is no limit.
func (g *Group) Writes(device string, perSecond int) error {
	return g.operations("blkio.throttle.write_iops_device", "wiops", device, perSecond)
}

// operations sets a limit, by its file in version 1 and its key in version 2.
func (g *Group) operations(file, key, device string, perSecond int) error {
	if g.first {
		return g.set(file, fmt.Sprintf("%s %d", device, perSecond))
	}
	allowed := "max"
	if perSecond > 0 {
		allowed = strconv.Itoa(perSecond)
	}
	return g.set("io.max", fmt.Sprintf("%s %s=%s", device, key, allowed))
}

// HasRead is how many reads the group has done from a device.
func (g *Group) HasRead(device string) (float64, error) {
	name := "io.stat"
	if g.first {
		name = "blkio.throttle.io_serviced"
	}
	text, err := os.ReadFile(filepath.Join(g.dir, name))
	if err != nil {
		return 0, err
	}
	return readsOf(string(text), device), nil
}

// readsOf finds them in a file of version 1 ("254:0 Read 12") or 2 ("254:0 rbytes=8 rios=12 ...").
func readsOf(text, device string) float64 {
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) < 3 || fields[0] != device {
			continue
		}
		if fields[1] == "Read" {
			n, _ := strconv.ParseFloat(fields[2], 64)
			return n
		}
		for _, f := range fields[1:] {
			if n, found := strings.CutPrefix(f, "rios="); found {
				out, _ := strconv.ParseFloat(n, 64)
				return out
			}
		}
	}
	return 0
}
