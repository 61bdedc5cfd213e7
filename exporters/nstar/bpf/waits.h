/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests that wait on purpose: for data that another client pushes, for new records, for the disk. Their time
 * says nothing about the tier. So they are in no queue, they are no arrivals and no completions, and only their
 * number is counted. But their time says how long the caller had nothing to do, so that edges count the time, too.
 */
#ifndef NSTAR_WAITS_H
#define NSTAR_WAITS_H

#include "slots.h"

static __always_inline void book_patience(__u32 station, __u32 n, __u64 took, __u32 commits, __u64 now)
{
	struct edge_slot *s = edge_slot_at(station, now + clock_offset);

	if (s) {
		ADD(s->patient, n);
		ADD(s->patience, took);
		ADD(s->commits, commits);
	}
}

/*
 * n of them begin, and some are answered, with this total time; or the client reports that the
 * received work is done. A global function: out of line, and the verifier looks at it once.
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
