// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"testing"
	"time"
)

// The loop begins in a hurry, becomes calm, and hurries again when something was seen. Windows are always read equally
// often, and the load every second.
func TestBeat(t *testing.T) {
	const begin = time.Hour
	b := newBeat(readInterval, begin)
	run := func(from, to time.Duration, polls bool) (ticks, reads, loads int) {
		for now := begin + from; now < begin+to; now += b.every {
			ticks++
			if b.read.due(now, b.reads) {
				reads++
			}
			if b.load.due(now, loadInterval) {
				loads++
			}
			b.set(now, polls)
		}
		return ticks, reads, loads
	}
	for _, tt := range []struct {
		what                string
		from, to            time.Duration
		polls, hurry        bool
		ticks, reads, loads int
	}{
		{"at first", 0, 10 * time.Second, true, false, 400, 39, 9},
		{"calm", 10 * time.Second, 20 * time.Second, true, false, 100, 34, 10},
		{"in a hurry", 20 * time.Second, 30 * time.Second, true, true, 400, 40, 10},
		{"nothing to poll", 40 * time.Second, 50 * time.Second, false, false, 40, 40, 10},
	} {
		if tt.hurry {
			b.hurry(begin + tt.from)
		}
		ticks, reads, loads := run(tt.from, tt.to, tt.polls)
		if ticks != tt.ticks || reads != tt.reads || loads != tt.loads {
			t.Errorf("%s: %d ticks, %d readings of windows, %d of the load; want %d, %d, %d", tt.what,
				ticks, reads, loads,
				tt.ticks, tt.reads, tt.loads)
		}
	}
	if !b.calm() {
		t.Error("not calm")
	}
	if b.hurry(begin + time.Minute); !b.set(begin+time.Minute, true) || b.calm() || b.set(begin+time.Minute, true) {
		t.Error("in a hurry once more")
	}
	if b := newBeat(10*time.Millisecond, begin); b.every != 10*time.Millisecond {
		t.Errorf("every %v, though windows are read more often", b.every)
	}
}

// What one tick finds sets the pace of the next ones.
func TestTick(t *testing.T) {
	f := &fakeCauses{}
	b := newBench(t, chain, nil, t.Output(), f)
	b.beat = newBeat(readInterval, -time.Hour)
	now := b.now()
	if b.beat.set(now, true); !b.beat.calm() {
		t.Fatal("not calm after an hour")
	}
	if err := b.tick(); err != nil || f.polls != 1 {
		t.Fatalf("%v, polled %d times", err, f.polls)
	}
	if b.beat.set(b.now(), true); !b.beat.calm() {
		t.Error("in a hurry though nothing moved")
	}
	f.moves = true
	if err := b.tick(); err != nil {
		t.Fatal(err)
	}
	if b.beat.set(b.now(), true); b.beat.calm() {
		t.Error("calm though something moves")
	}
}
