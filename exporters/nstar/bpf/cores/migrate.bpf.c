//go:build ignore

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts how often threads of tiers move from one processor to another, and how often across last-level caches. It runs
 * at moves only, not at switches; a move of a thread that is no tier's costs a look into a table.
 */
#include "tiers.h"

char LICENSE[] SEC("license") = "GPL";

/* The cache domain of each processor, by its number; user space writes it again when processors come or go. */
#define CPUS 8192
volatile __u16 domain_of[CPUS];

/* Moves of one tier's threads that this processor decided, within a domain and from one to another. */
struct moves {
	__u64 within;
	__u64 across;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1); /* tiers, set when loaded */
	__type(key, __u32);
	__type(value, struct moves);
} tier_moves SEC(".maps");

static __always_inline __u32 cpu_of(struct task_struct *task)
{
	struct task_struct___before_5_16 *old = (void *)task;

	if (bpf_core_field_exists(old->cpu))
		return old->cpu;
	return task->thread_info.cpu;
}

/* The thread is still on the processor that it leaves. */
SEC("tp_btf/sched_migrate_task")
int BPF_PROG(nstar_migrate, struct task_struct *task, int to)
{
	__u32 tgid = task->tgid, from = cpu_of(task);
	struct process *p = bpf_map_lookup_elem(&tier_processes, &tgid);
	__u32 tier = p ? p->tier : NO_TIER;
	struct moves *m;

	if (!is_tier(tier))
		return 0;
	m = bpf_map_lookup_elem(&tier_moves, &tier);
	if (!m)
		return 0;
	if (domain_of[from & (CPUS - 1)] == domain_of[(__u32)to & (CPUS - 1)])
		m->within++;
	else
		m->across++;
	return 0;
}
