// SPDX-License-Identifier: Apache-2.0

package main

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// For a server that waits for its disk, the exporter reports which programs wrote there meanwhile: the server itself,
// and another program, whose processes come and go.
func TestDiskNeighbours(t *testing.T) {
	dir, err := os.MkdirTemp(".", "testdata-disk-") // the usual place may be in memory
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		t.Fatal(err)
	}
	if fs.Type == unix.TMPFS_MAGIC || fs.Type == unix.OVERLAYFS_SUPER_MAGIC {
		t.Skip("no disk behind this directory")
	}
	e := start(t, "", 1)
	address := neighbour(t, "diskserver", nil, syncsFile+"="+filepath.Join(dir, "journal")).address
	other := exec.Command("sh", "-c",
		`while :; do dd if=/dev/zero of="$0" bs=256k count=1 conv=fsync 2>/dev/null; sleep 0.02; done`,
		filepath.Join(dir, "copy"))
	other.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-other.Process.Pid, syscall.SIGKILL)
		_ = other.Wait()
	})
	const counter = "nstar_tier_disk_neighbour_seconds_total"
	seconds := func(who, own string) float64 {
		return sums(t, e.get("/metrics"), map[string]string{"tier": "diskserver", "neighbour": who,
			"own_application": own, "operation": "write"})[counter]
	}
	e.eventually("both are named", func() bool {
		for range 10 {
			response, err := http.Get("http://" + address)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
		}
		return seconds("dd", "false") > 0 && seconds("diskserver", "true") > 0
	})
	tier := sums(t, e.get("/metrics"), map[string]string{"tier": "diskserver"})
	if named, waited := tier[counter], tier["nstar_tier_disk_seconds_total"]; named > waited*1.01 {
		t.Errorf("it waited %v s for the disk, and %v s are divided", waited, named)
	}
	e.stop()
}
