/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests that wait on purpose: for what another client pushes, for new records, for the disk. How long they take says
 * nothing about the tier, so that they stand in no queue: they are neither arrivals nor completions, and only how many
 * there were is said.
 */
#ifndef NSTAR_WAITS_H
#define NSTAR_WAITS_H

#include "slots.h"

/* A global function: out of line, and looked at once by the verifier. */
__noinline int book_waits(__u32 station, __u32 n)
{
	__u32 key = bpf_get_smp_processor_id() * max_tiers + station;
	struct residence *r;

	if (station >= max_tiers || !n)
		return 0;
	r = bpf_map_lookup_elem(&residences, &key);
	if (r)
		ADD(r->waits, n);
	return 0;
}

#endif
