// SPDX-License-Identifier: Apache-2.0

// Package rights gives up the capabilities that are needed only to attach the kernel programs. After that the
// process parses data that others wrote, and an attacker who takes it over should find few rights.
package rights

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
	"kernel.org/pub/linux/libs/security/libcap/cap"
)

// kept are the capabilities needed while measuring: to read the tables of the kernel programs before Linux 6.4 if
// unprivileged BPF is disabled, and to find the processes behind the sockets. With BPF alone no program can be attached
// to the network (that needs NET_ADMIN) or look into the kernel (PERFMON).
var kept = []cap.Value{cap.BPF, cap.SYS_PTRACE, cap.DAC_READ_SEARCH}

// Drop gives up, in all threads and for good, every capability that measuring does not need, and the way to get any by
// executing a file. It returns those that are left.
func Drop() (left string, err error) {
	now := cap.GetProc()
	want := cap.NewSet()
	for _, v := range kept {
		if has, err := now.GetFlag(cap.Permitted, v); err != nil || !has {
			continue // it was not given; the code that needs it says so
		}
		if err := errors.Join(want.SetFlag(cap.Permitted, true, v), want.SetFlag(cap.Effective, true, v)); err != nil {
			return "", err
		}
	}
	if err := dropBound(now); err != nil {
		return "", fmt.Errorf("dropping capabilities from the bounding set: %w", err)
	}
	if err := cap.ResetAmbient(); err != nil {
		return "", fmt.Errorf("dropping ambient capabilities: %w", err)
	}
	if err := want.SetProc(); err != nil {
		return "", fmt.Errorf("dropping capabilities: %w", err)
	}
	if _, err := cap.Prctlw(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return "", fmt.Errorf("no new privileges: %w", err)
	}
	return want.String(), nil
}

// Looks reports whether the process may look into the open files of other processes.
func Looks() bool {
	now := cap.GetProc()
	for _, v := range []cap.Value{cap.SYS_PTRACE, cap.DAC_READ_SEARCH} {
		if has, err := now.GetFlag(cap.Effective, v); err != nil || !has {
			return false
		}
	}
	return true
}

// dropBound empties the bounding set if the process may (that takes CAP_SETPCAP, which root has and a service need
// not).
func dropBound(now *cap.Set) error {
	may, err := now.GetFlag(cap.Effective, cap.SETPCAP)
	if err != nil || !may {
		return err
	}
	var all []cap.Value
	for v := range cap.MaxBits() {
		all = append(all, v)
	}
	return cap.DropBound(all...)
}
