// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

// mapper turns the test program into one that maps a file and uses every page of it for each line that it reads.
const mapper = "NSTAR_MAPPER"

const mappedPages = 64

func TestMapper(t *testing.T) {
	path := os.Getenv(mapper)
	if path == "" {
		t.Skip("it is run by TestMajorFaults")
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	size := os.Getpagesize()
	b, err := unix.Mmap(int(f.Fd()), 0, mappedPages*size, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Madvise(b, unix.MADV_RANDOM); err != nil { // one page at a time
		t.Fatal(err)
	}
	sum := 0
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		for i := range mappedPages {
			sum += int(b[i*size])
		}
		if err := unix.Madvise(b, unix.MADV_DONTNEED); err != nil { // it must find the pages again next time
			t.Fatal(err)
		}
		os.Stdout.WriteString("used " + strconv.Itoa(sum) + "\n")
	}
}

// A process that uses pages of a file waits for pages that are not in the page cache, and for no others.
func TestMajorFaults(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mapped")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var fs unix.Statfs_t
	if err := unix.Fstatfs(int(f.Fd()), &fs); err != nil {
		t.Fatal(err)
	}
	if fs.Type == unix.TMPFS_MAGIC {
		t.Skip("the temporary directory is in memory")
	}
	if _, err := f.Write(make([]byte, mappedPages*os.Getpagesize())); err != nil {
		t.Fatal(err)
	}
	if err := f.Sync(); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(os.Args[0], "-test.run=^TestMapper$")
	c.Env = append(os.Environ(), mapper+"="+path)
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = in.Close()
		_, _ = io.Copy(io.Discard, out)
		_ = c.Wait()
	}()
	lines := bufio.NewScanner(out)
	use := func() {
		if _, err := io.WriteString(in, "use\n"); err != nil || !lines.Scan() {
			t.Fatalf("the process that maps the file has ended: %v, %v", err, lines.Err())
		}
	}
	tiers := []Tier{{Station: 3, PIDs: []int32{int32(c.Process.Pid)}}}
	s := &Set{faults: newMajorFaults("/proc")}
	faults := func() uint64 {
		s.faults.follow(tiers)
		n, ok := s.MajorFaults(3)
		if !ok {
			t.Fatal("not known")
		}
		return n
	}
	use() // its own program's pages come in
	if got := faults(); got != 0 {
		t.Errorf("%d faults before it was known", got)
	}
	use()
	cached := faults()
	if cached > mappedPages/4 { // memory may be short
		t.Errorf("%d faults of %d pages in the page cache", cached, mappedPages)
	}
	if err := unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED); err != nil {
		t.Fatal(err)
	}
	use()
	if got := faults() - cached; got < mappedPages*3/4 || got > mappedPages*2 {
		t.Errorf("%d faults of %d pages on the disk", got, mappedPages)
	}
}

// The counts of a tier continue while its processes come and go, and contain nothing of other tiers.
func TestMajorFaultsOfTiers(t *testing.T) {
	root := t.TempDir()
	has := func(pid, faults string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(root, pid), 0o755); err != nil {
			t.Fatal(err)
		}
		text := pid + " (a) b) S 1 1 1 0 -1 4194560 500 9 " + faults + " 77 0 0\n"
		if err := os.WriteFile(filepath.Join(root, pid, "stat"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := &Set{faults: newMajorFaults(root)}
	web, db := Tier{Station: 0, PIDs: []int32{1}, Started: []int32{2}}, Tier{Station: 1, PIDs: []int32{3}}
	want := func(station int, want uint64) {
		t.Helper()
		s.faults.follow([]Tier{web, db})
		if got, ok := s.MajorFaults(0 + web.Station); station == 0 && (got != want || !ok) {
			t.Errorf("%d, %v, want %d", got, ok, want)
		}
		if got, ok := s.MajorFaults(db.Station); station == 1 && (got != want || !ok) {
			t.Errorf("%d, %v, want %d", got, ok, want)
		}
	}
	has("1", "100")
	has("2", "10")
	has("3", "7")
	want(0, 0)
	has("1", "105")
	has("2", "12")
	want(0, 7)
	if err := os.RemoveAll(filepath.Join(root, "2")); err != nil {
		t.Fatal(err)
	}
	web.Started = nil
	has("4", "1000") // what it had before is not counted
	web.PIDs = append(web.PIDs, 4)
	want(0, 7)
	has("4", "1001")
	want(0, 8)
	want(1, 0)
	has("3", "9")
	want(1, 2)
	db.PIDs = []int32{99} // gone
	s.faults.follow([]Tier{web, db})
	if n, ok := s.MajorFaults(db.Station); ok {
		t.Errorf("%d of a tier without a process", n)
	}
	if _, ok := (&Set{}).MajorFaults(0); ok {
		t.Error("known though the cause is switched off")
	}
}
