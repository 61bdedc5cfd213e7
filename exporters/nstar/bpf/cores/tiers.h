/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by both programs: which process belongs to which tier, and the kernel's structures that they read. */
#ifndef NSTAR_CORES_TIERS_H
#define NSTAR_CORES_TIERS_H

#include <linux/bpf.h>
#include <stdbool.h>

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#include "../processes.h"

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

#endif
