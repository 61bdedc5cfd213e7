/* SPDX-License-Identifier: GPL-2.0-only */
/* The maps and settings that user space shares with the program; causes/sched is the other side. */
#ifndef NSTAR_SCHED_MAPS_H
#define NSTAR_SCHED_MAPS_H

#include <linux/bpf.h>
#include <stdbool.h>

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#include "../processes.h"

#define RELOCATED __attribute__((preserve_access_index))

struct sched_info {
	unsigned long long last_arrival; /* when the thread got its processor, by the run queue's clock */
	unsigned long long last_queued;  /* since when it waits for one; 0: it does not */
} RELOCATED;

struct css_set {
	struct cgroup *dfl_cgrp; /* where it is in the hierarchy of version 2 */
} RELOCATED;

struct task_struct {
	unsigned __state;
	int pid;
	int tgid;
	unsigned in_iowait : 1;
	struct sched_info sched_info;
	struct css_set *cgroups;
} RELOCATED;

/*
 * A thread's registers when it entered the kernel: the number
 * of the system call and its arguments, by architecture.
 */
struct pt_regs___x86 {
	unsigned long orig_ax;
	unsigned long si;  /* the second */
	unsigned long r10; /* the fourth */
} RELOCATED;

struct pt_regs___arm64 {
	unsigned long long regs[31]; /* the arguments first */
	int syscallno;
} RELOCATED;

const volatile __u32 max_tiers = 64;
const volatile __u32 ring_shift = 7; /* windows kept per tier and CPU, as a power of two */
const volatile __u64 width_ns = 50000000;

const volatile bool locks = true; /* whether waiting for locks is followed */

/* The clock of the windows = CLOCK_MONOTONIC + clock_offset, as for the queues. */
volatile __s64 clock_offset;

/*
 * Nothing is looked up for a process whose low 16 bits of the id have no mark here: nearly
 * all that belong to no tier. A switch between two such processes costs one byte read.
 */
#define HINTS 65536
volatile __u8 hints[HINTS];

/* Time that was over before the windows that a booking may reach, and therefore is in none; occurrences. */
volatile __u64 late;

/*
 * Turns of tiers on processors that have no place in the tables because they
 * were added to the machine after the program was loaded: they are in no window.
 */
volatile __u64 unplaced_turns;

#define TOP 3

/*
 * One window of one tier on one CPU, written by that CPU alone with interrupts off: plain sums, no atomic operations.
 */
struct slot {
	__u32 window;     /* low half of its number; another number: nothing happened in this one */
	__u32 owner[TOP]; /* the programs that ran longest while a thread of the tier waited for this CPU */
	__u64 ran;        /* ns, like all below */
	__u64 waited;     /* for a CPU */
	__u64 others;     /* of these, while another than the tier had it */
	__u64 disk;       /* waited for a disk */
	__u64 locked;     /* slept in a system call that waits for another thread: a lock, or work that it hands over */
	__u64 taken[TOP]; /* by owner[i] */
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* processors x tiers x ring, set when loaded */
	__type(key, __u32);
	__type(value, struct slot);
} slots SEC(".maps");

/* What a tier did on one CPU since the program was loaded, ns; written by that CPU alone. */
struct total {
	__u64 ran;
	__u64 waited;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* processors x tiers, set when loaded */
	__type(key, __u32);
	__type(value, struct total);
} totals SEC(".maps");

/* A turn of a process on a CPU, begun at `arrival` by the run queue's clock and over when the next one began. */
struct turn {
	__u64 arrival; /* 0: not known */
	__u32 tgid;    /* 0: the CPU idled */
	__u32 tier;
};

/* At a slice of 3 ms they reach 100 ms back: if a thread waits longer, it is not known for which program it waited. */
#define TURNS 32

struct cpu {
	__u64 since;     /* CLOCK_MONOTONIC, when the thread of a tier or an ally that runs now got the CPU; 0: none does */
	__u32 tier;      /* of the process that runs now */
	__u32 turns;     /* that are over; counts on */
	__u64 began;     /* CLOCK_MONOTONIC, when the present turn began; 0: not taken down */
	__s64 offset;    /* CLOCK_MONOTONIC less the run queue's clock */
	__u64 offset_at; /* when that was found, by the run queue's clock; 0: never */
	__u32 thread;    /* that runs now, as far as the kernel told; 0: the idle one, or nothing was told yet */
	__u32 unused[5]; /* whole cache lines */
	struct turn history[TURNS];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* processors, set when loaded */
	__type(key, __u32);
	__type(value, struct cpu);
} cpus SEC(".maps");

struct wait {
	__u64 since; /* CLOCK_MONOTONIC */
	__u64 until; /* when the thread goes on by itself; 0: never */
};

/* Threads of tiers that wait for a disk or a lock, by thread id. One that ends there is pushed out. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 8192);
	__type(key, __u32);
	__type(value, struct wait);
} blocked SEC(".maps");

#endif
