/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Answers of HTTP/1.x, FastCGI and AJP that come in parts: the head of a page is sent before the
 * rest is computed. A departure can move only until its window is handed out, so that a longer
 * pause is no time in the queue. After such an answer has been seen to go on, and to end,
 * answers are followed message by message (pipe.h), and leave with their last byte, or with the
 * connection. Reading the heads of all answers would cost time for servers that never pause.
 *
 * Streams of events have pauses, too, but nobody waits for their end: they are not followed (http1.h).
 */
#ifndef NSTAR_FOLLOW_H
#define NSTAR_FOLLOW_H

#include "maps.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1); /* stations, set when loaded */
	__type(key, __u32);
	__type(value, __u32);
} pausing SEC(".maps"); /* 1 where answers pause */

/* Whether there are any. */
volatile __u32 any_pausing = 0;
/* Whether answers are followed at all; set when loaded. */
const volatile __u8 follows_on = 1;

/* Global: rare, and looked at by the verifier once. */
__noinline int mark_pausing(__u32 station)
{
	__u32 one = 1;

	bpf_map_update_elem(&pausing, &station, &one, BPF_ANY);
	any_pausing = 1;
	return 0;
}

/* Whether the next answer of a connection is to be followed from now on, if it is a page. */
static __always_inline bool is_pausing(const struct conn *c)
{
	__u32 station = c->station, *marked;

	if (!follows_on || c->pipelined || c->turn == TURN_IN_FLIGHT)
		return false;
	if (c->protocol != PROTOCOL_AUTO && !has_pages(c->protocol))
		return false;
	if (c->paused)
		return true; /* its answer has ended by now */
	if (!any_pausing)
		return false;
	marked = bpf_map_lookup_elem(&pausing, &station);
	return marked && *marked;
}

#endif
