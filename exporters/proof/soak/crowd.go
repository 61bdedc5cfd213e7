// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"runtime"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// crowd is a hostile neighbour until a moment: a process that calls itself anything, listens in a loop and on many
// ports, asks itself and all servers, and becomes another program again and again, each a tier of its own with edges of
// its own.
func crowd(until time.Time, servers []string) error {
	runtime.LockOSThread()
	name := make([]byte, 16)
	for i := range 15 {
		name[i] = byte(1 + rand.IntN(255))
	}
	if err := unix.Prctl(unix.PR_SET_NAME, uintptr(unsafe.Pointer(&name[0])), 0, 0, 0); err != nil {
		return err
	}
	for end := time.Now().Add(time.Second); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if err := listenAround(servers); err != nil {
			return err
		}
	}
	if time.Now().After(until) {
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return syscall.Exec(self, os.Args, os.Environ())
}

// listenAround listens on many ports for a moment, asks the first, and some of the servers.
func listenAround(servers []string) error {
	var open []net.Listener
	defer func() {
		for _, l := range open {
			l.Close()
		}
	}()
	for range 20 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return fmt.Errorf("listening: %w", err)
		}
		go http.Serve(l, http.NotFoundHandler())
		open = append(open, l)
	}
	ask := []string{open[0].Addr().String()}
	for range 4 {
		ask = append(ask, servers[rand.IntN(len(servers))])
	}
	for _, at := range ask {
		if answer, err := http.Get("http://" + at); err == nil { // otherwise it was just killed
			answer.Body.Close()
		}
	}
	time.Sleep(300 * time.Millisecond)
	return nil
}
