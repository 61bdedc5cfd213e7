// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"
	"time"
)

// The faults of a day come one after the other, and each has its own truth: named soon after it begins, forgotten soon
// after it ends.
func TestDay(t *testing.T) {
	c := day(visit(0.3), stopsFor("db", time.Second/5), crowdAt("app", 40, time.Second, "/search"))
	stopped, demand := bottleneck("db", "stopped"), bottleneck("app", "demand")
	if len(c.stops) != 1 || c.stops[0].from != 2*time.Minute || c.stops[0].lasts != 2*time.Minute {
		t.Errorf("stops %+v", c.stops)
	}
	loads := c.loads(10)
	if len(loads) != 2 || loads[0].duration != 0 || loads[1].from != 390*time.Second ||
		loads[1].duration != 2*time.Minute || loads[1].pages[0] != "/search" {
		t.Errorf("loads %+v", loads)
	}
	if c.lasts != 11*time.Minute {
		t.Errorf("lasts %v", c.lasts)
	}
	say := func(name string) []verdict {
		for _, v := range []verdict{
			{Verdict: "single_bottleneck", Tier: "db", Cause: "stopped"},
			{Verdict: "single_bottleneck", Tier: "app", Cause: "demand"}, {Verdict: "healthy"},
		} {
			if v.String() == name {
				return []verdict{v}
			}
		}
		t.Fatal(name)
		return nil
	}
	for _, tt := range []struct {
		at   time.Duration
		said string
		want grade
	}{
		{90 * time.Second, "healthy", right},
		{90 * time.Second, stopped, falseAlarm},
		{150 * time.Second, "healthy", right}, // it has just begun
		{150 * time.Second, stopped, right},
		{150 * time.Second, demand, falseAlarm},
		{180 * time.Second, stopped, right},
		{180 * time.Second, "healthy", silent},
		{240 * time.Second, "healthy", right}, // it is just over
		{300 * time.Second, stopped, right},
		{330 * time.Second, stopped, falseAlarm},
		{330 * time.Second, "healthy", right},
		{450 * time.Second, demand, right},
		{450 * time.Second, stopped, falseName},
		{600 * time.Second, demand, falseAlarm},
	} {
		if g := c.expect.judge(tt.at, say(tt.said)); g != tt.want {
			t.Errorf("%s after %v: %v, want %v", tt.said, tt.at, g, tt.want)
		}
	}
}
