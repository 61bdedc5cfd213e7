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

// read is the beginning of the file as it is now. By one call: the kernel fills the buffer as far as the file goes, and
// ReadAt would ask once more to see that there is no more.
func (r *reader) read() (string, error) {
	n, err := unix.Pread(int(r.file.Fd()), r.buf[:], 0)
	if n > 0 {
		return string(r.buf[:n]), nil
	}
	return "", err
}

func (r *reader) close() { _ = r.file.Close() } // nothing was written
