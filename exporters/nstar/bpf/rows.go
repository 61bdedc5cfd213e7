// SPDX-License-Identifier: Apache-2.0

package bpf

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/cilium/ebpf"
)

// presentPath lists the processors that the machine has, online or not. Those of /sys/devices/system/cpu/possible may
// be many more: virtual machines leave room for processors that may be added, up to 128 with some hypervisors.
const presentPath = "/sys/devices/system/cpu/present"

// Rows says for which processors tables have rows. If a processor that is added later can write to another place, it
// does, so that memory depends on the processors that a machine has.
type Rows struct {
	Own int // of the processors 0 to Own-1 each has a row of its own
	All int // one more than Own, which the others share, if there may be others
}

// RowsOf makes rows for the first processors; 0: for all that the machine has, which may be offline.
func RowsOf(processors int) (Rows, error) {
	possible, err := ebpf.PossibleCPU()
	if err != nil {
		return Rows{}, err
	}
	if processors == 0 {
		text, err := os.ReadFile(presentPath)
		if err != nil {
			return Rows{}, err
		}
		if processors, err = countPresent(string(text)); err != nil {
			return Rows{}, fmt.Errorf("%s: %w", presentPath, err)
		}
	}
	return rowsFor(processors, possible), nil
}

func rowsFor(processors, possible int) Rows {
	own := min(processors, possible)
	return Rows{Own: own, All: min(own+1, possible)}
}

// countPresent counts the processors up to the last one of the kernel's list, such as 0-3,8, as they are numbered.
func countPresent(list string) (int, error) {
	list = strings.TrimSpace(list)
	last, err := strconv.ParseUint(list[strings.LastIndexAny(list, "-,")+1:], 10, 16)
	if err != nil {
		return 0, fmt.Errorf("%q is no list of processors", list)
	}
	return int(last) + 1, nil
}
