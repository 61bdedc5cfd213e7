// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// mount makes the file systems that the exporter and the tests need.
func mount() error {
	var errs []error
	for _, m := range []struct{ kind, at string }{
		{"proc", "/proc"}, {"sysfs", "/sys"}, {"devtmpfs", "/dev"}, {"tmpfs", "/tmp"}, {"tmpfs", "/run"},
		{"cgroup2", "/sys/fs/cgroup"}, {"bpf", "/sys/fs/bpf"}, {"tracefs", "/sys/kernel/tracing"},
	} {
		if err := os.MkdirAll(m.at, 0o755); err != nil {
			errs = append(errs, err)
			continue
		}
		err := unix.Mount(m.kind, m.at, m.kind, 0, "")
		if err != nil && !errors.Is(err, unix.EBUSY) { // some kernels mount /dev themselves
			errs = append(errs, fmt.Errorf("mounting %s: %w", m.at, err))
		}
	}
	return errors.Join(errs...)
}

// loopback switches the device lo on; the kernel gives it its addresses.
func loopback() error {
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(socket)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, request); err != nil {
		return fmt.Errorf("switching on lo: %w", err)
	}
	if _, err := net.InterfaceByName("lo"); err != nil {
		return err
	}
	return nil
}

// modules loads the modules in /modules, in the order of names: in most kernels the list of TCP sockets is a
// module.
func modules() error {
	files, err := filepath.Glob("/modules/*.ko")
	if err != nil {
		return err
	}
	for _, file := range files {
		image, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := unix.InitModule(image, ""); err != nil && !errors.Is(err, unix.EEXIST) {
			return fmt.Errorf("loading %s: %w", filepath.Base(file), err)
		}
	}
	return nil
}
