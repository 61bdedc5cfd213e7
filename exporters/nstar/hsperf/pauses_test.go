// SPDX-License-Identifier: Apache-2.0

package hsperf

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// reading is a poll at a time in ms, and the counters of the young and the full collector at that time, also
// in ms.
type reading struct {
	at          int64
	young, full counters
}

func TestStopped(t *testing.T) {
	// Before the first poll below, at 0 ms, there was nothing.
	tests := []struct {
		name     string
		readings []reading
		want     [][2]int64 // spans in ms
	}{
		{"nothing", []reading{{at: 25}, {at: 50}}, nil},
		{"one between two polls", []reading{{at: 25, young: counters{1, 8, 10, 18}},
			{at: 50, young: counters{1, 8, 10, 18}}},
			[][2]int64{{10, 18}}},
		{"one that goes on over several", []reading{
			{at: 25, full: counters{1, 0, 20, 0}}, {at: 50, full: counters{1, 0, 20, 0}},
			{at: 75, full: counters{1, 0, 20, 0}}, {at: 100, full: counters{1, 65, 20, 85}}},
			[][2]int64{{20, 85}}},
		{"still going on", []reading{{at: 25, full: counters{1, 0, 20, 0}}, {at: 50, full: counters{1, 0, 20, 0}}},
			[][2]int64{{20, 50}}},
		{"three between two polls", []reading{{at: 25, young: counters{3, 9, 20, 24}}}, [][2]int64{{15, 24}}},
		{"three that fill more than the gap allows", []reading{{at: 25, young: counters{3, 40, 20, 24}}},
			[][2]int64{{0, 24}}},
		{"ended and began again", []reading{{at: 25, young: counters{2, 6, 20, 12}},
			{at: 50, young: counters{2, 16, 20, 30}}},
			[][2]int64{{6, 12}, {20, 30}}},
		{"a long one ended, a short one followed", []reading{
			{at: 25, full: counters{1, 0, 10, 0}}, {at: 50, full: counters{2, 25, 40, 45}}},
			[][2]int64{{10, 30}, {40, 45}}}, // the first one's end follows from the sum
		{"a long one ended and another began", []reading{
			{at: 25, full: counters{1, 0, 10, 0}}, {at: 50, full: counters{2, 20, 40, 30}}},
			[][2]int64{{10, 30}, {40, 50}}},
		{"time is written after the end", []reading{
			{at: 25, young: counters{1, 0, 10, 24}}, {at: 50, young: counters{1, 14, 10, 24}},
			{at: 75, young: counters{3, 22, 60, 64}}},
			[][2]int64{{10, 24}, {56, 64}}},
		{"the beginning is seen before the count", []reading{
			{at: 25, young: counters{0, 0, 24, 0}}, {at: 50, young: counters{1, 10, 24, 34}}},
			[][2]int64{{24, 34}}},
		{"young, then full", []reading{{at: 25, young: counters{1, 5, 10, 15}, full: counters{1, 0, 15, 0}},
			{at: 50, young: counters{1, 5, 10, 15}, full: counters{1, 15, 15, 30}}},
			[][2]int64{{10, 30}}},
		{"young inside full", []reading{{at: 50, young: counters{1, 5, 20, 25}, full: counters{1, 30, 10, 40}}},
			[][2]int64{{10, 40}}},
		{"nobody polled for long", []reading{{at: 25}, {at: 2000, young: counters{20, 200, 1980, 1990}}},
			[][2]int64{{1790, 1990}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, serial())
			for _, r := range tt.readings {
				b.poll(r.at, r.young, r.full)
			}
			last := tt.readings[len(tt.readings)-1].at
			var got [][2]int64
			for ms := int64(-100); ms < last+100; ms++ {
				switch b.jvm.Stopped(b.at(ms), b.at(ms+1)) {
				case 0:
				case time.Millisecond:
					if n := len(got); n > 0 && got[n-1][1] == ms {
						got[n-1][1]++
					} else {
						got = append(got, [2]int64{ms, ms + 1})
					}
				default:
					t.Errorf("%d ms is stopped in part: %s", ms, b.jvm.Stopped(b.at(ms), b.at(ms+1)))
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestStoppedByWindows(t *testing.T) {
	b := newBench(t, serial())
	b.poll(25, counters{1, 0, 20, 0})
	b.poll(200, counters{1, 130, 20, 150})
	for _, tt := range []struct{ from, to, want int64 }{
		{0, 50, 30}, {50, 100, 50}, {100, 150, 50}, {150, 200, 0}, {-50, 0, 0}, {0, 1000, 130}, {100, 100, 0},
		{100, 50, 0},
	} {
		if got := b.jvm.Stopped(b.at(tt.from), b.at(tt.to)); got != time.Duration(tt.want)*time.Millisecond {
			t.Errorf("[%d, %d) ms: stopped %s, want %d ms", tt.from, tt.to, got, tt.want)
		}
	}
	// Ten seconds later it is forgotten.
	b.poll(10_100, counters{1, 130, 20, 150})
	if got := b.jvm.Stopped(b.at(0), b.at(200)); got != 130*time.Millisecond {
		t.Errorf("9.9 s later: %s", got)
	}
	b.poll(10_300, counters{1, 130, 20, 150})
	if got := b.jvm.Stopped(b.at(0), b.at(200)); got != 0 {
		t.Errorf("10.1 s later: %s", got)
	}
}

func TestOpenKnowsThePauseBefore(t *testing.T) {
	file := serial()
	b := &bench{file: file, start: 1000 * time.Second, now: 1010 * time.Second}
	b.set("sun.gc.collector.0.lastEntryTime", b.ticks(-80))
	b.set("sun.gc.collector.0.lastExitTime", b.ticks(-30))
	b.set("sun.gc.collector.1.lastEntryTime", b.ticks(-20))
	opened := newBench(t, file)
	if got := opened.jvm.Stopped(opened.at(-100), opened.at(0)); got != 70*time.Millisecond {
		t.Errorf("stopped %s, want 50 ms and the 20 ms of what still goes on", got)
	}
}

func TestHistory(t *testing.T) {
	var h history
	for _, s := range []span{{10, 20}, {30, 40}, {50, 50}, {35, 45}, {5, 8}, {20, 25}, {60, 55}, {41, 70}} {
		h.add(s)
	}
	want := []span{{5, 8}, {10, 25}, {30, 70}}
	if diff := cmp.Diff(want, h.spans, cmp.AllowUnexported(span{})); diff != "" {
		t.Error(diff)
	}
	for _, tt := range []struct {
		begin, end int64
		more       span
		want       time.Duration
	}{
		{0, 100, span{}, 58}, {0, 100, span{65, 80}, 68}, {0, 75, span{65, 80}, 63}, {22, 35, span{}, 8},
		{22, 35, span{0, 100}, 13}, {80, 90, span{}, 0},
	} {
		if got := h.within(tt.begin, tt.end, tt.more); got != tt.want {
			t.Errorf("within [%d, %d) and %v: %d, want %d", tt.begin, tt.end, tt.more, got, tt.want)
		}
	}
	h.forget(25)
	if len(h.spans) != 2 {
		t.Errorf("remembers %v", h.spans)
	}
}

// A poll that finds several pauses of one collector asks for more frequent ones.
func TestCrowded(t *testing.T) {
	b := newBench(t, serial())
	for _, tt := range []struct {
		reading
		want bool
	}{
		{reading{at: 100}, false},
		{reading{at: 200, young: counters{1, 8, 110, 118}, full: counters{1, 0, 190, 0}}, false},
		{reading{at: 300, young: counters{3, 20, 250, 254}, full: counters{1, 20, 190, 210}}, true},
		{reading{at: 400, young: counters{3, 20, 250, 254}, full: counters{1, 20, 190, 210}}, false},
	} {
		if b.poll(tt.at, tt.young, tt.full); b.jvm.Crowded() != tt.want {
			t.Errorf("at %d ms: crowded %v", tt.at, b.jvm.Crowded())
		}
	}
}
