/* SPDX-License-Identifier: GPL-2.0-only */
/* Requests in flight and connections open, per station, counted over the connections themselves. */
#ifndef NSTAR_COUNTS_H
#define NSTAR_COUNTS_H

#include "turn.h"

struct count {
	__u64 in_flight;
	__u64 open;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* stations, set when loaded */
	__type(key, __u32);
	__type(value, struct count);
} counts SEC(".maps");

static __always_inline void count_connection(const struct conn *c)
{
	__u32 station = c->station;
	struct count *n;

	if (!in_flight(c) && !is_counted(c))
		return;
	n = bpf_map_lookup_elem(&counts, &station);
	if (!n)
		return;
	if (in_flight(c))
		__sync_fetch_and_add(&n->in_flight, in_flight(c));
	if (is_counted(c))
		__sync_fetch_and_add(&n->open, 1);
}

#endif
