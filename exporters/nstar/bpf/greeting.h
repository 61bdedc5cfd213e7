/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Servers that speak first: MySQL, IMAP, SMTP, FTP. Nothing is asked on a new connection, and the client waits for the
 * greeting; for long, if the server is stopped or has no time to accept. That is a part of the tier's queue and of the
 * calls outstanding, as a request is. But it is no arrival and no completion: only the protocol's requests are.
 *
 * Which side speaks first at a port is known from the last new connection there on which one side spoke.
 */
#ifndef NSTAR_GREETING_H
#define NSTAR_GREETING_H

#include "ports.h"
#include "slots.h"

static __always_inline bool greets(__u16 port)
{
	const struct ports *p = the_ports();

	return p && p->greeting[port / 64] >> (port % 64) & 1;
}

static __always_inline void mark_greeting(__u16 port, bool on)
{
	struct ports *p = the_ports();
	__u64 bit = 1ull << (port % 64);

	if (!p || !!(p->greeting[port / 64] & bit) == on)
		return;
	if (on)
		__sync_fetch_and_or(&p->greeting[port / 64], bit);
	else
		__sync_fetch_and_and(&p->greeting[port / 64], ~bit);
}

/*
 * A connection is established. Its client waits for a greeting if its server is known to
 * greet. If the handshake already brought a request, the connection is no longer new.
 */
static __always_inline void begin_fresh(struct conn *c, bool waits, __u64 now)
{
	struct change d = {};
	__u32 station;

	bpf_spin_lock(&c->lock);
	station = c->station;
	if (!c->request_seen && !c->response_seen && c->fresh == NOT_FRESH) {
		c->fresh = waits ? WAITS_FOR_GREETING : FRESH;
		d.greeting = waits;
	}
	bpf_spin_unlock(&c->lock);
	if (d.greeting)
		book_queue(station, &d, now, now + clock_offset);
}

/* The first payload of a connection. */
static __always_inline void end_fresh(struct conn *c, __u64 now)
{
	struct change d = {};
	__u32 station;

	bpf_spin_lock(&c->lock);
	station = c->station;
	if (c->fresh == WAITS_FOR_GREETING)
		d.greeting = -1;
	c->fresh = NOT_FRESH;
	bpf_spin_unlock(&c->lock);
	if (d.greeting)
		book_queue(station, &d, now, now + clock_offset);
}

#endif
