// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nstar-project/nstar/exporters/nstar/judgement"
)

func at(ms int64) time.Time { return time.UnixMilli(ms) }

// A stop that a request met is found by a window that it touches or the one after it. A stop that no request met
// does not count, and neither does a stop of another tier.
func TestSingleStops(t *testing.T) {
	db := &halted{
		queue: map[int64]float64{1050: 2, 1100: 3, 1150: 1, 2050: 1, 2100: 1, 3050: 0, 3100: 0},
		said:  map[int64]time.Duration{1150: 50 * time.Millisecond, 5000: time.Second},
	}
	var s singles
	for _, e := range []episode{
		{"db", at(1010), at(1070)}, // found by the window after it
		{"db", at(2010), at(2070)}, // missed
		{"db", at(3010), at(3070)}, // met by no request
	} {
		s.count(db, e)
	}
	if s.met != 2 || s.found != 1 || s.unmet != 1 || len(s.missed) != 1 {
		t.Errorf("%+v", s)
	}
}

// MariaDB answered nothing for 100 ms and longer whenever it was stopped in a recorded run: all of these are found, and
// stops half a second later, which were not made, are not.
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
				later = append(later, episode{"mariadb", e.Begin.Add(500 * time.Millisecond),
					e.End.Add(500 * time.Millisecond)})
			}
			silent = 0
		}
	}
	var made, not singles
	if err := errors.Join(made.take(told, "board", stops, nil, nil),
		not.take(told, "board", later, nil, nil)); err != nil {
		t.Fatal(err)
	}
	// The recording has no log of Tomcat's collections.
	made.strays = slices.DeleteFunc(made.strays, func(stray string) bool { return strings.HasPrefix(stray, "tomcat ") })
	if made.met < 40 || made.found != made.met || len(made.strays) > made.said/100 {
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

// The judgement of a stop is right in the stop and in the window after it, or for a second if it is about the time
// after the stop. While something else is done to a tier, no judgement counts as wrong.
func TestSaidOfStops(t *testing.T) {
	frozen := judgement.Judged{State: judgement.Frozen}
	left := judgement.Judged{Charges: []judgement.Charge{{Cause: judgement.Stopped, Queue: 2}}}
	none := judgement.Judged{Charges: []judgement.Charge{{Cause: judgement.Demand, Queue: 2}}}
	for want, j := range map[time.Duration]judgement.Judged{50 * time.Millisecond: frozen, time.Second: left, 0: none} {
		if got := ofStop(j); got != want {
			t.Errorf("%+v: %s, want %s", j, got, want)
		}
	}
	stop := episode{"db", at(1010), at(1210)}
	var s singles
	s.hold(map[string]*halted{"db": {said: map[int64]time.Duration{
		1000: ofStop(frozen), // before it
		1100: ofStop(frozen),
		1250: ofStop(frozen),
		1350: ofStop(frozen), // too late
		1800: ofStop(left),
		2400: ofStop(left), // too late
		9000: ofStop(left), // no requests
	}}, "web": {said: map[int64]time.Duration{1100: ofStop(frozen)}}}, []episode{stop},
		[]episode{{Begin: at(8000), End: at(9500)}})
	if s.said != 7 || s.away != 4 {
		t.Errorf("%d of %d are of no stop, want 4 of 7: %v", s.away, s.said, s.strays)
	}
}

func TestSafepoints(t *testing.T) {
	got, err := readSafepoints(`[1795650912958ms][info] Using G1
[1795650912970ms][info] Safepoint "G1CollectFull", Time since last: 9470011 ns, Reaching safepoint: 3235 ns, Cleanup: 4567 ns, At safepoint: 112591431 ns, Total: 112599233 ns
[1795650912971ms][info] Safepoint "G1PauseRemark", Time since last: 68462 ns, Reaching safepoint: 215060 ns, Cleanup: 3615 ns, At safepoint: 462407 ns, Total: 681082 ns
`)
	end := at(1795650912970)
	if want := []episode{{"tomcat", end.Add(-112599233), end}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}
