// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/cgroups"
)

// cgroupDir makes a group in the cgroup v2 hierarchy.
func cgroupDir(t *testing.T) (root, dir string) {
	t.Helper()
	needsBPF(t)
	mounted, err := cgroups.Of("/proc/self")
	if err != nil {
		t.Fatal(err)
	}
	if root = mounted.Top(); root == "" {
		t.Skip("no cgroup v2 hierarchy is mounted")
	}
	dir, err = os.MkdirTemp(root, "nstar-test-")
	if err != nil {
		t.Skipf("no group can be made: %v", err)
	}
	t.Cleanup(func() {
		for range 100 { // its last process may be ending
			if os.Remove(dir) == nil {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
		t.Errorf("%s is still there", dir)
	})
	return root, dir
}

// ownCgroupNamespace is the script that starts the exporter as a container engine does on cgroup v2: in a group and a
// cgroup namespace of its own.
func ownCgroupNamespace(root, dir, flags string) string {
	return fmt.Sprintf(`echo $$ > %[1]s/cgroup.procs
exec unshare -C %[3]s sh -ec 'umount -l %[2]s; mount -t cgroup2 none %[2]s; exec "$@"' sh "$@"`, dir, root, flags)
}

// In a container the exporter sees the sockets of the whole host, not only its own.
func TestOwnCgroupNamespace(t *testing.T) {
	canUnshare(t)
	root, dir := cgroupDir(t)
	address := neighbour(t, "outside", nil).address
	e := start(t, ownCgroupNamespace(root, dir, ""), 1)
	if text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", e.Process.Pid)); !strings.Contains(string(text),
		filepath.Base(dir)) {
		t.Fatalf("the exporter is in %s", text)
	}
	e.eventually("the tier is known", func() bool { return strings.Contains(e.get("/metrics"), `tier="outside"`) })
	for range 5 {
		response, err := http.Get("http://" + address)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
	}
	outside := map[string]string{"tier": "outside"}
	e.eventually("its requests are counted", func() bool {
		return sums(t, e.get("/metrics"),
			outside)["nstar_tier_arrivals_total"] == 5
	})
	e.stop()
}

// If it can't, it says so in one line instead of measuring nothing.
func TestOwnCgroupAndPIDNamespace(t *testing.T) {
	canUnshare(t)
	root, dir := cgroupDir(t)
	fails(t, command(t, ownCgroupNamespace(root, dir, "-p --fork --mount-proc"), loopback), "cgroup namespace",
		"--cgroupns=host")
}

// In a process namespace of its own it can't know which thread of the kernel's is whose: no time of processors and no
// sleep is better than a wrong one.
func TestOwnPIDNamespace(t *testing.T) {
	needsBPF(t)
	canUnshare(t)
	e := start(t, `exec unshare -p --fork --kill-child --mount-proc "$@"`, 1)
	page := e.get("/metrics")
	for _, cause := range []string{"cpu", "asleep", "runqueue", "lock", "disk"} {
		if want := `nstar_cause_up{cause="` + cause + `"} 0`; !strings.Contains(page, want) {
			t.Errorf("no %s", want)
		}
	}
	if says := "start its container with --pid=host"; !strings.Contains(e.log(), says) {
		t.Errorf("no %q in the log:\n%s", says, e.log())
	}
}
