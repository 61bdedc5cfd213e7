/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes that a tier's process starts belong to the tier, from their first turn to their last one, whatever
 * program they run: most of them end before user space looks at /proc again. Programs that start services and
 * containers, or log users in, put these into control groups of their own; there they do not belong to the tier.
 */
#ifndef NSTAR_SCHED_CHILDREN_H
#define NSTAR_SCHED_CHILDREN_H

#include "maps.h"

#define INIT 1 /* the host's: what it starts is no part of it */
#define ENOENT 2
#define E2BIG 7
#define EEXIST 17

/* Marks of processes that were entered here, as user space sets `hints`: how many of them have these low bits. */
#define BORN 16384
volatile __u32 born[BORN];

/* The most that are entered at once: the processes that scans find must have places whatever one tier starts. */
const volatile __u32 max_children = 12288;
volatile __u64 children;
volatile __u64 unplaced; /* processes that found no place */

static __always_inline struct process *process_of(__u32 tgid)
{
	if (!hints[tgid & (HINTS - 1)] && !born[tgid & (BORN - 1)])
		return NULL;
	return bpf_map_lookup_elem(&tier_processes, &tgid);
}

static __always_inline void mark(__u32 tgid, int n)
{
	__sync_fetch_and_add(&born[tgid & (BORN - 1)], n);
	__sync_fetch_and_add(&children, n);
}

/* Before the child runs for the first time. */
SEC("tp_btf/sched_process_fork")
int BPF_PROG(nstar_fork, struct task_struct *parent, struct task_struct *child)
{
	__u32 id = child->tgid;
	struct process *of, new = {.parent = parent->tgid};
	long err;

	if (id == new.parent || new.parent == INIT) /* a thread; the init system */
		return 0;
	of = process_of(new.parent);
	if (!of || of->tier == NO_TIER ||
	    BPF_CORE_READ(child, cgroups, dfl_cgrp) != BPF_CORE_READ(parent, cgroups, dfl_cgrp))
		return 0;
	new.tier = of->tier;
	err = children < max_children ? bpf_map_update_elem(&tier_processes, &id, &new, BPF_NOEXIST) : -E2BIG;
	if (!err)
		mark(id, 1);
	else if (err != -EEXIST) /* the id was another's until just now: the next scan tells */
		__sync_fetch_and_add(&unplaced, 1);
	return 0;
}

/* A process is moved to another control group. Processes that user space found belong to the tier there, too. */
SEC("tp_btf/cgroup_attach_task")
int BPF_PROG(nstar_leave, struct cgroup *to, const char *path, struct task_struct *task, bool threadgroup)
{
	struct process *p = threadgroup ? process_of(task->tgid) : NULL;

	if (p && p->parent) {
		p->tier = NO_TIER;
		p->parent = LEFT;
	}
	return 0;
}

/* A process has ended. */
static __always_inline long ended(__u32 tgid)
{
	struct process *p = process_of(tgid);
	bool forked;
	long err;

	if (!p)
		return -ENOENT;
	forked = p->parent != 0;
	err = bpf_map_delete_elem(&tier_processes, &tgid);
	if (!err && forked)
		mark(tgid, -1);
	return err;
}

/*
 * A thread is gone for good: at sched_process_exit it would still have to give its memory back. The first one of a
 * process goes last.
 */
SEC("tp_btf/sched_process_free")
int BPF_PROG(nstar_free, struct task_struct *task)
{
	if (task->pid == task->tgid)
		ended(task->tgid);
	return 0;
}

/*
 * User space saw that a process has ended. There are kernels that do not report each end (on one, some milliseconds of
 * a processor's ends are not reported, one end in 1,000).
 */
SEC("syscall")
int nstar_ended(__u32 *tgid)
{
	return ended(*tgid);
}

#endif
