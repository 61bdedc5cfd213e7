// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"io"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/link"

	"github.com/nstar-project/nstar/exporters/nstar/cgroups"
)

// closers are closed together.
type closers []io.Closer

func (c closers) Close() error {
	var errs []error
	for _, x := range c {
		errs = append(errs, x.Close())
	}
	return errors.Join(errs...)
}

// attach attaches the two programs to all sockets of the machine, as the exporter does.
func attach(ingress, egress *ebpf.Program) (io.Closer, error) {
	root, err := cgroup2()
	if err != nil {
		return nil, err
	}
	var attached closers
	for kind, program := range map[ebpf.AttachType]*ebpf.Program{
		ebpf.AttachCGroupInetIngress: ingress, ebpf.AttachCGroupInetEgress: egress,
	} {
		l, err := link.AttachCgroup(link.CgroupOptions{Path: root, Attach: kind, Program: program})
		if err != nil {
			return nil, errors.Join(err, attached.Close())
		}
		attached = append(attached, l)
	}
	return attached, nil
}

// trace attaches programs to the tracepoints that they are made for.
func trace(programs ...*ebpf.Program) (io.Closer, error) {
	var attached closers
	for _, p := range programs {
		l, err := link.AttachTracing(link.TracingOptions{Program: p})
		if err != nil {
			return nil, errors.Join(err, attached.Close())
		}
		attached = append(attached, l)
	}
	return attached, nil
}

// cgroup2 finds where the whole hierarchy of cgroup v2 is mounted.
func cgroup2() (string, error) {
	mounted, err := cgroups.Of("/proc/self")
	if err != nil {
		return "", err
	}
	for _, m := range mounted.V2 {
		if m.Whole() {
			return m.Dir, nil
		}
	}
	return "", errors.New("no cgroup v2 hierarchy is mounted")
}
