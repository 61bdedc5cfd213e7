// SPDX-License-Identifier: Apache-2.0

// Command guest is the first and only process of a virtual machine that tries a kernel: it loads the BPF objects, so
// that the verifier checks them, runs the tests that need a kernel, lets the exporter count requests, reports the
// results on the serial console, and switches the machine off. Package kernels starts it.
package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/proof/kernels/console"
)

// findCommand is the first argument of the process that does the work: libraries ask for /proc as soon as a process
// starts, and the first one has none yet.
const findCommand = "find"

func main() {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case serveCommand:
			serve(os.Args[2:])
		case findCommand:
			find(os.Stdout)
		}
		return
	}
	if os.Getpid() != 1 {
		fmt.Fprintln(os.Stderr, "guest: this is the first process of a virtual machine; `make check-kernels` starts it")
		os.Exit(2)
	}
	for _, prepare := range []func() error{mount, loopback, modules} {
		if err := prepare(); err != nil {
			problem(os.Stdout, err)
		}
	}
	work := exec.Command("/init", findCommand)
	work.Stdout, work.Stderr = os.Stdout, os.Stderr
	if err := work.Run(); err != nil {
		problem(os.Stdout, err)
	}
	tell(os.Stdout, console.Report{Done: true})
	time.Sleep(time.Second)                          // data that are still in the serial line would be lost
	_ = unix.Reboot(unix.LINUX_REBOOT_CMD_POWER_OFF) // otherwise the kernel panics when this process ends
}

// find does all the work. A part that fails does not prevent the others from being tried.
func find(out io.Writer) {
	var u unix.Utsname
	if err := unix.Uname(&u); err != nil {
		problem(out, err)
	}
	tell(out, console.Report{Release: unix.ByteSliceToString(u.Release[:])})
	for _, o := range objects() {
		tell(out, console.Report{Objects: []console.Object{o}})
	}
	if !supported(u) {
		refusal(out)
		return
	}
	count(out)
	tests(out)
}

func tell(out io.Writer, part console.Report) {
	_ = console.Tell(out, part) // the console is all there is to complain on
}

func problem(out io.Writer, err error) {
	tell(out, console.Report{Problems: []string{err.Error()}})
}

// supported reports whether the exporter must work on a kernel: from Linux 5.15 on.
func supported(u unix.Utsname) bool {
	var major, minor int
	_, err := fmt.Sscanf(unix.ByteSliceToString(u.Release[:]), "%d.%d", &major, &minor)
	return err == nil && (major > 5 || major == 5 && minor >= 15)
}
