// SPDX-License-Identifier: Apache-2.0

package clock

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// namespaceOffset is what the time namespace of this process (a container may have one) adds to CLOCK_MONOTONIC. The
// kernel programs read the clock without it, so that the exporter would look for windows where none were written. A
// process keeps its namespace: the offset is read once.
var namespaceOffset = sync.OnceValue(func() time.Duration {
	f, err := os.Open("/proc/self/timens_offsets")
	if err != nil {
		return 0 // the kernel has no time namespaces
	}
	defer f.Close()
	return parseOffset(f)
})

// parseOffset finds CLOCK_MONOTONIC's in the file: its name, seconds and nanoseconds; 0 if it is not there.
func parseOffset(r io.Reader) time.Duration {
	for lines := bufio.NewScanner(r); lines.Scan(); {
		var name string
		var s, ns int64
		if _, err := fmt.Sscan(lines.Text(), &name, &s, &ns); err == nil && name == "monotonic" {
			return time.Duration(s)*time.Second + time.Duration(ns)
		}
	}
	return 0
}
