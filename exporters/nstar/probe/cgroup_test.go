// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"os"
	"testing"
)

// The private mount shows the hierarchy without a place in any directory, and goes away with its descriptor.
func TestPrivateMount(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root")
	}
	root, err := mountCgroup2()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(root.path() + "/cgroup.procs"); err != nil {
		t.Error(err)
	}
	path := root.path()
	if err := root.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path + "/cgroup.procs"); err == nil {
		t.Error("the mount outlived its descriptor")
	}
}
