// SPDX-License-Identifier: Apache-2.0

package hsperf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Files of real machines: OpenJDK 11.0.13, 17.0.15, 21.0.8 and 25, x86-64.
func TestParseLayoutOfRealFiles(t *testing.T) {
	tests := []struct {
		file    string
		want    []counters
		ticks   int64
		vmBegin int64
		err     error
	}{
		{file: "jdk11-cms", ticks: 4211824863, vmBegin: 1795642577543, want: []counters{
			{5, 2041138185, 3641039293, 3641052032}, {2, 460330126, 3641053594, 2930767110},
			{2, 7526353, 3519064142, 3520635467}}},
		{file: "jdk11-g1", ticks: 3979570286, vmBegin: 1795642582118, want: []counters{
			{36, 2592807596, 3938109987, 3916931005}, {1, 267759602, 2785970523, 3053729655}, {}}},
		{file: "jdk21-g1", ticks: 4207289022, vmBegin: 1795642586917, want: []counters{
			{30, 2651082829, 3931463434, 3896756410}, {1, 288107814, 3161683159, 3449790643},
			{3, 5687792, 3874907283, 3879507549}}},
		{file: "jdk21-zgc-generational", ticks: 3724647081, vmBegin: 1795642592952, want: []counters{
			{9, 76234, 3682661032, 3682668583}, {17, 5858185, 3676220701, 3676224477}}},
		{file: "jdk17-serial", ticks: 2454699656, vmBegin: 1795232331632, want: []counters{
			{37, 575373059, 2453980813, 2453995405}, {9, 103860588, 2454007573, 2471631459}}},
		{file: "jdk17-g1", ticks: 2466960383, vmBegin: 1795232336037, want: []counters{
			{196, 886975621, 2484603828, 2486407528}, {}, {30, 10961198, 2473945681, 2474057708}}},
		{file: "jdk25-parallel", vmBegin: 1795232344691, want: []counters{
			{64, 636545338, 2436958706, 2443757566}, {10, 199440949, 2300331408, 2310897216}}},
		{file: "jdk25-zgc", vmBegin: 1795232349111, want: []counters{
			{96, 1230167, 2475564365, 2475568451}, {30, 522757, 933744799, 933763116}}},
		{file: "jdk17-shenandoah", ticks: 2490556552, vmBegin: 1795232340278, want: []counters{
			{}, {544, 841191546, 2476602138, 2476665603}}},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			data, err := os.ReadFile("testdata/" + tt.file + ".hsperf")
			if err != nil {
				t.Fatal(err)
			}
			l, err := parseLayout(data)
			if !errors.Is(err, tt.err) {
				t.Fatalf("error %v, want %v", err, tt.err)
			}
			if tt.err != nil {
				return
			}
			part := data[l.begin:l.end]
			var got []counters
			for i := range l.collectors {
				got = append(got, l.counters(part, i))
			}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(counters{})); diff != "" {
				t.Error(diff)
			}
			if l.ticks(part) != tt.ticks || l.vmBegin != tt.vmBegin || l.nanos != 1 {
				t.Errorf("ticks %d, begin %d, %v ns per tick", l.ticks(part), l.vmBegin, l.nanos)
			}
		})
	}
}

func TestParseLayout(t *testing.T) {
	change := func(at int, b byte) []byte {
		data := bytes.Clone(serial().data)
		data[at] = b
		return data
	}
	var (
		first = prologueBytes
		young = counters{3, 40, 100, 120}
	)
	tests := []struct {
		name string
		data []byte
		want []counters
		err  error
	}{
		{name: "usual", data: serial().data, want: []counters{{}, {}}},
		{name: "big-endian", data: newFile(binary.BigEndian).collector(0, "Copy", young).data, want: []counters{young}},
		{name: "microseconds", data: newFile(binary.LittleEndian).collector(0, "Copy",
			young).long("sun.os.hrt.frequency",
			1e6).data,
			want: []counters{{3, 40_000, 100_000, 120_000}}},
		{name: "negative, too large", data: newFile(binary.LittleEndian).collector(0, "Copy",
			counters{3, -1, -1 << 63, 1<<63 - 1}).data,
			want: []counters{{invocations: 3}}},
		{name: "collectors 0 and 2", data: newFile(binary.LittleEndian).collector(0, "minor",
			young).collector(2, "major",
			young).data,
			want: []counters{young, young}},
		{name: "one counter is missing", data: newFile(binary.LittleEndian).long("sun.gc.collector.0.time", 5).data,
			err: ErrNoCounters},
		{name: "a counter is text", data: newFile(binary.LittleEndian).text("sun.gc.collector.0.time", "5").data,
			err: ErrNoCounters},
		// the directory begins nowhere
		{name: "no counters", data: newFile(binary.LittleEndian).data, err: ErrMalformed},
		{name: "Shenandoah", data: newFile(binary.LittleEndian).collector(0, "Shenandoah full", young).
			long("sun.rt.safepoints", 4).long("sun.rt.safepointTime", 50).data, want: []counters{young}},
		{name: "Shenandoah that counts no safepoints", data: newFile(binary.LittleEndian).collector(0,
			"Shenandoah full", young).data,
			err: ErrConcurrent},
		{name: "starting, counters there", data: serial().long("sun.rt.createVmBeginTime", 0).data, err: ErrStarting},
		{name: "absurd beginning", data: serial().long("sun.rt.createVmBeginTime", 1<<62).data,
			want: []counters{{}, {}}},
		{name: "starting", data: change(7, 0), err: ErrStarting},
		{name: "empty", err: ErrMalformed},
		{name: "prologue only", data: serial().data[:prologueBytes], err: ErrMalformed},
		{name: "cut in an entry", data: serial().data[:len(serial().data)-9], err: ErrMalformed},
		{name: "other magic", data: change(0, 0), err: ErrMalformed},
		{name: "other version", data: change(5, 1), err: ErrMalformed},
		{name: "wrong byte order", data: change(4, 0), err: ErrMalformed},
		{name: "directory before the file", data: change(27, 0x80), err: ErrMalformed},
		{name: "negative number of entries", data: change(31, 0x80), err: ErrMalformed},
		{name: "entry of no length", data: change(first, 0), err: ErrMalformed},
		{name: "entry too long", data: change(first+2, 1), err: ErrMalformed},
		{name: "negative length", data: change(first+3, 0xff), err: ErrMalformed},
		{name: "name in the header", data: change(first+4, 3), err: ErrMalformed},
		{name: "name outside", data: change(first+5, 1), err: ErrMalformed},
		{name: "negative vector", data: change(first+11, 0xff), err: ErrMalformed},
		{name: "value outside", data: change(first+17, 1), err: ErrMalformed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l, err := parseLayout(tt.data)
			if !errors.Is(err, tt.err) {
				t.Fatalf("error %v, want %v", err, tt.err)
			}
			if err != nil {
				return
			}
			var got []counters
			for i := range l.collectors {
				got = append(got, l.counters(tt.data[l.begin:l.end], i))
			}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(counters{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A file that would make every poll read much, or its reader remember much, is refused or cut.
func TestCostIsBounded(t *testing.T) {
	far := newFile(binary.LittleEndian).collector(0, "Serial young collection pauses", counters{}).
		text("java.property.filler", strings.Repeat("x", 2*maxPartBytes)).long("sun.os.hrt.ticks", 1)
	if _, err := parseLayout(far.data); !errors.Is(err, ErrMalformed) {
		t.Errorf("counters far apart: %v", err)
	}
	many := serial()
	for i := range 2 * maxCounters {
		many.long(fmt.Sprint("sun.x.", i), 1)
	}
	if l, err := parseLayout(many.data); err != nil || len(l.collectors) != 2 {
		t.Errorf("many counters: %v", err)
	}
}
