/* SPDX-License-Identifier: GPL-2.0-only */
/* The maps and settings that user space shares with the programs; causes/diskuse is the other side. */
#ifndef NSTAR_DISK_MAPS_H
#define NSTAR_DISK_MAPS_H

#include <linux/bpf.h>
#include <stdbool.h>

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

#include "../processes.h"

const volatile __u32 ring_shift = 7; /* windows kept per CPU, as a power of two */
const volatile __u64 width_ns = 50000000;

/* The clock of the windows = CLOCK_MONOTONIC + clock_offset, as for the queues. */
volatile __s64 clock_offset;

#define USES 8

/* The data that a tier, or a process of no tier, had read from a disk and written to it. */
struct use {
	__u32 owner; /* 0: the kernel itself */
	__u32 disk;  /* major and minor number as MKDEV makes it; 0: nobody's */
	__u64 read; /* bytes, like below */
	__u64 written;
};

/* One window on one CPU, written by that CPU alone. Owners without a free place are in `others`. */
struct slot {
	__u32 window; /* low half of its number; another number: nothing happened in this one */
	__u32 unused;
	__u64 others_read;
	__u64 others_written;
	struct use use[USES];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* cpus x ring, set when loaded */
	__type(key, __u32);
	__type(value, struct slot);
} slots SEC(".maps");

#define COMMAND 16 /* TASK_COMM_LEN */

struct command {
	__u32 owner;
	char name[COMMAND];
};

/*
 * The owner that made a file dirty, by the address of its inode: the kernel writes it back later, from a thread
 * of its own. Another file may soon have the address of a file that is gone; it is then made dirty, too.
 */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 8192);
	__type(key, __u64);
	__type(value, struct command);
} dirtied SEC(".maps");

/* The commands of processes in the slots: they may end before their windows are read. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1024);
	__type(key, __u32);
	__type(value, struct command);
} commands SEC(".maps");

#endif
