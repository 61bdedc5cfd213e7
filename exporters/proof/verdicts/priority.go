// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// autogroup is the priority of this session. If Linux schedules sessions (sched_autogroup), the priority of a
// process counts only within its session.
const autogroup = "/proc/self/autogroup"

// ahead gives this session a priority until the function that it returns is called.
func ahead(nice int) (restore func()) {
	text, err := os.ReadFile(autogroup) // "/autogroup-12 nice 0"
	if err != nil {
		return func() {} // sessions are not scheduled here
	}
	fields := strings.Fields(string(text))
	before := fields[len(fields)-1]
	set := func(value string) { _ = os.WriteFile(autogroup, []byte(value), 0) } // without it the run is slower, no more
	set(strconv.Itoa(nice))
	return func() { set(before) }
}

// realTime is the priority of this program in a real-time class; 0 in the usual ones.
func realTime() int {
	a, err := unix.SchedGetAttr(0, 0)
	if err != nil {
		return 0
	}
	return int(a.Priority)
}
