/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages that belong to no answer, in unknown protocols. A client frees something on the server behind each answer
 * that it got, or acknowledges it, and waits for nothing (Firebird's op_free_statement). With the next request it goes
 * on. Such a message must not stand in the queue until then. Nothing shows what it is but what happens: messages of
 * this length were never answered before the client went on. The bytes say nothing, as they may be encrypted. What a
 * server sends of itself is known in the same way (is_push).
 *
 * Only one such message of a client in a row is left out: if the server stands still, the next one shows it.
 */
#ifndef NSTAR_TAILS_H
#define NSTAR_TAILS_H

#include "several.h"
#include "turn.h"

#define TAILS 8         /* messages without an answer, one after the other, that are enough to know them */
#define TAIL_MAX 256    /* bytes of such a message */
#define PUSH (1u << 31) /* in place of a length's highest bit: of a message from the server */

struct tail {
	__u32 station;
	__u32 length;
};

/* How many messages of this length belong to no answer, on all connections of a station. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 4096);
	__type(key, struct tail);
	__type(value, __u32);
} tails SEC(".maps");

/* The client goes on, and the message that began the request in flight is not answered. */
static __always_inline void note_tail(const struct conn *c)
{
	struct tail t = {c->station, c->opening};
	__u32 one = 1, *n;

	n = bpf_map_lookup_elem(&tails, &t);
	if (!n)
		bpf_map_update_elem(&tails, &t, &one, BPF_NOEXIST);
	else if (*n < TAILS)
		(*n)++;
}

/*
 * Whether a message towards the server needs no answer: it is not in the queue. Global: the verifier looks at it once.
 * What is noted here is written without a lock: if an answer comes at the same moment, a message more or less is
 * counted.
 */
__noinline int is_tail(struct __sk_buff *skb, __u32 length, __u64 now)
{
	struct conn *c = connection_of(skb);
	struct tail t = {};
	__u32 *n;

	if (!skb || !c)
		return 0;
	c->pushed = 0;
	note_asking(c, c->turn != TURN_IN_FLIGHT, now);
	if (length > TAIL_MAX)
		length = 0;
	if (c->turn == TURN_IN_FLIGHT) {
		bool rest = (__s64)(now - c->arrived) < SOON; /* of a message: what is answered is not known */

		if (c->opening && !rest)
			note_tail(c);
		c->opening = rest ? 0 : length;
		return 0;
	}
	t.station = c->station;
	t.length = length;
	n = length && !c->left_out ? bpf_map_lookup_elem(&tails, &t) : NULL;
	c->opening = length;
	c->left_out = n && *n >= TAILS;
	return c->left_out;
}

/* The server answers the message that came last. */
static __always_inline void note_answer(struct conn *c)
{
	struct tail t = {c->station, c->opening};
	__u32 *n;

	n = bpf_map_lookup_elem(&tails, &t);
	if (n)
		*n = 0;
	c->opening = c->left_out = 0;
}

/*
 * Whether a message of the server belongs to no request: it tells all its clients what has changed (ZEO's
 * invalidateTransaction), and would count as the rest of the answer before it. Messages of this length came twice in a
 * row, alone, eight times more often than one began an answer. Once in a row is the second part of an answer. Global,
 * too.
 */
__noinline int is_push(struct __sk_buff *skb, __u32 length, __u64 now)
{
	struct conn *c = connection_of(skb);
	struct tail t = {};
	__u32 one = 1, *n;
	bool again;

	if (!skb || !c)
		return 0;
	if (c->turn != TURN_IN_FLIGHT)
		note_answering(c, now);
	t.station = c->station;
	t.length = length | PUSH;
	n = length <= TAIL_MAX ? bpf_map_lookup_elem(&tails, &t) : NULL;
	if (c->turn == TURN_IN_FLIGHT && n && *n)
		(*n)--;
	if (c->opening || c->turn == TURN_IN_FLIGHT) {
		note_answer(c);
		return 0;
	}
	if (length > TAIL_MAX || (__s64)(now - c->departed) < SOON)
		return 0;
	again = c->pushed == length;
	c->pushed = length;
	if (!n) {
		if (again)
			bpf_map_update_elem(&tails, &t, &one, BPF_NOEXIST);
		return 0;
	}
	if (again && *n < 2 * TAILS)
		(*n)++;
	return *n >= TAILS;
}

#endif
