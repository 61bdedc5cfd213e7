// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"
)

// Reasons why the kernel side can't run here. Each names what to do.
var (
	ErrPermission = errors.New("not permitted: run as root, or with the capabilities CAP_BPF, CAP_PERFMON, " +
		"CAP_NET_ADMIN, CAP_SYS_PTRACE and CAP_DAC_READ_SEARCH")
	ErrNoBTF = errors.New("the kernel does not describe its types: it needs CONFIG_DEBUG_INFO_BTF=y " +
		"(/sys/kernel/btf/vmlinux is missing)")
	// ErrCgroupNamespace: attached there, the programs would see the exporter's own sockets and no others.
	ErrCgroupNamespace = errors.New("the exporter is in a cgroup namespace of its own, where no socket but its own " +
		"is seen: start its container with --cgroupns=host, or with --pid=host and CAP_SYS_PTRACE")
	// ErrProcessNamespace: the kernel programs know processes by other numbers than the exporter.
	ErrProcessNamespace = errors.New("the exporter is in a process namespace of its own: start its container with " +
		"--pid=host (hostPID: true in Kubernetes)")
	ErrKernelOld = errors.New("the kernel lacks a BPF feature: Linux 5.15 or newer is needed")
	// errUnixKernelOld is the same for Unix sockets, where all else is measured.
	errUnixKernelOld = errors.New("the kernel lacks a BPF feature: Linux 6.3 or newer is needed for Unix sockets")
)

const statsRunTime = uint32(unix.BPF_STATS_RUN_TIME)

// Explain puts the reason before the kernel's own words.
func Explain(err error) error { return explain(err, ErrKernelOld) }

// explain says which error it is if the kernel is too old.
func explain(err, old error) error {
	var verifier *ebpf.VerifierError
	refused := errors.As(err, &verifier)
	switch {
	// the verifier also says EACCES if a program does something that an old kernel forbids
	case errors.Is(err, os.ErrPermission) && !(refused && errors.Is(err, unix.EACCES)):
		return fmt.Errorf("%w (%s)", ErrPermission, firstLine(err))
	case !hasBTF():
		return ErrNoBTF
	case errors.Is(err, ebpf.ErrNotSupported), refused, errors.Is(err, unix.EINVAL):
		return fmt.Errorf("%w; this is %s (%s)", old, release(), firstLine(err))
	}
	return err
}

func hasBTF() bool {
	_, err := os.Stat("/sys/kernel/btf/vmlinux")
	return err == nil
}

// firstNamespace is the inode of the kernel's first process namespace (PROC_PID_INIT_INO).
const firstNamespace = "pid:[4026531836]"

// KernelNumbers reports whether the processes below a procfs (empty: /proc) have the numbers that the kernel's programs
// see: those of the first process namespace. If that can't be read, they have.
func KernelNumbers(procRoot string) bool {
	namespace, err := os.Readlink(filepath.Join(cmp.Or(procRoot, "/proc"), "1/ns/pid"))
	return err != nil || namespace == firstNamespace
}

func release() string {
	var u unix.Utsname
	if unix.Uname(&u) != nil {
		return "an unknown kernel"
	}
	return unix.ByteSliceToString(u.Release[:])
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
