// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// program is an observer that is just a program.
type program struct{ *bed.Process }

func (p program) pid() int        { return p.PID }
func (p program) begin() error    { return nil }
func (p program) end(*seen) error { return p.Ended() }
func (p program) stop() error {
	_ = p.Stop() // a signal tells it to end, so its status has no meaning
	return nil
}

func withCapture(b *bed.Bed, port int) func() (observer, error) {
	return func() (observer, error) {
		c, err := b.Capture(fmt.Sprintf("tcp port %d", port))
		if err != nil {
			return nil, err
		}
		return program{c.Process}, nil
	}
}

// tracer measures the time from a read to the next write of each of Apache's threads: the least that a tracer at the
// level of system calls must do, and blind to requests that wait in a socket.
const tracer = `
tracepoint:syscalls:sys_enter_read /comm == "apache2"/ { @reading[tid] = 1; }
tracepoint:syscalls:sys_exit_read /comm == "apache2" && args->ret > 0/ { @begin[tid] = nsecs; }
tracepoint:syscalls:sys_enter_writev /comm == "apache2" && @begin[tid]/ {
  @service = hist(nsecs - @begin[tid]); @requests = count(); delete(@begin[tid]);
}
tracepoint:syscalls:sys_exit_accept4 /comm == "apache2"/ { @accepted = count(); }
`

func withTracer(b *bed.Bed) func() (observer, error) {
	return func() (observer, error) {
		file, err := b.Write("tracer.bt", tracer)
		if err != nil {
			return nil, err
		}
		// bpftrace looks for tracefs at its usual place; if there is none, a private mount is used
		p, err := b.Start("bpftrace", "unshare", "--mount", "sh", "-c",
			"[ -d /sys/kernel/tracing/events ] || mount -t tracefs tracefs /sys/kernel/tracing; "+
				"[ -d /sys/kernel/debug/tracing ] || mount -t debugfs debugfs /sys/kernel/debug; exec bpftrace "+file)
		if err != nil {
			return nil, err
		}
		err = bed.WaitFor(15*time.Second, func() error {
			if err := p.Ended(); err != nil {
				return err
			}
			if !strings.Contains(p.Tail(), "Attaching") {
				return fmt.Errorf("bpftrace has not begun: %s", p.Tail())
			}
			return nil
		})
		time.Sleep(time.Second) // it says so before it has attached
		return program{p}, err
	}
}
