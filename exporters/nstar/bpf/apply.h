/* SPDX-License-Identifier: GPL-2.0-only */
/* One segment, from judgement to booking: the steps that all programs share. */
#ifndef NSTAR_APPLY_H
#define NSTAR_APPLY_H

#include "slots.h"

static __always_inline void start_message(const struct conn *c, struct message *m)
{
	__builtin_memset(m, 0, sizeof(*m));
	m->protocol = c->protocol;
	m->tls = c->tls;
	m->silent_until = c->silent_until;
}

static __always_inline void request(struct conn *c, const struct segment *s, const struct message *m, __u64 now)
{
	__u64 at = now + clock_offset;
	struct change d = {};
	bool opaque = c->protocol == PROTOCOL_OPAQUE;

	bpf_spin_lock(&c->lock);
	on_request(c, s, m, now, &d);
	bpf_spin_unlock(&c->lock);
	if (!opaque && c->protocol == PROTOCOL_OPAQUE)
		dropped(DROP_MULTIPLEXED);
	book(c->station, &d, now, at);
}

static __always_inline void answer(struct conn *c, const struct segment *s, const struct message *m, __u64 now)
{
	__u64 at = now + clock_offset;
	struct change d = {};

	bpf_spin_lock(&c->lock);
	on_answer(c, s, m, now, at, &d);
	bpf_spin_unlock(&c->lock);
	book(c->station, &d, now, at);
}

/* A segment towards the server. What goes on with a request in flight needs no judgement. */
static __always_inline void take_request(struct __sk_buff *skb, struct conn *c, const struct segment *s, __u64 now)
{
	struct message m;

	start_message(c, &m);
	if (c->turn != TURN_IN_FLIGHT)
		read_request(skb, s, &m);
	request(c, s, &m, now);
}

/* A segment from the server. */
static __always_inline void take_answer(struct __sk_buff *skb, struct conn *c, const struct segment *s, __u64 now)
{
	struct message m;

	start_message(c, &m);
	read_answer(skb, s, c, &m);
	answer(c, s, &m, now);
}

/* The connection ends, or leaves its station. */
static __always_inline void take_leave(struct conn *c, __u64 now)
{
	struct change d = {};

	bpf_spin_lock(&c->lock);
	on_close(c, &d);
	bpf_spin_unlock(&c->lock);
	book(c->station, &d, now, now + clock_offset);
}

#endif
