// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"math"
	"time"
)

// lullFloor is the share of the users that stay in the middle of a lull.
const lullFloor = 0.2

// crowd says how many of the users are there at a time since the start. They
// join one by one during the ramp. From then on, once per period, they leave
// and come back one by one: a lull. A server is seen below, at and above its
// saturation point that way, and all of its main sequence curve is known.
type crowd struct {
	ramp  time.Duration
	every time.Duration // from one lull's end to the next's; 0 for no lulls
	lull  time.Duration // length of a lull
}

// share of the users that are there at time t since the start, 0 to 1.
func (c crowd) share(t time.Duration) float64 {
	if t < c.ramp {
		return t.Seconds() / c.ramp.Seconds()
	}
	if c.every == 0 || c.lull == 0 {
		return 1
	}
	// A lull is the last part of its period: first comes the full load.
	into := (t-c.ramp)%c.every - (c.every - c.lull)
	if into <= 0 {
		return 1
	}
	distance := math.Abs(2*into.Seconds()/c.lull.Seconds() - 1) // 1 at the edges, 0 in the middle
	return lullFloor + (1-lullFloor)*distance
}

// wait returns when the user may be there, and says whether the context is
// still alive. rank is the user's place in the order of joining, 0 to 1.
func (c crowd) wait(ctx context.Context, begin time.Time, rank float64) bool {
	for c.share(time.Since(begin)) <= rank {
		if !sleep(ctx, 50*time.Millisecond) {
			return false
		}
	}
	return ctx.Err() == nil
}
