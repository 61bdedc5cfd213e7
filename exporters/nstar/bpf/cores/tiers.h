/* SPDX-License-Identifier: GPL-2.0-only */
/* What both programs share: whose process is whose tier, and the parts of the kernel's structures that they read. */
#ifndef NSTAR_CORES_TIERS_H
#define NSTAR_CORES_TIERS_H

#include <linux/bpf.h>
#include <stdbool.h>

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#define RELOCATED __attribute__((preserve_access_index))

struct thread_info {
	unsigned int cpu;
} RELOCATED;

struct task_struct {
	struct thread_info thread_info;
	int pid;
	int tgid;
} RELOCATED;

/* Before Linux 5.16 the processor stood in the task itself. */
struct task_struct___before_5_16 {
	unsigned int cpu;
} RELOCATED;

/* Processes of the tiers, by thread-group id: the map of the program on sched_switch, put in its place when loaded. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, __u32);
	__type(value, __u32);
} tier_processes SEC(".maps");

#endif
