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

#endif
