// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// steps are how the wall clock is set while requests are counted, one after the other: far enough for the window clock
// to jump, in both directions, and so little that it follows slowly.
var steps = []time.Duration{3 * time.Second, -5 * time.Second, 200 * time.Millisecond,
	-200 * time.Millisecond, time.Hour}

// setClock sets the wall clock again and again, which no other program uses here; no request may be lost because of
// that. It sends an error, or nil when it is done.
func setClock() <-chan error {
	done := make(chan error, 1)
	go func() {
		for _, step := range steps {
			time.Sleep(time.Second)
			now := unix.NsecToTimespec(time.Now().Add(step).UnixNano())
			if err := unix.ClockSettime(unix.CLOCK_REALTIME, &now); err != nil {
				done <- fmt.Errorf("setting the wall clock by %s: %w", step, err)
				return
			}
		}
		done <- nil
	}()
	return done
}
