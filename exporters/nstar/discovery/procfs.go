// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/nstar/programs"
)

// procfs reads one mounted /proc. It keeps its buffer, and uses system calls without os.File, because a scan
// opens a thousand files. prometheus/procfs is used where less is read: it opens and parses the whole of each
// file each time.
type procfs struct {
	root string
	buf  []byte
	// caller is the result of netnsOfCaller.
	caller uint32
}

func (fs *procfs) path(pid int32, name string) string {
	return fs.root + "/" + strconv.Itoa(int(pid)) + "/" + name
}

// gone reports whether err is the error of reading a process that has just ended.
func gone(err error) bool {
	return errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ESRCH)
}

func forbidden(err error) bool {
	return errors.Is(err, unix.EACCES) || errors.Is(err, unix.EPERM)
}

// pids lists the processes.
func (fs *procfs) pids() ([]int32, error) {
	dir, err := os.Open(fs.root)
	if err != nil {
		return nil, fmt.Errorf("cannot list processes: %w", err)
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, fmt.Errorf("cannot list processes: %w", err)
	}
	pids := make([]int32, 0, len(names))
	for _, name := range names {
		if pid, err := strconv.ParseInt(name, 10, 32); err == nil && pid > 0 {
			pids = append(pids, int32(pid))
		}
	}
	if len(pids) == 0 {
		return nil, fmt.Errorf("cannot list processes: %s is not a mounted proc file system", fs.root)
	}
	return pids, nil
}

// self is the id of this process as this procfs counts it, which differs from
// os.Getpid when the host's /proc is mounted in a container; 0 if unknown.
func (fs *procfs) self() int32 {
	link, _ := os.Readlink(filepath.Join(fs.root, "self"))
	pid, _ := strconv.ParseInt(link, 10, 32)
	return int32(pid)
}

// read is the whole content of a file, in the shared buffer: valid until the
// next call.
func (fs *procfs) read(path string) ([]byte, error) { return fs.readUpTo(path, math.MaxInt) }

// errTooLarge is the error for a file that is longer than the limit.
var errTooLarge = errors.New("file too large")

// readUpTo reads a file that is not longer than this many bytes.
func (fs *procfs) readUpTo(path string, most int) ([]byte, error) {
	fd, err := retry(func() (int, error) { return unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0) })
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	n := 0
	for {
		if len(fs.buf)-n < 4096 {
			fs.buf = append(fs.buf, make([]byte, max(64<<10, len(fs.buf)))...)
		}
		m, err := retry(func() (int, error) { return unix.Read(fd, fs.buf[n:]) })
		if err != nil {
			return nil, err
		}
		if m == 0 {
			return fs.buf[:n], nil
		}
		if n += m; n > most {
			return nil, errTooLarge
		}
	}
}

// netns is the inode number of the process's network namespace.
func (fs *procfs) netns(pid int32) (uint32, error) {
	var link [64]byte
	n, err := retry(func() (int, error) { return unix.Readlink(fs.path(pid, "ns/net"), link[:]) })
	if err != nil {
		return 0, err
	}
	inode, ok := bracketed(link[:n], "net:[")
	if !ok {
		return 0, fmt.Errorf("%s: unexpected link %q", fs.path(pid, "ns/net"), link[:n])
	}
	return uint32(inode), nil
}

// netnsOfCaller is the namespace in which this program's own sockets live.
func (fs *procfs) netnsOfCaller() uint32 {
	if fs.caller == 0 {
		var st unix.Stat_t
		if unix.Stat("/proc/self/ns/net", &st) == nil {
			fs.caller = uint32(st.Ino)
		}
	}
	return fs.caller
}

// sockets calls visit with the inode of every socket among the open files.
func (fs *procfs) sockets(pid int32, visit func(inode uint64)) error {
	fd, err := retry(func() (int, error) {
		return unix.Open(fs.path(pid, "fd"), unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	if fs.buf == nil {
		fs.buf = make([]byte, 64<<10)
	}
	var link [64]byte
	var names []string
	for {
		n, err := retry(func() (int, error) { return unix.ReadDirent(fd, fs.buf) })
		if err != nil {
			return err
		}
		if n == 0 {
			return nil
		}
		_, _, names = unix.ParseDirent(fs.buf[:n], -1, names[:0])
		for _, name := range names {
			n, err := retry(func() (int, error) { return unix.Readlinkat(fd, name, link[:]) })
			if forbidden(err) {
				return err
			}
			// A file that was closed since the listing is no error.
			if err != nil {
				continue
			}
			if inode, ok := bracketed(link[:n], "socket:["); ok {
				visit(inode)
			}
		}
	}
}

// describe fills in what names and rules need. Parts that may not be read, or that belong to a process that
// has just ended, stay empty.
func (fs *procfs) describe(p *process, named containers) {
	p.described = true
	exe, _ := os.Readlink(fs.path(p.pid, "exe"))
	// After an upgrade the running program's file is a deleted one.
	p.exe = filepath.Base(strings.TrimSuffix(exe, " (deleted)"))
	if exe == "" {
		p.exe = ""
	}
	b, err := fs.read(fs.path(p.pid, "cgroup"))
	switch {
	case err == nil:
		p.home = parseCgroup(string(b)).called(named)
	case !gone(err) && !forbidden(err):
		p.described = false // it keeps the home that it had; the next scan asks again
	}
	var st unix.Stat_t
	if unix.Stat(fs.path(p.pid, "stat"), &st) == nil {
		p.user = st.Uid
	}
	arguments := fs.arguments(p)
	p.arguments = sum(arguments)
	p.directory, _ = os.Readlink(fs.path(p.pid, "cwd"))
	if p.title = ""; len(arguments) > 0 {
		p.title = strings.Clone(arguments[0]) // a class path behind it may be long, and need not be kept
	}
	known, ok := programs.Of(p.command(), p.exe, arguments)
	p.program, p.runtime = known.Name, ""
	if !ok {
		known, _ = programs.Runtime(p.exe, func() []byte { return fs.beginning(p.pid) })
		p.runtime = known.Name
	}
	p.code = Visible(programs.Code(p.exe, arguments))
	p.jvm = p.exe == "java"
	if !p.jvm {
		// Launchers such as jsvc load the virtual machine as a library.
		b, err := fs.read(fs.path(p.pid, "maps"))
		p.jvm = err == nil && bytes.Contains(b, []byte("/libjvm.so"))
	}
}

// beginning is the first part of the file that a process runs; none if it can't be read.
func (fs *procfs) beginning(pid int32) []byte {
	fd, err := retry(func() (int, error) {
		return unix.Open(fs.path(pid, "exe"), unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	b := make([]byte, programs.Beginning)
	n, err := retry(func() (int, error) { return unix.Pread(fd, b, 0) })
	if err != nil {
		return nil
	}
	return b[:n]
}

// longestCommand bounds the arguments that are read of a process, in bytes: a class path may be long.
const longestCommand = 256 << 10

// arguments are those of the process's command line; none if it can't be read.
func (fs *procfs) arguments(p *process) []string {
	b, err := fs.readUpTo(fs.path(p.pid, "cmdline"), longestCommand)
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimRight(string(b), "\x00"), "\x00")
}

// bracketed is the number in a link such as socket:[123], whose prefix includes
// the bracket.
func bracketed(link []byte, prefix string) (uint64, bool) {
	digits, ok := bytes.CutPrefix(link, []byte(prefix))
	if !ok {
		return 0, false
	}
	if digits, ok = bytes.CutSuffix(digits, []byte{']'}); !ok {
		return 0, false
	}
	return decimal(digits)
}

// retry repeats a system call that a signal interrupted.
func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != unix.EINTR {
			return n, err
		}
	}
}
