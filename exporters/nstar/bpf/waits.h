/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests that wait on purpose: for what another client pushes, for new records, for the disk. How long they take says
 * nothing about the tier, so that they stand in no queue: they are neither arrivals nor completions, and only how many
 * there were is said. But it says of the caller how long it had nothing to do, so that edges have that, too.
 */
#ifndef NSTAR_WAITS_H
#define NSTAR_WAITS_H

#include "slots.h"

static __always_inline void book_patience(__u32 station, __u32 n, __u64 took, __u32 commits, __u64 now)
{
	__u64 window = window_of(now + clock_offset);
	__u32 key = (station - max_tiers) << ring_shift | (window & ((1u << ring_shift) - 1));
	struct edge_slot *s = bpf_map_lookup_elem(&edge_slots, &key);

	if (s) {
		ADD(s->patient, n);
		ADD(s->patience, took);
		ADD(s->commits, commits);
	}
}

/*
 * n of them begin, and answers come for some that took so long in all; or what was got by them is said to be done. A
 * global function: out of line, and looked at once by the verifier.
 */
__noinline int book_waits(__u32 station, __u32 n, __u64 took, __u32 commits, __u64 now)
{
	struct residence *r;

	if (!n && !took && !commits)
		return 0;
	if (station >= max_tiers) {
		book_patience(station, n, took, commits, now);
		return 0;
	}
	r = residences_in(this_row(), station);
	if (r)
		ADD(r->waits, n);
	return 0;
}

#endif
