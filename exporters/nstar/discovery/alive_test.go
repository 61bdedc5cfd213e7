// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAlive(t *testing.T) {
	var asked []int32
	read := func(pid int32) (int, bool) {
		asked = append(asked, pid)
		return int(pid) * 10, pid > 2
	}
	pids := []int32{1, 2, 3, 4}
	if diff := cmp.Diff([]int{30, 40}, slices.Collect(Alive(pids, read))); diff != "" {
		t.Errorf("those that are there (-want +got):\n%s", diff)
	}
	asked = nil
	if v, ok := FirstAlive(pids, read); v != 30 || !ok {
		t.Errorf("the first is %d, %v; want 30", v, ok)
	}
	if diff := cmp.Diff([]int32{1, 2, 3}, asked); diff != "" {
		t.Errorf("asked until one was there (-want +got):\n%s", diff)
	}
	if v, ok := FirstAlive(pids[:2], read); ok {
		t.Errorf("%d was read of processes that have ended", v)
	}
}
