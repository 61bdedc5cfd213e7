// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"bytes"
	"time"
)

// dated turns the starts of tiers, which count from the machine's boot, into Unix times. The time of the boot
// changes if the clock is set, and is otherwise the same at each scan. If it can't be read, no start is known.
func (fs *procfs) dated(tiers []Tier) {
	boot, ok := fs.boot()
	for i := range tiers {
		if ok {
			tiers[i].Start += boot
		} else {
			tiers[i].Start = 0
		}
	}
}

// boot is when the machine was started, as the Unix time in whole seconds.
func (fs *procfs) boot() (time.Duration, bool) {
	all, err := fs.read(fs.root + "/stat")
	if err != nil {
		return 0, false
	}
	for line := range bytes.Lines(all) {
		if number, ok := bytes.CutPrefix(line, []byte("btime ")); ok {
			seconds, ok := decimal(bytes.TrimRight(number, "\n"))
			return time.Duration(seconds) * time.Second, ok
		}
	}
	return 0, false
}
