// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"
)

func TestExplain(t *testing.T) {
	other := errors.New("something else")
	for _, tt := range []struct {
		name string
		err  error
		want error
		says string
	}{
		{"not root", fmt.Errorf("creating map: %w", unix.EPERM), ErrPermission, "run as root"},
		{"no access", fmt.Errorf("opening: %w", unix.EACCES), ErrPermission, "CAP_BPF"},
		{"feature missing", fmt.Errorf("loading: %w", ebpf.ErrNotSupported), ErrKernelOld, release()},
		{"refused by the verifier", &ebpf.VerifierError{Cause: unix.EINVAL, Log: []string{"1: bad", "2: worse"}},
			ErrKernelOld, "5.15"},
		{"refused as forbidden", &ebpf.VerifierError{Cause: unix.EACCES, Log: []string{"1: bad"}},
			ErrKernelOld, "5.15"},
		{"refused to this user", &ebpf.VerifierError{Cause: unix.EPERM, Log: []string{"1: bad"}},
			ErrPermission, "root"},
		{"invalid argument", fmt.Errorf("attaching: %w", unix.EINVAL), ErrKernelOld, "attaching"},
		{"anything else", other, other, "something else"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if !hasBTF() {
				t.Skip("needs a kernel with BTF")
			}
			got := Explain(tt.err)
			if !errors.Is(got, tt.want) || !strings.Contains(got.Error(), tt.says) {
				t.Errorf("%v, want %v with %q", got, tt.want, tt.says)
			}
			if strings.Contains(got.Error(), "\n") {
				t.Errorf("more than one line: %q", got)
			}
		})
	}
}

// Where only Unix sockets can't be measured, the kernel's own number must not look as if it were new enough.
func TestExplainUnix(t *testing.T) {
	if !hasBTF() {
		t.Skip("needs a kernel with BTF")
	}
	got := explain(fmt.Errorf("loading: %w", unix.EINVAL), errUnixKernelOld).Error()
	if !strings.Contains(got, "6.3") || strings.Contains(got, "5.15") {
		t.Error(got)
	}
}

func TestRelease(t *testing.T) {
	if r := release(); !strings.Contains(r, ".") {
		t.Errorf("kernel release %q", r)
	}
}
