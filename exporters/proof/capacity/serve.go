// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// station is a server of known capacity: requests wait in one line for one of some workers, each of which serves for a
// time that is constant or exponentially distributed.
type station struct {
	name        string
	workers     int
	service     time.Duration // mean
	exponential bool
}

// capacity is the most that the station can answer, in requests per second.
func (s station) capacity() float64 { return float64(s.workers) / s.service.Seconds() }

// draw returns a service time.
func (s station) draw(r *rand.Rand) time.Duration {
	if s.exponential {
		return time.Duration(r.ExpFloat64() * float64(s.service))
	}
	return s.service
}

// draws are the random numbers of a worker, always the same.
func draws(worker int) *rand.Rand { return rand.New(rand.NewPCG(11, uint64(worker))) }

// job is a request in line.
type job struct {
	arrived time.Duration // monotonic
	done    chan struct{}
}

// serve answers HTTP on a port until the process is ended.
func (s station) serve(port int) error {
	line := make(chan job, 1<<16)
	for i := range s.workers {
		go s.work(line, draws(i))
	}
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		j := job{arrived: monotonic(), done: make(chan struct{})}
		line <- j
		<-j.done
		w.Header()["Date"] = nil // keeps every answer the same length
		fmt.Fprintln(w, "served")
	})
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return err
	}
	return http.Serve(l, handler)
}

// work serves one request after the other. Serving is sleeping, so that the machine's CPUs do not limit it; and it is
// kept by a timetable: a request that had to wait starts when the one before was due to end, not when the worker woke
// up. Late timers therefore delay single answers and take nothing from the capacity.
func (s station) work(line <-chan job, r *rand.Rand) {
	runtime.LockOSThread()
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0) // without it timers are some 50 microseconds later
	var free time.Duration
	for j := range line {
		free = max(free, j.arrived) + s.draw(r)
		sleepUntil(free)
		close(j.done)
	}
}

// monotonic is the clock that sleepUntil sleeps by, that of a time namespace included.
func monotonic() time.Duration {
	var now unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) // the clock always exists
	return time.Duration(now.Nano())
}

// sleepUntil blocks the thread: Go's own timers are a millisecond coarse in an idle program.
func sleepUntil(at time.Duration) {
	when := unix.NsecToTimespec(int64(at))
	for unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &when, nil) == unix.EINTR {
	}
}
