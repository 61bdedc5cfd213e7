// SPDX-License-Identifier: Apache-2.0

package cores

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Event is something that processors can count.
type Event struct {
	Name   string // as perf list writes it
	kind   uint32
	config uint64
}

// CacheMisses are the events that count misses of the last-level cache, the better one first. AMD's processors have
// only the second one, and it counts misses of their second level.
var CacheMisses = []Event{
	{"LLC-load-misses", unix.PERF_TYPE_HW_CACHE,
		unix.PERF_COUNT_HW_CACHE_LL | unix.PERF_COUNT_HW_CACHE_OP_READ<<8 | unix.PERF_COUNT_HW_CACHE_RESULT_MISS<<16},
	{"cache-misses", unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_CACHE_MISSES},
}

// open counts the event on one processor, for everything that runs there.
func (e Event) open(cpu int) (*os.File, error) {
	attr := &unix.PerfEventAttr{
		Type: e.kind, Config: e.config, Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{})),
		Read_format: unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING,
	}
	fd, err := unix.PerfEventOpen(attr, -1, cpu, -1, unix.PERF_FLAG_FD_CLOEXEC)
	switch {
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.ENODEV), errors.Is(err,
		unix.EINVAL):
		return nil, ErrNoCounter
	case err != nil:
		return nil, fmt.Errorf("counting %s: %w", e.Name, err)
	}
	return os.NewFile(uintptr(fd), e.Name), nil
}

// reading is a counter and, in nanoseconds, the time for which it should have counted and the time for which it did.
type reading struct{ counted, enabled, running uint64 }

func readCounter(f io.Reader) (r reading, err error) {
	var b [24]byte
	if _, err := io.ReadFull(f, b[:]); err != nil {
		return r, err
	}
	at := func(i int) uint64 { return binary.NativeEndian.Uint64(b[8*i:]) }
	return reading{at(0), at(1), at(2)}, nil
}

// scaled is the count scaled to the whole time, as perf stat does it; 0 if the counter never ran.
func (r reading) scaled() float64 {
	if r.running == 0 {
		return 0
	}
	return float64(r.counted) * float64(r.enabled) / float64(r.running)
}
