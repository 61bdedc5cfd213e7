// SPDX-License-Identifier: Apache-2.0

package hsperf

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// The format is that of hotspot/share/runtime/perfMemory.hpp, version 2: a
// prologue of 32 bytes, then entries that are added but never moved.
const (
	prologueBytes = 32
	entryBytes    = 20
	majorVersion  = 2
	// maxFileBytes bounds how much is read, once, of a file that claims to have counters; the usual size
	// is 32 KiB.
	maxFileBytes = 1 << 20
	// maxPartBytes bounds how much every poll reads; HotSpot's counters of interest are within 8 KiB.
	maxPartBytes = 32 << 10
	// maxCounters is more than any machine has.
	maxCounters = 4096
	// maxCollectors is more than any collector has.
	maxCollectors = 16
)

var magic = []byte{0xca, 0xfe, 0xc0, 0xc0}

// layout is where in the file the counters of interest are.
type layout struct {
	order      binary.ByteOrder
	collectors []collectorAt
	ticksAt    int // offset of sun.os.hrt.ticks, 0 if there is none
	// safepointAt is that of sun.rt.safepointTime, which lies apart from the others.
	safepointAt int
	// countAt is the place of sun.rt.safepoints, for a machine whose collector counts its concurrent work with its
	// pauses; otherwise 0.
	countAt int
	// causeAt and causeBytes are place and length of the text of sun.gc.cause; 0 if there is none.
	causeAt, causeBytes int
	nanos               float64 // nanoseconds per tick
	vmBegin             int64   // wall clock in ms at which the machine began, 0 if unknown
	begin, end          int     // the part of the file that holds all these counters
}

// collectorAt has the offsets of one collector's counters.
type collectorAt struct {
	invocations, time, entry, exit int
}

// counters are the values of one collector, times in nanoseconds since the
// machine began.
type counters struct {
	invocations, time, entry, exit int64
}

// entry is one counter of the directory.
type entry struct {
	name   string
	offset int  // of the value, from the file's beginning
	long   bool // a 64-bit number; otherwise text
	text   string
	bytes  int // for which there is room in a text
}

// parseLayout finds the counters. The data is not to be trusted: another user's
// process writes it.
func parseLayout(data []byte) (*layout, error) {
	l := &layout{order: binary.LittleEndian, nanos: 1}
	if len(data) < prologueBytes || !bytes.Equal(data[:4], magic) {
		return nil, fmt.Errorf("%w: not a file of HotSpot", ErrMalformed)
	}
	if data[4] == 0 {
		l.order = binary.BigEndian
	}
	if data[5] != majorVersion {
		return nil, fmt.Errorf("%w: version %d is unknown", ErrMalformed, data[5])
	}
	if data[7] == 0 {
		return nil, ErrStarting
	}
	found := make(map[string]entry)
	if err := l.directory(data, func(e entry) {
		if len(found) < maxCounters && strings.HasPrefix(e.name, "sun.") {
			found[e.name] = e
		}
	}); err != nil {
		return nil, err
	}
	number := func(name string) int64 {
		if e := found[name]; e.long {
			return int64(l.order.Uint64(data[e.offset:]))
		}
		return 0
	}
	if hz := number("sun.os.hrt.frequency"); hz > 0 {
		l.nanos = 1e9 / float64(hz)
	}
	l.vmBegin = number("sun.rt.createVmBeginTime")
	if found["sun.rt.createVmBeginTime"].long && l.vmBegin == 0 {
		return nil, ErrStarting // it is written when the machine is complete
	}
	if l.vmBegin < 0 || l.vmBegin > math.MaxInt64/2_000_000 {
		l.vmBegin = 0
	}
	concurrent := false
	for i := range maxCollectors {
		prefix := "sun.gc.collector." + strconv.Itoa(i) + "."
		concurrent = concurrent || strings.HasPrefix(found[prefix+"name"].text, "Shenandoah")
		c := collectorAt{found[prefix+"invocations"].at(), found[prefix+"time"].at(),
			found[prefix+"lastEntryTime"].at(), found[prefix+"lastExitTime"].at()}
		if min(c.invocations, c.time, c.entry, c.exit) > 0 {
			l.collectors = append(l.collectors, c)
		}
	}
	if len(l.collectors) == 0 {
		return nil, fmt.Errorf("%w: no counters of garbage collection", ErrNoCounters)
	}
	l.ticksAt = found["sun.os.hrt.ticks"].at()
	l.safepointAt = found["sun.rt.safepointTime"].at()
	l.causeAt, l.causeBytes = found["sun.gc.cause"].offset, found["sun.gc.cause"].bytes
	if concurrent {
		if l.countAt = found["sun.rt.safepoints"].at(); min(l.countAt, l.safepointAt) == 0 {
			return nil, ErrConcurrent
		}
	}
	if l.setPart(); l.end-l.begin > maxPartBytes {
		return nil, fmt.Errorf("%w: the counters are spread over %d bytes", ErrMalformed, l.end-l.begin)
	}
	return l, nil
}

// at is the offset of a number, 0 if the entry is none.
func (e entry) at() int {
	if !e.long {
		return 0
	}
	return e.offset
}

// directory visits the entries.
func (l *layout) directory(data []byte, visit func(entry)) error {
	at, n := int64(int32(l.order.Uint32(data[24:]))), int64(int32(l.order.Uint32(data[28:])))
	if at < prologueBytes || n < 0 {
		return fmt.Errorf("%w: the directory is outside", ErrMalformed)
	}
	size := int64(len(data))
	for i := range n {
		if at+entryBytes > size {
			return fmt.Errorf("%w: entry %d of %d is outside", ErrMalformed, i, n)
		}
		e := data[at:]
		word := func(i int) int64 { return int64(int32(l.order.Uint32(e[i:]))) }
		length, name, vector, value := word(0), word(4), word(8), word(16)
		if length < entryBytes || at+length > size || name < entryBytes || name >= length || value < entryBytes ||
			value > length || vector < 0 {
			return fmt.Errorf("%w: entry %d of %d is not one", ErrMalformed, i, n)
		}
		e = e[:length]
		text, _, ok := bytes.Cut(e[name:], []byte{0})
		if !ok {
			return fmt.Errorf("%w: the name of entry %d does not end", ErrMalformed, i)
		}
		found := entry{name: string(text), offset: int(at + value)}
		switch kind := e[12]; {
		case kind == 'J' && vector == 0 && value+8 <= length:
			found.long = true
		case kind == 'B' && vector > 0 && value+vector <= length:
			text, _, _ = bytes.Cut(e[value:value+vector], []byte{0})
			found.text, found.bytes = string(text), int(vector)
		}
		visit(found)
		at += length
	}
	return nil
}

// setPart finds the smallest part of the file that a poll has to read.
func (l *layout) setPart() {
	l.begin, l.end = math.MaxInt, 0
	cover := func(offset, bytes int) {
		l.begin, l.end = min(l.begin, offset), max(l.end, offset+bytes)
	}
	include := func(offset int) { cover(offset, 8) }
	for _, c := range l.collectors {
		include(c.invocations)
		include(c.time)
		include(c.entry)
		include(c.exit)
	}
	if l.ticksAt > 0 {
		include(l.ticksAt)
	}
	if l.countAt > 0 {
		include(l.countAt)
		include(l.safepointAt)
	}
	if l.causeBytes > 0 {
		cover(l.causeAt, l.causeBytes)
	}
}

// stalled reports whether the machine collects because threads wait for memory.
func (l *layout) stalled(part []byte) bool {
	text, _, _ := bytes.Cut(part[l.causeAt-l.begin:][:l.causeBytes], []byte{0})
	return string(text) == allocationStall
}

// counters reads the values of collector i from that part.
func (l *layout) counters(part []byte, i int) counters {
	c := l.collectors[i]
	return counters{
		invocations: l.long(part, c.invocations),
		time:        l.scale(l.long(part, c.time)),
		entry:       l.scale(l.long(part, c.entry)),
		exit:        l.scale(l.long(part, c.exit)),
	}
}

// ticks reads the machine's idea of the present, 0 if it publishes none.
func (l *layout) ticks(part []byte) int64 {
	if l.ticksAt == 0 {
		return 0
	}
	return l.scale(l.long(part, l.ticksAt))
}

func (l *layout) long(part []byte, offset int) int64 {
	return int64(l.order.Uint64(part[offset-l.begin:]))
}

// scale turns ticks into nanoseconds: the same thing on every Linux since JDK 8. A value that no machine can
// have counted (146 years) becomes 0, so that sums of a few do not overflow.
func (l *layout) scale(ticks int64) int64 {
	ns := ticks
	if l.nanos != 1 {
		f := float64(ticks) * l.nanos
		if !(f >= 0 && f < math.MaxInt64/2) {
			return 0
		}
		ns = int64(f)
	}
	if ns < 0 || ns > math.MaxInt64/2 {
		return 0
	}
	return ns
}
