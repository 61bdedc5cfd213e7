// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Packed files are found again, in the format's description: 110 bytes of header, name and content each filled up to
// four bytes.
func TestInitramfs(t *testing.T) {
	dir := t.TempDir()
	want := map[string]string{"init": "#!", "tests": "", "tests/a.test": "abcde", "tests/empty": ""}
	if err := os.MkdirAll(filepath.Join(dir, "left/out"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range want {
		path := filepath.Join(dir, name)
		if name == "tests" {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var packed bytes.Buffer
	a := &initramfs{w: &packed}
	if err := a.tree(dir, "left"); err != nil {
		t.Fatal(err)
	}
	if err := a.end(); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, unpack(t, packed.Bytes())); d != "" {
		t.Error(d)
	}
}

func unpack(t *testing.T, b []byte) map[string]string {
	t.Helper()
	files := make(map[string]string)
	for len(b) >= 110 {
		if string(b[:6]) != "070701" {
			t.Fatalf("no header: %q", b[:6])
		}
		field := func(i int) int {
			n, err := strconv.ParseUint(string(b[6+8*i:14+8*i]), 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			return int(n)
		}
		mode, size, named := field(1), field(6), field(11)
		name := string(b[110 : 110+named-1])
		b = b[(110+named+3)/4*4:]
		if name == "TRAILER!!!" {
			return files
		}
		if isDir := mode&0o170000 == 0o040000; isDir != (name == "tests") || mode&0o111 == 0 {
			t.Errorf("%s has the mode %o", name, mode)
		}
		files[name] = string(b[:size])
		b = b[(size+3)/4*4:]
	}
	t.Fatal("no trailer")
	return nil
}
