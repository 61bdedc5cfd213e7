// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/link"
	"golang.org/x/sys/unix"
)

// floor measures a program that does nothing, by the same statistics under the same load: what the call and the two reads of
// the clock cost on this machine. It returns nanoseconds a run.
func floor(full load) (float64, error) {
	root, err := cgroup2()
	if err != nil {
		return 0, err
	}
	program, err := ebpf.NewProgram(&ebpf.ProgramSpec{
		Name: "nothing", Type: ebpf.CGroupSKB, License: "GPL",
		Instructions: asm.Instructions{asm.Mov.Imm(asm.R0, 1), asm.Return()}, // 1: let the packet pass
	})
	if err != nil {
		return 0, err
	}
	defer program.Close()
	stats, err := ebpf.EnableStats(unix.BPF_STATS_RUN_TIME)
	if err != nil {
		return 0, err
	}
	defer stats.Close()
	attached, err := link.AttachCgroup(link.CgroupOptions{Path: root, Attach: ebpf.AttachCGroupInetEgress, Program: program})
	if err != nil {
		return 0, err
	}
	defer attached.Close()
	if _, err := full.run(); err != nil {
		return 0, err
	}
	s, err := program.Stats()
	if err != nil || s.RunCount == 0 {
		return 0, fmt.Errorf("the empty program did not run: %w", err)
	}
	return float64(s.Runtime.Nanoseconds()) / float64(s.RunCount), nil
}

// cgroup2 finds where the cgroup v2 hierarchy is mounted.
func cgroup2() (string, error) {
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		return "", err
	}
	for _, line := range strings.Split(string(mounts), "\n") {
		if f := strings.Fields(line); len(f) > 2 && f[2] == "cgroup2" {
			return f[1], nil
		}
	}
	return "", fmt.Errorf("no cgroup v2 hierarchy is mounted")
}
