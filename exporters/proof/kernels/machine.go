// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/kernels/console"
)

// kernel is one that was unpacked: DIR/ARCHITECTURE/VERSION with vmlinuz and modules.
type kernel struct {
	dir, arch, version string
}

// emulator of an architecture, with the options of its machine. Only emulation is used, because it makes no difference
// to a kernel's verifier, and virtual machines seldom let others run in them.
var emulators = map[string][]string{
	"amd64": {"qemu-system-x86_64", "-append", "console=ttyS0 panic=-1 quiet loglevel=3"},
	"arm64": {"qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a57", "-append",
		"console=ttyAMA0 panic=-1 quiet loglevel=3"},
}

// try boots a kernel with the files that the guest needs and reads its results. programs is the folder of programs
// for the kernel's architecture: init, the exporter and the tests; `leave` is a part of it that is left out.
func (k kernel) try(ctx context.Context, programs, leave, emulation string, limit time.Duration,
	verbose io.Writer) (console.Report, error) {
	image, err := os.CreateTemp("", "nstar-initramfs-")
	if err != nil {
		return console.Report{}, err
	}
	defer os.Remove(image.Name())
	if err := errors.Join(k.pack(image, programs, leave), image.Close()); err != nil {
		return console.Report{}, fmt.Errorf("packing the first file system: %w", err)
	}
	emulator, ok := emulators[k.arch]
	if !ok {
		return console.Report{}, fmt.Errorf("no emulator for %s", k.arch)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	argv := append([]string{
		"-L", filepath.Join(emulation, "usr/share/qemu"), "-L", filepath.Join(emulation, "usr/share/seabios"),
		"-accel", "tcg,thread=single", "-smp", "2", "-m", "1536", "-nographic", "-no-reboot", "-nic", "none",
		"-kernel", filepath.Join(k.dir, "vmlinuz"), "-initrd", image.Name(),
	}, emulator[1:]...)
	argv = append(argv, k.clocks()...)
	c := exec.CommandContext(ctx, filepath.Join(emulation, "usr/bin", emulator[0]), argv...)
	c.Stderr = verbose
	libraries, err := librariesOf(emulation)
	if err != nil {
		return console.Report{}, err
	}
	c.Env = append(os.Environ(), "LD_LIBRARY_PATH="+strings.Join(libraries, ":"))
	serial, err := c.StdoutPipe()
	if err != nil {
		return console.Report{}, err
	}
	if err := c.Start(); err != nil {
		return console.Report{}, err
	}
	report, err := console.Read(serial, func(line string) { fmt.Fprintf(verbose, "    %s\n", line) })
	if err = errors.Join(err, c.Wait()); errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = fmt.Errorf("not ready after %v", limit)
	}
	return report, err
}

// clocks is how a kernel's machine keeps time: by counting instructions, 4 ns each, because kernels give up if timers
// are late, as on a busy computer. On amd64, kernels before 6.5 then wait forever for the second processor; they get
// the computer's own clock.
func (k kernel) clocks() []string {
	if k.arch == "amd64" && slices.Compare(numbers(k.version), []int{6, 5}) < 0 {
		return nil
	}
	return []string{"-icount", "shift=2,sleep=off"}
}

// librariesOf lists the directories of the shared libraries of unpacked programs.
func librariesOf(root string) ([]string, error) {
	all, err := filepath.Glob(filepath.Join(root, "usr/lib/*-linux-gnu"))
	if err != nil {
		return nil, err
	}
	more, err := filepath.Glob(filepath.Join(root, "lib/*-linux-gnu"))
	return append(all, more...), err
}

func (k kernel) pack(w io.Writer, programs, leave string) error {
	a := &initramfs{w: w}
	if err := a.tree(programs, leave); err != nil {
		return err
	}
	modules, err := filepath.Glob(filepath.Join(k.dir, "*.ko"))
	if err != nil {
		return err
	}
	a.entry("modules", directory, nil)
	for _, module := range modules {
		content, err := os.ReadFile(module)
		if err != nil {
			return err
		}
		a.entry("modules/"+filepath.Base(module), regular, content)
	}
	return a.end()
}
