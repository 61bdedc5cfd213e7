// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func at(ms int64) time.Time { return time.UnixMilli(ms) }

// A stop that a request met is found by a window that it touches or the one after it; one that nobody met counts for
// nothing, and neither does one of another tier.
func TestSingleStops(t *testing.T) {
	db := &halted{
		queue: map[int64]float64{1050: 2, 1100: 3, 1150: 1, 2050: 1, 2100: 1, 3050: 0, 3100: 0},
		said:  map[int64]bool{1150: true, 5000: true},
	}
	var s singles
	for _, e := range []episode{
		{"db", at(1010), at(1070)}, // found by the window after it
		{"db", at(2010), at(2070)}, // missed
		{"db", at(3010), at(3070)}, // met by nobody
	} {
		s.count(db, e)
	}
	if s.met != 2 || s.found != 1 || s.unmet != 1 || len(s.missed) != 1 {
		t.Errorf("%+v", s)
	}
}

// MariaDB answered nothing for 100 ms and longer whenever it was stopped in a recorded run: all of these are found, and
// stops half a second later, which nobody made, are not.
func TestSingleStopsOfARecording(t *testing.T) {
	rec, err := read("testdata/recordings/board-db-stop.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	told := rec.exporters[0].told
	const judgedBy = 3000 // ms; what is later is not judged in the recording
	last := told[len(told)-1].At - judgedBy
	var stops, later []episode
	silent := int64(0)
	for _, line := range told {
		if line.Windows == nil || line.At > last {
			continue
		}
		for _, w := range line.Windows.Tiers {
			if w.Tier != "mariadb" {
				continue
			}
			if w.Completions == 0 && w.Queue(windowMillis*time.Millisecond) >= 1 {
				silent++
				continue
			}
			if end := line.Windows.Index * windowMillis; silent >= 2 {
				e := episode{"mariadb", at(end - (silent+1)*windowMillis), at(end)} // in the window before, too
				stops = append(stops, e)
				later = append(later, episode{"mariadb", e.Begin.Add(500 * time.Millisecond), e.End.Add(500 * time.Millisecond)})
			}
			silent = 0
		}
	}
	var made, not singles
	if err := errors.Join(made.take(told, "board", stops), not.take(told, "board", later)); err != nil {
		t.Fatal(err)
	}
	if made.met < 40 || made.found != made.met || made.away > made.said/100 {
		t.Errorf("%d stops, %+v", len(stops), made)
	}
	if not.met < 40 || not.found > 0 {
		t.Errorf("stops that nobody made: %+v", not)
	}
}

func TestLengthsOfStops(t *testing.T) {
	h := halts{random: rand.New(rand.NewPCG(1, 2))}
	var all []time.Duration
	for range 1000 {
		all = append(all, h.length())
	}
	low, high := slices.Min(all), slices.Max(all)
	if low < shortestHalt || high > longestHalt || high-low < (longestHalt-shortestHalt)*9/10 {
		t.Errorf("lengths from %v to %v", low, high)
	}
}

func TestLocked(t *testing.T) {
	got, err := locked("1700000000.250000\n1700000000.350000\n1700000001.000001\n1700000001.060000\n")
	want := []episode{{"mariadb", at(1700000000250), at(1700000000350)},
		{"mariadb", at(1700000001000), at(1700000001060)}}
	for i := range got {
		got[i].Begin, got[i].End = got[i].Begin.Truncate(time.Millisecond), got[i].End.Truncate(time.Millisecond)
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v\n-want +got\n%s", err, diff)
	}
	for _, said := range []string{"1700000000.25", "ERROR 1044", "1 2 3"} {
		if got, err := locked(said); err == nil {
			t.Errorf("%q is read as %+v", said, got)
		}
	}
}
