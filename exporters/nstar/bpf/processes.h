/* SPDX-License-Identifier: GPL-2.0-only */
/* Which process belongs to which tier: a table that the objects on schedulers, moves, caches and disks share. */
#ifndef NSTAR_PROCESSES_H
#define NSTAR_PROCESSES_H

#include <linux/bpf.h>
#include <stdbool.h>

#include <bpf/bpf_helpers.h>

#define NO_TIER 0xffffffff
#define LEFT 0xffffffff

/*
 * In place of a tier's number, with the id of the process that user space found (an ally): it works for
 * the same requests as some tier, without being a tier itself. Processes that it starts do so, too.
 */
#define ALLY 0x40000000

struct process {
	__u32 tier;   /* or ALLY; NO_TIER: none's, or none's any more */
	__u32 parent; /* the process that forked it; 0: not seen; LEFT: it was moved to a control group of its own since */
};

/*
 * Processes of the tiers, by thread-group id. User space enters those that it finds, and the program on
 * sched_process_fork those that they start. The others have the map of the object that also has that program, put in
 * its place when loaded.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, __u32);
	__type(value, struct process);
} tier_processes SEC(".maps");

/* Whether it is a tier's number: not NO_TIER, and not an ally's. */
static __always_inline bool is_tier(__u32 tier)
{
	return !(tier & ALLY);
}

/*
 * The owner of something, in one word: a tier, or otherwise a process (ids have
 * 22 bits): the ally that started it, or itself. So the many processes of a tier
 * need one place, and ended processes need no name. Package owner reads it.
 */
#define OF_TIER 0x80000000

static __always_inline __u32 owner_of(__u32 tgid, __u32 tier)
{
	if (is_tier(tier))
		return OF_TIER | tier;
	return tier == NO_TIER ? tgid : tier & ~ALLY;
}

#endif
