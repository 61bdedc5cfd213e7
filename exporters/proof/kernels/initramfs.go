// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// initramfs writes an archive in the format that kernels unpack into their first file system: cpio, "newc"
// (Documentation/driver-api/early-userspace/buffer-format.rst).
type initramfs struct {
	w       io.Writer
	entries uint32
	err     error // the first, kept
}

// Modes of a directory and of a regular file; all may be run.
const (
	directory = 0o040755
	regular   = 0o100755
)

func (a *initramfs) write(b []byte) {
	if a.err == nil {
		_, a.err = a.w.Write(b)
	}
}

// pad fills up to the next multiple of four.
func (a *initramfs) pad(n int) { a.write(make([]byte, -n&3)) }

func (a *initramfs) entry(name string, mode uint32, content []byte) {
	a.entries++
	header := "070701"
	for _, field := range []uint32{
		a.entries, mode, 0, 0, 1, 0, uint32(len(content)), 0, 0, 0, 0, uint32(len(name) + 1), 0,
	} {
		header += fmt.Sprintf("%08X", field)
	}
	a.write([]byte(header + name + "\x00"))
	a.pad(len(header) + len(name) + 1)
	a.write(content)
	a.pad(len(content))
}

// tree adds the content of a directory under the same names, without one part of it; that part may be empty.
func (a *initramfs) tree(dir, leave string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if name == leave {
			return filepath.SkipDir
		}
		if d.IsDir() {
			a.entry(name, directory, nil)
			return a.err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		a.entry(name, regular, content)
		return a.err
	})
}

// end writes the trailer.
func (a *initramfs) end() error {
	a.entry("TRAILER!!!", 0, nil)
	return a.err
}
