// SPDX-License-Identifier: Apache-2.0

package hsperf

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// FuzzFollow feeds two hostile readings of a file: nothing may panic, and no
// window may be stopped for longer than it is.
func FuzzFollow(f *testing.F) {
	names, err := filepath.Glob("testdata/*.hsperf")
	if err != nil || len(names) == 0 {
		f.Fatal("no files to begin with", err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data[:16<<10], data[5000:7000])
	}
	f.Add(serial().data, serial().data[40:])
	f.Fuzz(func(t *testing.T, first, second []byte) {
		path := filepath.Join(t.TempDir(), "1")
		if err := os.WriteFile(path, first, 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		now := 5000 * time.Second
		j, err := follow(file, func() time.Duration { now += 1000; return now })
		if err != nil {
			return
		}
		for i := range 4 {
			// Another reading, at another place each time.
			if _, err := file.WriteAt(second, int64(j.layout.begin+8*i)); err != nil {
				t.Fatal(err)
			}
			now += 25 * time.Millisecond
			if err := j.Poll(now); err != nil {
				t.Fatal(err)
			}
			for from := now - 12*time.Second; from < now+time.Second; from += 500 * time.Millisecond {
				if s := j.Stopped(from, from+50*time.Millisecond); s < 0 || s > 50*time.Millisecond {
					t.Fatalf("stopped for %s of 50 ms", s)
				}
			}
		}
	})
}
