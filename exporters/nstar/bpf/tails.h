/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages that get no answer, in unknown protocols. A client frees something on the server behind each answer that it
 * got, or acknowledges it, and waits for nothing (Firebird's op_free_statement). With the next request it goes on.
 * Such a message must not stand in the queue until then. Nothing shows what it is but what happens: a message that
 * looks like this one, by its length and first bytes, was never answered before the client went on.
 *
 * Only one such message in a row is left out: if the server stands still, the next one shows it.
 */
#ifndef NSTAR_TAILS_H
#define NSTAR_TAILS_H

#include "message.h"

#define TAILS 8          /* messages without an answer, one after the other, that are enough to know them */
#define TAIL_GAP 1000000 /* ns after which a client that goes on has not just sent the rest of a message */

/* The client goes on, and the message that began the request in flight is not answered. */
static __always_inline void note_tail(struct conn *c, __u32 looks, __u64 now)
{
	if ((__s64)(now - c->arrived) < TAIL_GAP) {
		c->opening = 0; /* one message in several segments */
		return;
	}
	if (c->opening) {
		if (c->tail != c->opening)
			c->tails = 0;
		c->tail = c->opening;
		if (c->tails < TAILS)
			c->tails++;
	}
	c->opening = looks;
}

/*
 * Whether a message towards the server needs no answer: it is not in the queue. Global: the verifier looks at it once.
 * What is noted here is written without the connection's lock; if an answer comes at the same moment, a message more or
 * less is counted.
 */
__noinline int is_tail(struct __sk_buff *skb, __u32 looks, __u64 now)
{
	struct conn *c = connection_of(skb);
	bool tail;

	if (!skb || !c)
		return 0;
	if (c->turn == TURN_IN_FLIGHT) {
		note_tail(c, looks, now);
		return 0;
	}
	tail = looks && c->tails == TAILS && looks == c->tail && c->opening != c->tail;
	c->opening = looks;
	return tail;
}

/* The server answers the message that came last. */
static __always_inline void note_answer(struct conn *c)
{
	if (c->opening == c->tail)
		c->tails = 0;
	c->opening = 0;
}

#endif
