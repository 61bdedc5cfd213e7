// SPDX-License-Identifier: Apache-2.0

package diskuse

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/rlimit"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/nstar/bpf/bpftest"
	diskbpf "github.com/nstar-project/nstar/exporters/nstar/bpf/disk"
	"github.com/nstar-project/nstar/exporters/nstar/causes/owner"
	"github.com/nstar-project/nstar/exporters/nstar/clock"
)

const width = 50 * time.Millisecond

// role turns the test program into a process that writes.
const role = "NSTAR_DISKUSE_TEST"

const (
	piece  = 1 << 20
	pieces = 24
)

func TestMain(m *testing.M) {
	if how := os.Getenv(role); how != "" {
		_, _ = io.Copy(io.Discard, os.Stdin) // until the test lets it continue
		if err := work(how, os.Getenv(role+"_FILE")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// work writes a file and waits until it is on the disk, or leaves the writing to the kernel, or reads the file from the
// disk.
func work(how, path string) error {
	flags := os.O_RDWR | os.O_CREATE
	if how == "reads" {
		flags |= unix.O_DIRECT
	}
	f, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		return err
	}
	b, err := unix.Mmap(-1, 0, piece, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	for i := 0; i < pieces && err == nil; i++ {
		if how == "reads" {
			_, err = f.ReadAt(b, int64(i)*piece)
		} else {
			_, err = f.WriteAt(b, int64(i)*piece)
		}
	}
	if err == nil && how == "syncs" {
		err = f.Sync()
	}
	return err
}

// onDisk is the name of a file on a disk.
func onDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		t.Fatal(err)
	}
	if fs.Type == unix.TMPFS_MAGIC || fs.Type == unix.OVERLAYFS_SUPER_MAGIC {
		t.Skip("no disk behind the temporary directory")
	}
	return filepath.Join(dir, "file")
}

// as runs this program in a role until it ends.
func as(t *testing.T, how, file string) owner.Owner {
	t.Helper()
	return owner.Owner(started(t, how, file, func(uint32) {}))
}

// started does the same, and reports the id of the process before the process may continue.
func started(t *testing.T, how, file string, tell func(pid uint32)) (pid uint32) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	c.Env = append(os.Environ(), role+"="+how, role+"_FILE="+file)
	c.Stderr = os.Stderr
	gate, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	pid = uint32(c.Process.Pid)
	tell(pid)
	if err := errors.Join(gate.Close(), c.Wait()); err != nil {
		t.Fatal(err)
	}
	return pid
}

// processes is the table of the tiers' processes, without the program that follows what they start.
func processes(t *testing.T) *ebpf.Map {
	t.Helper()
	spec, err := diskbpf.LoadDisk()
	if err != nil {
		t.Fatal(err)
	}
	if err := rlimit.RemoveMemlock(); err != nil {
		bpftest.Skip(t, err)
	}
	m, err := ebpf.NewMap(spec.Maps[diskbpf.DiskMapTierProcesses])
	if err != nil {
		bpftest.Skip(t, err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

func open(t *testing.T) *Probe { return openWith(t, processes(t)) }

func openWith(t *testing.T, processes *ebpf.Map) *Probe {
	t.Helper()
	p, err := Open(Options{Window: width, Kept: 20 * time.Second, Clock: clock.NewOffset(clock.Now()).Value(),
		Processes: processes})
	if err != nil {
		bpftest.Skip(t, err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func now() int64 { return int64(clock.Wall() / width) }

// since adds up the windows from the given one to the present one.
func (p *Probe) since(from int64) (all []Use) {
	for i := from; i <= now(); i++ {
		all = Join(all, p.Window(i))
	}
	return all
}

func of(all []Use, who owner.Owner) (sum Use) {
	for _, u := range all {
		if u.Owner == who && u.Disk != 0 {
			sum = Use{who, u.Disk, sum.Read + u.Read, sum.Written + u.Written}
		}
	}
	return sum
}

// A process that writes or reads is reported with its bytes and its command, even when it has ended.
func TestWhoUsesTheDisk(t *testing.T) {
	file := onDisk(t)
	var disk unix.Stat_t
	if err := unix.Stat(filepath.Dir(file), &disk); err != nil {
		t.Fatal(err)
	}
	p := open(t)
	if stats, err := ebpf.EnableStats(unix.BPF_STATS_RUN_TIME); err == nil {
		defer stats.Close()
	}
	from := now()
	writer := as(t, "syncs", file)
	reader := as(t, "reads", file)
	all := p.since(from)
	w, r := of(all, writer), of(all, reader)
	t.Logf("the writer %+v, the reader %+v; the programs cost %+v", w, r, p.Costs())
	const bytes = pieces * piece
	if w.Written < bytes || w.Written > 2*bytes || w.Read > bytes/10 {
		t.Errorf("the writer of %d bytes wrote %d and read %d", bytes, w.Written, w.Read)
	}
	if r.Read < bytes || r.Read > 2*bytes || r.Written > bytes/10 {
		t.Errorf("the reader of %d bytes read %d and wrote %d", bytes, r.Read, r.Written)
	}
	if w.Disk != r.Disk {
		t.Errorf("they used the disks %x and %x", w.Disk, r.Disk)
	}
	if major := unix.Major(disk.Dev); major != 0 && w.Disk>>20 != major { // 0: the file system's own number
		t.Errorf("disk %x, the file is on %x", w.Disk, disk.Dev)
	}
	if got := p.Command(writer); got != "diskuse.test" {
		t.Errorf("the writer is called %q", got)
	}
	if got := p.Command(0); got != "" {
		t.Errorf("the kernel is called %q", got)
	}
}

// What the kernel writes back belongs to the process that wrote it into memory, even if that has ended.
func TestWriteBack(t *testing.T) {
	file := onDisk(t)
	p := open(t)
	from := now()
	writer := as(t, "leaves", file)
	if got := of(p.since(from), writer).Written; got > pieces*piece/2 {
		t.Skipf("it was written at once: %d bytes", got)
	}
	unix.Sync() // a thread of the kernel writes
	all := p.since(from)
	t.Logf("%+v", all)
	if got := of(all, writer).Written; got < pieces*piece || got > 2*pieces*piece {
		t.Errorf("of the writer's %d bytes %d were written back", pieces*piece, got)
	}
	if got := p.Command(writer); got != "diskuse.test" {
		t.Errorf("the writer is called %q", got)
	}
}

// What a tier's process uses is reported as the tier's, whether the process requests it itself or leaves it to the
// kernel, and even if it has ended. Its command is not reported then.
func TestTierUsesTheDisk(t *testing.T) {
	file := onDisk(t)
	table := processes(t)
	p := openWith(t, table)
	from := now()
	for _, how := range []string{"syncs", "reads", "leaves"} {
		var before Use // it is known as the tier's: it may read its own program, where memory is short
		pid := started(t, how, file, func(pid uint32) {
			if err := table.Put(pid, diskbpf.DiskProcess{Tier: 3}); err != nil {
				t.Fatal(err)
			}
			before = of(p.since(from), owner.Owner(pid))
		})
		if err := table.Delete(pid); err != nil {
			t.Fatal(err)
		}
		if how == "leaves" {
			unix.Sync()
		}
		all := p.since(from)
		if own := of(all, owner.Owner(pid)); own != before || own == (Use{}) && p.Command(owner.Owner(pid)) != "" {
			t.Errorf("%s: the process is told for itself: %+v, %q; before it was the tier's %+v",
				how, own, p.Command(owner.Owner(pid)), before)
		}
		got := of(all, owner.OfTier(3))
		t.Logf("%s: %+v", how, got)
		written, read := uint64(pieces*piece), uint64(0)
		if how != "syncs" {
			read = written
		}
		if how == "leaves" {
			written *= 2
		}
		if got.Written < written || got.Read < read {
			t.Errorf("%s: %+v of %d bytes written and %d read", how, got, written, read)
		}
	}
}

// Windows that were overwritten, and places that are not in use, report nothing.
func TestParse(t *testing.T) {
	slot := make([]byte, slotSize)
	put := binary.NativeEndian.PutUint64
	binary.NativeEndian.PutUint32(slot, 7)
	put(slot[8:], 1)
	put(slot[16:], 2)
	for i, u := range []Use{{10, 5, 100, 0}, {0, 5, 0, 50}, {10, 6, 1, 1}} {
		b := slot[24+i*useSize:]
		binary.NativeEndian.PutUint32(b, uint32(u.Owner))
		binary.NativeEndian.PutUint32(b[4:], u.Disk)
		put(b[8:], u.Read)
		put(b[16:], u.Written)
	}
	want := []Use{{0, 0, 2, 4}, {10, 5, 200, 0}, {0, 5, 0, 100}, {10, 6, 2, 2}}
	if diff := cmp.Diff(want, parse(parse(nil, slot, 7), slot, 7)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := parse(nil, slot, 8); got != nil {
		t.Errorf("another window says %+v", got)
	}
}
