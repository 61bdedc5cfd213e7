/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kinds of requests if messages carry numbers (numbered_messages.h): several are under way, each with its own kind. The
 * operation is a number, too (Kafka's key, CQL's opcode), and gives the kind without a walk. While a request is open,
 * its kind is stored above its time of arrival in the table; the code that takes the request out counts it as gone.
 */
#ifndef NSTAR_STREAM_KINDS_H
#define NSTAR_STREAM_KINDS_H

#include "kinds.h"
#include "stream_table.h"

/* Where the automaton would end with such a number; its own nodes are smaller. Mirrored in package kinds. */
#define NODE_OF_CODE (1u << 31)

/* The kind of a request with this number. Global: the verifier looks at it once, like the following. */
__noinline int kind_of_code(__u32 station, __u32 protocol, __u32 code)
{
	return kind_at(station, NODE_OF_CODE | protocol << 8 | (code & 0xff));
}

__noinline int arrive_kind(__u32 station, __u32 kind, __u64 now)
{
	if (station < max_tiers)
		count_kind(station, kind, 1, 0, 0, now, 0);
	return 0;
}

/* A request leaves; `stamp` is its value in the table. */
__noinline int leave_kind(__u32 station, __u64 stamp, __u64 now, __u32 answered)
{
	__u32 kind = stamp >> STREAM_KIND_SHIFT;

	if (!kind || station >= max_tiers)
		return 0;
	if (answered)
		count_kind(station, kind - FIRST_KIND, 0, 1, 0, -now, now - stream_time(stamp));
	else
		count_kind(station, kind - FIRST_KIND, 0, 0, 1, -now, 0);
	return 0;
}

/* Open requests leave without an answer. */
struct leavers {
	struct streams *t;
	__u64 now;
	__u32 station;
	__u32 unused; /* no hidden padding, see struct segment */
};

static long leave_place(struct bpf_map *map, __u32 *key, __u32 *value, struct leavers *l)
{
	struct stream *s = &l->t->at[*key & (STREAMS - 1)];
	__u64 stream = s->key, stamp = s->arrived;

	if (*key >= STREAMS)
		return 1;
	if (stream && __sync_val_compare_and_swap(&s->key, stream, 0) == stream)
		leave_kind(l->station, stamp, l->now, false);
	return 0;
}

__noinline int leave_all(struct streams *t, __u32 station, __u64 now)
{
	struct leavers l = {.t = t, .now = now, .station = station};

	if (t)
		bpf_for_each_map_elem(&steps, leave_place, &l, 0);
	return 0;
}

#endif
