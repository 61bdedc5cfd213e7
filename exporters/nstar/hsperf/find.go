// SPDX-License-Identifier: Apache-2.0

package hsperf

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

// maxNames bounds how much of a directory is listed: anybody may fill it.
const maxNames = 10_000

// find opens the counters of a process in the /tmp that the process sees. The user of the process may have
// put anything there, so no link is followed out of its root, and only a plain file of the process's own user
// is read.
func find(procRoot string, pid int32) (*os.File, error) {
	dir := filepath.Join(procRoot, strconv.Itoa(int(pid)))
	st, err := readStatus(procRoot, pid)
	if err != nil {
		return nil, err
	}
	root, err := unix.Open(filepath.Join(dir, "root"), unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("cannot enter the root directory of the process: %w", err)
	}
	defer unix.Close(root)
	// In a container's image, /tmp itself may be a link within the image.
	tmp, err := unix.Openat2(root, "tmp", &unix.OpenHow{
		Flags:   unix.O_RDONLY | unix.O_DIRECTORY | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_IN_ROOT | unix.RESOLVE_NO_MAGICLINKS,
	})
	if err != nil {
		return nil, fmt.Errorf("%w: its /tmp: %w", ErrNoCounters, err)
	}
	list := os.NewFile(uintptr(tmp), "tmp")
	defer list.Close()
	names, err := list.Readdirnames(maxNames)
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("%w: its /tmp: %w", ErrNoCounters, err)
	}
	refused := error(nil)
	for _, name := range names {
		if !strings.HasPrefix(name, "hsperfdata_") {
			continue
		}
		file, err := openOwned(tmp, name+"/"+st.innerPID, st.uids)
		switch {
		case err == nil:
			return file, nil
		case errors.Is(err, ErrUntrusted):
			refused = err
		}
	}
	if refused != nil {
		return nil, refused
	}
	return nil, fmt.Errorf("%w in /tmp/hsperfdata_*/%s: run the virtual machine (HotSpot) without -XX:-UsePerfData "+
		"and -XX:+PerfDisableSharedMem",
		ErrNoCounters, st.innerPID)
}

// openOwned opens a plain file below dir if one of the users owns it. It looks
// before it opens: opening a device or a pipe may do something.
func openOwned(dir int, name string, uids []uint32) (*os.File, error) {
	fd, err := unix.Openat2(dir, name, &unix.OpenHow{
		Flags:   unix.O_PATH | unix.O_NOFOLLOW | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS,
	})
	if errors.Is(err, unix.ELOOP) {
		return nil, fmt.Errorf("%w: /tmp/%s is or is behind a symbolic link", ErrUntrusted, name)
	}
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, err
	}
	switch {
	case st.Mode&unix.S_IFMT != unix.S_IFREG:
		return nil, fmt.Errorf("%w: /tmp/%s is not a regular file", ErrUntrusted, name)
	case !slices.Contains(uids, st.Uid):
		return nil, fmt.Errorf("%w: /tmp/%s belongs to user %d, not to the process's", ErrUntrusted, name, st.Uid)
	case st.Size > maxFileBytes:
		return nil, fmt.Errorf("%w: /tmp/%s has %d bytes", ErrUntrusted, name, st.Size)
	}
	return os.Open("/proc/self/fd/" + strconv.Itoa(fd))
}

// status is the content of /proc/PID/status.
type status struct {
	innerPID string // as the process sees itself
	uids     []uint32
}

func readStatus(procRoot string, pid int32) (status, error) {
	fs, err := procfs.NewFS(procRoot)
	if err != nil {
		return status{}, err
	}
	process, err := fs.Proc(int(pid))
	if err != nil {
		return status{}, err
	}
	told, err := process.NewStatus()
	if err != nil {
		return status{}, err
	}
	s := status{innerPID: strconv.Itoa(int(pid))}
	if n := len(told.NSpids); n > 0 {
		s.innerPID = strconv.FormatUint(told.NSpids[n-1], 10)
	}
	for _, uid := range told.UIDs {
		s.uids = append(s.uids, uint32(uid))
	}
	return s, nil
}
