// SPDX-License-Identifier: Apache-2.0

package hsperf

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/nstar/clock"
)

// fakeProcess is process 7 of a fake /proc; it sees itself as process 1.
func fakeProcess(t *testing.T) (procRoot, root string) {
	t.Helper()
	procRoot = t.TempDir()
	root = filepath.Join(procRoot, "7", "root")
	if err := os.MkdirAll(filepath.Join(root, "tmp", "hsperfdata_tomcat"), 0o755); err != nil {
		t.Fatal(err)
	}
	uid := os.Getuid()
	text := fmt.Sprintf("Name:\tjava\nUid:\t%d\t%d\t%d\t%d\nNSpid:\t7\t1\n", uid, uid, uid, uid)
	if err := os.WriteFile(filepath.Join(procRoot, "7", "status"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return procRoot, root
}

func TestOpen(t *testing.T) {
	good, err := os.ReadFile("testdata/jdk17-serial.hsperf")
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	outside := filepath.Join(t.TempDir(), "outside")
	must(os.WriteFile(outside, good, 0o600))

	tests := []struct {
		name string
		make func(root, counters string)
		want error
	}{
		{"usual", func(_, counters string) { must(os.WriteFile(counters, good, 0o600)) }, nil},
		{"other users' folders first", func(root, counters string) {
			must(os.MkdirAll(filepath.Join(root, "tmp", "hsperfdata_a"), 0o755))
			must(os.MkdirAll(filepath.Join(root, "tmp", "hsperfdata_z", "1"), 0o755)) // no regular file
			must(os.WriteFile(counters, good, 0o600))
		}, nil},
		{"tmp is a link inside the image", func(root, counters string) {
			must(os.WriteFile(counters, good, 0o600))
			must(os.Rename(filepath.Join(root, "tmp"), filepath.Join(root, "private")))
			must(os.Symlink("/private", filepath.Join(root, "tmp")))
		}, nil},
		{"tmp is a link that leads out", func(root, _ string) {
			must(os.RemoveAll(filepath.Join(root, "tmp")))
			must(os.Symlink(filepath.Dir(outside), filepath.Join(root, "tmp")))
		}, ErrNoCounters},
		{"no tmp", func(root, _ string) { must(os.RemoveAll(filepath.Join(root, "tmp"))) }, ErrNoCounters},
		{"no file", func(string, string) {}, ErrNoCounters},
		{"file is a link", func(_, counters string) { must(os.Symlink(outside, counters)) }, ErrUntrusted},
		{"folder is a link", func(root, counters string) {
			must(os.Remove(filepath.Dir(counters)))
			must(os.Symlink(filepath.Dir(outside), filepath.Dir(counters)))
		}, ErrUntrusted},
		{"pipe", func(_, counters string) { must(unix.Mkfifo(counters, 0o600)) }, ErrUntrusted},
		{"directory", func(_, counters string) { must(os.Mkdir(counters, 0o700)) }, ErrUntrusted},
		{"too large", func(_, counters string) {
			must(os.WriteFile(counters, good, 0o600))
			must(os.Truncate(counters, maxFileBytes+1))
		}, ErrUntrusted},
		{"owned by another user", func(_, counters string) {
			must(os.WriteFile(counters, good, 0o600))
			if os.Getuid() != 0 {
				t.Skip("needs root to give a file away")
			}
			must(os.Chown(counters, 65534, 65534))
		}, ErrUntrusted},
		{"not the format", func(_, counters string) { must(os.WriteFile(counters, []byte("hello"), 0o600)) },
			ErrMalformed},
		{"empty", func(_, counters string) { must(os.WriteFile(counters, nil, 0o600)) }, ErrMalformed},
		{"process ended", func(root, _ string) { must(os.RemoveAll(filepath.Dir(root))) }, os.ErrNotExist},
		{"root ended", func(root, _ string) { must(os.RemoveAll(root)) }, os.ErrNotExist},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			procRoot, root := fakeProcess(t)
			tt.make(root, filepath.Join(root, "tmp", "hsperfdata_tomcat", "1"))
			j, err := Open(procRoot, 7)
			if !errors.Is(err, tt.want) || (err == nil) != (tt.want == nil) {
				t.Fatalf("error %v, want %v", err, tt.want)
			}
			if err == nil {
				if err := j.Close(); err != nil {
					t.Error(err)
				}
			} else if !strings.HasPrefix(err.Error(), "process 7: ") || strings.Contains(err.Error(), "\n") {
				t.Errorf("error is not one line with the process: %q", err)
			}
		})
	}
}

func TestPollOfATruncatedFile(t *testing.T) {
	b := newBench(t, serial())
	if err := os.Truncate(b.path, 100); err != nil {
		t.Fatal(err)
	}
	if err := b.jvm.Poll(b.now); !errors.Is(err, ErrMalformed) {
		t.Errorf("error %v, want %v", err, ErrMalformed)
	}
}

func BenchmarkPoll(b *testing.B) {
	for _, name := range []string{"jdk17-serial", "jdk17-g1"} {
		b.Run(name, func(b *testing.B) {
			file, err := os.Open("testdata/" + name + ".hsperf")
			if err != nil {
				b.Fatal(err)
			}
			defer file.Close()
			j, err := follow(file, clock.Monotonic)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := j.Poll(clock.Monotonic()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
