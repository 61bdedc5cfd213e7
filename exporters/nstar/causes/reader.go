// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"os"

	"golang.org/x/sys/unix"
)

// reader reads a small file of the kernel again and again.
type reader struct {
	file *os.File
	buf  [4096]byte
}

func openReader(path string) (*reader, error) {
	f, err := os.Open(path)
	return &reader{file: f}, err
}

// read returns the beginning of the file as it is now, with a single call. The kernel fills the buffer up to the end of
// the file, while ReadAt would make another call to see the end.
func (r *reader) read() (string, error) {
	n, err := unix.Pread(int(r.file.Fd()), r.buf[:], 0)
	if n > 0 {
		return string(r.buf[:n]), nil
	}
	return "", err
}

func (r *reader) close() { _ = r.file.Close() } // nothing was written
