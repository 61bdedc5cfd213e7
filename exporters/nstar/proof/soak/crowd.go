// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// crowd is a hostile neighbour for a while: a process that changes its name to anything, listens in a loop and on many
// ports, and asks itself.
func crowd(span time.Duration) error {
	runtime.LockOSThread()
	for end := time.Now().Add(span); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		name := make([]byte, 16)
		for i := range 15 {
			name[i] = byte(1 + rand.IntN(255))
		}
		if err := unix.Prctl(unix.PR_SET_NAME, uintptr(unsafe.Pointer(&name[0])), 0, 0, 0); err != nil {
			return err
		}
		var open []net.Listener
		for range 20 {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				return fmt.Errorf("listening: %w", err)
			}
			go http.Serve(l, http.NotFoundHandler())
			open = append(open, l)
		}
		if answer, err := http.Get("http://" + open[0].Addr().String()); err == nil {
			answer.Body.Close()
		}
		for _, l := range open {
			l.Close()
		}
	}
	return nil
}
