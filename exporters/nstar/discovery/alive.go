// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"iter"

	"golang.org/x/sys/unix"
)

// Alive is what can be read of processes, in their order, without those that have ended since the scan.
func Alive[T any](pids []int32, read func(pid int32) (T, bool)) iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, pid := range pids {
			if v, ok := read(pid); ok && !yield(v) {
				return
			}
		}
	}
}

// FirstAlive is what can be read of the first process that is still there; false if none is.
func FirstAlive[T any](pids []int32, read func(pid int32) (T, bool)) (first T, ok bool) {
	for first = range Alive(pids, read) {
		return first, true
	}
	return first, false
}

// Affinity are the processors that a process may run on; false if it has ended.
func Affinity(pid int32) (set unix.CPUSet, ok bool) {
	ok = unix.SchedGetaffinity(int(pid), &set) == nil
	return set, ok
}
