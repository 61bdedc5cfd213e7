// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// For a tier whose disk is known, that disk counts; for other tiers, the busiest disk. A device that is not a disk of
// its own counts for no tier.
func TestDiskLoad(t *testing.T) {
	root := t.TempDir()
	disk := func(name, number, size string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(root, name, "slaves"), 0o755); err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(root, name, "dev"), number+"\n")
		put(t, filepath.Join(root, name, "size"), size+"\n")
	}
	stat := func(name string, busy, queue int) {
		t.Helper()
		put(t, filepath.Join(root, name, "stat"), fmt.Sprintf("%8d %8d %8d %8d %8d %8d %8d %8d %8d %8d %8d %8d %8d "+
			"%8d %8d %8d %8d\n",
			9, 0, 72, 4, 3, 1, 40, 5, 2, busy, queue, 0, 0, 0, 0, 0, 0))
	}
	for name, number := range map[string]string{"sda": "8:0", "sdb": "8:16", "dm-0": "253:0", "ram0": "1:0"} {
		disk(name, number, "1000")
		stat(name, 1000, 5000)
	}
	disk("loop0", "7:0", "0")
	stat("loop0", 0, 0)
	if err := os.Mkdir(filepath.Join(root, "dm-0", "slaves", "sda"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := &shared{asked: map[window.Station]time.Duration{0: 0}}
	d := &devices{root: root, shared: s, of: func(tier window.Station) []uint32 {
		return map[window.Station][]uint32{1: {8<<20 | 16}}[tier]
	}}
	if err := d.find(); err != nil || len(d.disks) != 2 {
		t.Fatalf("%d disks, %v", len(d.disks), err)
	}
	busy, queue := &diskLoad{d, busyTime}, &diskLoad{d, queueTime}
	second := Window{From: time.Second, To: 2 * time.Second}
	if got := busy.Share(0, second); !math.IsNaN(got) {
		t.Errorf("%v before anything was read", got)
	}
	busy.Poll(time.Second)
	stat("sda", 1800, 9000)
	stat("sdb", 1100, 5100)
	stat("dm-0", 2000, 25000)
	queue.Poll(2 * time.Second)
	busy.Poll(2*time.Second + ms) // too soon
	for tier, want := range map[window.Station][2]float64{0: {0.8, 4}, 1: {0.1, 0.1}} {
		if b, q := busy.Share(tier, second), queue.Share(tier, second); math.Abs(b-want[0]) > 1e-9 ||
			math.Abs(q-want[1]) > 1e-9 {
			t.Errorf("tier %d: busy %v, %v requests, want %v", tier, b, q, want)
		}
	}
	stat("sda", 5, 5) // counters of another disk of the same name
	busy.Poll(3 * time.Second)
	if got := queue.Share(0, Window{From: 2 * time.Second, To: 3 * time.Second}); got != 0 {
		t.Errorf("%v requests of a counter that went back", got)
	}
	if err := os.RemoveAll(filepath.Join(root, "sdb")); err != nil {
		t.Fatal(err)
	}
	if busy.Follow(nil); len(d.disks) != 1 {
		t.Errorf("%d disks, one of two is gone", len(d.disks))
	}
	if err := (&devices{root: t.TempDir()}).find(); err == nil {
		t.Error("there is no disk")
	}
}

// A disk is busy while a process syncs a file on it again and again.
func TestDiskIsBusy(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var fs unix.Statfs_t
	if err := unix.Fstatfs(int(f.Fd()), &fs); err != nil {
		t.Fatal(err)
	}
	if fs.Type == unix.TMPFS_MAGIC || fs.Type == unix.OVERLAYFS_SUPER_MAGIC {
		t.Skip("no disk behind the temporary directory")
	}
	s := &shared{asked: map[window.Station]time.Duration{0: 0}}
	d, err := s.blockDevices()
	if err != nil {
		t.Skip(err)
	}
	busy, queue := &diskLoad{d, busyTime}, &diskLoad{d, queueTime}
	busy.Poll(time.Second)
	moved := func(took time.Duration) (b, q float64) {
		w := Window{From: time.Second, To: time.Second + took}
		return busy.Share(0, w), queue.Share(0, w)
	}
	// A fast disk is busy for less than a tick of the kernel's clock at a time, so only by chance it is seen busy.
	began := time.Now()
	for b, q := 0., 0.; (b <= 0 || q <= 0) && time.Since(began) < 30*time.Second; {
		for range 50 {
			if _, err := f.WriteAt(make([]byte, 1<<20), 0); err != nil {
				t.Fatal(err)
			}
			if err := f.Sync(); err != nil {
				t.Fatal(err)
			}
		}
		d.next = 0
		busy.Poll(time.Second + time.Since(began))
		b, q = moved(time.Since(began))
	}
	took := time.Since(began)
	b, q := moved(took)
	t.Logf("in %v: busy %.4f, %.4f requests", took, b, q)
	if !(b > 0 && b <= 1 && q > 0) {
		t.Errorf("busy %v, %v requests", b, q)
	}
}
