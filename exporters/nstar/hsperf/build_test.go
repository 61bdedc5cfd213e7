// SPDX-License-Identifier: Apache-2.0

package hsperf

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// fileBuilder makes a counters file as HotSpot lays it out.
type fileBuilder struct {
	order binary.ByteOrder
	data  []byte
	at    map[string]int // offsets of the values
	n     uint32
}

func newFile(order binary.ByteOrder) *fileBuilder {
	b := &fileBuilder{order: order, data: make([]byte, prologueBytes), at: make(map[string]int)}
	copy(b.data, magic)
	if order == binary.LittleEndian {
		b.data[4] = 1
	}
	b.data[5], b.data[7] = majorVersion, 1
	return b
}

func (b *fileBuilder) entry(name string, kind byte, vector uint32, value []byte) {
	nameAt := entryBytes
	valueAt := (nameAt + len(name) + 1 + 7) &^ 7
	length := (valueAt + len(value) + 7) &^ 7
	e := make([]byte, length)
	for i, v := range []int{length, nameAt, int(vector)} {
		b.order.PutUint32(e[4*i:], uint32(v))
	}
	e[12] = kind
	b.order.PutUint32(e[16:], uint32(valueAt))
	copy(e[nameAt:], name)
	copy(e[valueAt:], value)
	b.at[name] = len(b.data) + valueAt
	b.data = append(b.data, e...)
	b.n++
	b.order.PutUint32(b.data[24:], prologueBytes)
	b.order.PutUint32(b.data[28:], b.n)
}

func (b *fileBuilder) text(name, value string) *fileBuilder {
	b.entry(name, 'B', uint32(len(value)+1), append([]byte(value), 0))
	return b
}

func (b *fileBuilder) long(name string, value int64) *fileBuilder {
	raw := make([]byte, 8)
	b.order.PutUint64(raw, uint64(value))
	b.entry(name, 'J', 0, raw)
	return b
}

func (b *fileBuilder) collector(i int, name string, v counters) *fileBuilder {
	prefix := fmt.Sprintf("sun.gc.collector.%d.", i)
	return b.text(prefix+"name", name).long(prefix+"invocations", v.invocations).long(prefix+"time", v.time).
		long(prefix+"lastEntryTime", v.entry).long(prefix+"lastExitTime", v.exit)
}

// serial is a file of a machine with the Serial collector.
func serial() *fileBuilder {
	return newFile(binary.LittleEndian).
		text("java.property.java.vm.name", "a HotSpot machine").
		collector(0, "Serial young collection pauses", counters{}).
		collector(1, "Serial full collection pauses", counters{}).
		long("sun.os.hrt.frequency", 1e9).long("sun.os.hrt.ticks", 0)
}

// bench is a machine that the test plays: its file, its clock and the start of
// its ticks on that clock.
type bench struct {
	t     *testing.T
	path  string
	file  *fileBuilder
	start time.Duration
	now   time.Duration
	jvm   *JVM
}

// newBench opens the file with the ticks of the machine exact at that moment.
func newBench(t *testing.T, file *fileBuilder) *bench {
	b := &bench{t: t, path: filepath.Join(t.TempDir(), "1"), file: file, start: 1000 * time.Second,
		now: 1010 * time.Second}
	b.write()
	f, err := os.Open(b.path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	b.jvm, err = follow(f, func() time.Duration { return b.now })
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bench) write() {
	b.t.Helper()
	b.set("sun.os.hrt.ticks", int64(b.now-b.start))
	if err := os.WriteFile(b.path, b.file.data, 0o600); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) set(name string, value int64) {
	if at := b.file.at[name]; at > 0 {
		b.file.order.PutUint64(b.file.data[at:], uint64(value))
	}
}

// poll is what the machine and the poller do at a time in ms since the bench
// began, the counters' times being in that same scale.
func (b *bench) poll(ms int64, collectors ...counters) {
	b.t.Helper()
	b.now = b.at(ms)
	for i, v := range collectors {
		prefix := fmt.Sprintf("sun.gc.collector.%d.", i)
		b.set(prefix+"invocations", v.invocations)
		b.set(prefix+"time", v.time*int64(time.Millisecond))
		b.set(prefix+"lastEntryTime", b.ticks(v.entry))
		b.set(prefix+"lastExitTime", b.ticks(v.exit))
	}
	b.write()
	if err := b.jvm.Poll(b.now); err != nil {
		b.t.Fatal(err)
	}
}

// at is a time in ms since the bench began, ten seconds after the machine.
func (b *bench) at(ms int64) time.Duration {
	return b.start + 10*time.Second + time.Duration(ms)*time.Millisecond
}

// ticks is that as the machine counts; 0 is "not yet".
func (b *bench) ticks(ms int64) int64 {
	if ms == 0 {
		return 0
	}
	return int64(b.at(ms) - b.start)
}
