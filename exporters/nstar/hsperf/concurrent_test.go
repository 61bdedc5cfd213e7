// SPDX-License-Identifier: Apache-2.0

package hsperf

import (
	"encoding/binary"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Stops are placed by the time at safepoints, to the nanosecond if the collector's last phase was as long.
func TestStops(t *testing.T) {
	type reading struct {
		at, count, time int64
		collecting      bool
		exact           span
	}
	for name, tt := range map[string]struct {
		readings []reading
		want     []span
		running  int64 // since when at the end; 0 if there is none
	}{
		"nothing":        {[]reading{{100, 5, 1000, false, span{}}}, nil, 0},
		"a short one":    {[]reading{{100, 6, 1010, true, span{20, 60}}}, []span{{45, 55}}, 0},
		"the last phase": {[]reading{{100, 6, 1010, true, span{61, 70}}}, []span{{61, 70}}, 0},
		"no collection":  {[]reading{{100, 6, 1010, false, span{}}}, nil, 0},
		"longer than a poll": {[]reading{{100, 6, 1000, true, span{}}, {200, 6, 1130, true, span{}}},
			[]span{{70, 200}}, 0},
		"still going on": {[]reading{{100, 6, 1000, true, span{}}, {200, 6, 1000, false, span{}}}, nil, 50},
		"its phase ends soon": {[]reading{{100, 6, 1000, true, span{}}, {200, 6, 1080, false, span{}}},
			[]span{{110, 190}}, 0},
		"other safepoints": {[]reading{{100, 6, 1000, false, span{}}, {200, 6, 1080, false, span{}}}, nil, 0},
	} {
		s, h, since := stops{count: 5, time: 1000}, history{}, int64(0)
		for _, r := range tt.readings {
			s.observe(r.count, r.time, since, r.at, r.collecting, r.exact, &h)
			since = r.at
		}
		if diff := cmp.Diff(tt.want, h.spans, cmp.AllowUnexported(span{})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if got, on := s.running(since); on != (tt.running > 0) || on && got != (span{tt.running, since}) {
			t.Errorf("%s: goes on %v, %v", name, got, on)
		}
	}
}

// A machine whose collector counts its concurrent work with its pauses reports its stops in windows, as other machines
// do. A machine with ZGC reports threads that wait for memory in the same way.
func TestConcurrentCollectors(t *testing.T) {
	shenandoah := newBench(t, newFile(binary.LittleEndian).collector(0, "Shenandoah full", counters{}).
		long("sun.os.hrt.frequency", 1e9).long("sun.os.hrt.ticks", 0).long("sun.rt.safepoints",
		3).long("sun.rt.safepointTime", 7e6))
	shenandoah.poll(25, counters{1, 10, 5, 20}) // marks beside the application
	shenandoah.set("sun.rt.safepoints", 4)
	shenandoah.poll(50, counters{2, 10, 30, 20})
	shenandoah.set("sun.rt.safepointTime", 67e6)
	shenandoah.poll(100, counters{2, 70, 30, 90})
	for _, tt := range []struct{ from, to, want int64 }{{0, 30, 0}, {30, 90, 60}, {90, 200, 0}} {
		if got := shenandoah.jvm.Stopped(shenandoah.at(tt.from), shenandoah.at(tt.to)).Milliseconds(); got != tt.want {
			t.Errorf("[%d, %d) ms: stopped %d ms, want %d", tt.from, tt.to, got, tt.want)
		}
	}
	if _, ok, err := shenandoah.jvm.Safepoints(); ok || err != nil {
		t.Errorf("safepoints that are no collections are told: %v", err)
	}

	const room = "No GC\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	zgc := newBench(t, newFile(binary.LittleEndian).collector(0, "Z concurrent cycle pauses", counters{}).
		long("sun.os.hrt.frequency", 1e9).long("sun.os.hrt.ticks", 0).text("sun.gc.cause", room))
	cause := func(text string) { copy(zgc.file.data[zgc.file.at["sun.gc.cause"]:], text+"\x00") }
	zgc.poll(20)
	zgc.poll(40)
	cause("Allocation Stall")
	zgc.poll(60)
	zgc.poll(80)
	for _, tt := range []struct{ from, to, want int64 }{{0, 50, 0}, {50, 80, 30}, {80, 100, 0}} {
		if got := zgc.jvm.Stopped(zgc.at(tt.from), zgc.at(tt.to)).Milliseconds(); got != tt.want {
			t.Errorf("while it goes on, [%d, %d) ms: stalled %d ms, want %d", tt.from, tt.to, got, tt.want)
		}
	}
	cause("Proactive")
	zgc.poll(100)
	zgc.poll(140)
	if got := zgc.jvm.Stopped(zgc.at(0), zgc.at(140)).Milliseconds(); got != 40 {
		t.Errorf("stalled %d ms, want 40", got)
	}
}
