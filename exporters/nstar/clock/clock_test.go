// SPDX-License-Identifier: Apache-2.0

package clock

import (
	"testing"
	"time"
)

const (
	boot = 1000 * time.Second       // monotonic when the offset was made
	wall = 1800000000 * time.Second // wall clock at the same moment
)

func TestFollow(t *testing.T) {
	for _, tt := range []struct {
		name    string
		elapsed time.Duration // since the offset was made
		diff    time.Duration // of the wall clock against the expected time
		want    time.Duration // by which the offset moves
		stepped bool
	}{
		{"agrees", time.Second, 0, 0, false},
		{"small, forward", time.Second, 100 * time.Microsecond, 100 * time.Microsecond, false},
		{"small, back", time.Second, -100 * time.Microsecond, -100 * time.Microsecond, false},
		{"slews forward", time.Second, 10 * time.Millisecond, 500 * time.Microsecond, false},
		{"slews back", time.Second, -10 * time.Millisecond, -500 * time.Microsecond, false},
		{"just no step", 100 * time.Millisecond, Step - 1, 50 * time.Microsecond, false},
		{"step forward", 100 * time.Millisecond, Step, Step, true},
		{"step back", 100 * time.Millisecond, -Step, -Step, true},
		{"an hour", time.Second, time.Hour, time.Hour, true},
		{"no time went by", 0, time.Millisecond, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := NewOffset(wall, boot)
			stepped := o.Follow(wall+tt.elapsed+tt.diff, boot+tt.elapsed)
			if moved := o.Value() - (wall - boot); moved != tt.want || stepped != tt.stepped {
				t.Errorf("moved by %s, stepped %v; want %s, %v", moved, stepped, tt.want, tt.stepped)
			}
		})
	}
}

// Whatever a wall clock does below a step, the window clock runs on and no window is off by more than the slew.
func TestFollowNeverRunsBack(t *testing.T) {
	const every = 250 * time.Millisecond
	o := NewOffset(wall, boot)
	last := wall
	for i := range time.Duration(1000) {
		monotonic := boot + (i+1)*every
		disturbance := (i%7 - 3) * 100 * time.Millisecond
		if o.Follow(monotonic+wall-boot+disturbance, monotonic) {
			t.Fatal("stepped")
		}
		now := monotonic + o.Value()
		ran := now - last
		if limit := time.Duration(float64(every) * Slew); ran < every-limit || ran > every+limit {
			t.Fatalf("ran %s in %s", ran, every)
		}
		last = now
	}
}

// A correction that takes long is reached in the end, and kept.
func TestFollowConverges(t *testing.T) {
	const diff = 20 * time.Millisecond
	o := NewOffset(wall, boot)
	for i := range time.Duration(60) {
		monotonic := boot + (i+1)*time.Second
		o.Follow(monotonic+wall-boot+diff, monotonic)
	}
	if got := o.Value() - (wall - boot); got != diff {
		t.Errorf("the offset moved by %s, want %s", got, diff)
	}
}

func TestReadings(t *testing.T) {
	first := Monotonic()
	if second := Monotonic(); first <= 0 || second < first {
		t.Errorf("monotonic clock: %s, then %s", first, second)
	}
	if d := Wall() - time.Duration(time.Now().UnixNano()); d > time.Second || d < -time.Second {
		t.Errorf("wall clock is off by %s", d)
	}
}
