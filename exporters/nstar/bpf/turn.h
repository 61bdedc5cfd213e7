/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The turn-taking state machine. A request arrives with its first byte at the socket (not when the server
 * accepts or reads it) and departs with the last byte of the answer. The last byte is not known when the
 * first leaves, so the departure is booked at once and moved by each further segment of the answer, as long
 * as user space has not read the booked window (the settle delay).
 *
 * Pure: under the connection's lock it changes the connection and returns
 * the changes of the queue; slots.h writes these down outside the lock.
 */
#ifndef NSTAR_TURN_H
#define NSTAR_TURN_H

#include "judge.h"

/* Whether an arriving request finds others under way on its connection. */
enum joins {
	JOINS_NONE = 0,
	JOINS_OTHERS = 1,
	JOINS_ANOTHER = 2, /* one of a kind that was alone so far: of several under way the kinds are not told apart */
};

struct change {
	__u32 arrival;   /* requests that arrive */
	__u32 departure; /* requests whose departure is booked now */
	__u32 abort;
	__u32 ended;     /* answers that have ended, with this `residence` each */
	__u8 move;      /* the departure booked at `from` moves to now */
	__u8 extend;    /* the same, without a completion: reopened after the window was handed out */
	__u8 reopened;
	__u8 apart;     /* with `move` or `extend`: the time between is not the server's; alone: of a request's parts */
	__s8 opened;    /* 1: the connection joins its station; -1: leaves it */
	__s8 greeting;  /* 1: the client waits for the server's greeting from now on; -1: not any more */
	__u8 opaque;    /* the connection can't be measured any more */
	__u8 pauses;    /* the answer before has ended, and had paused for longer than the settle delay (follow.h) */
	__u8 joins;     /* enum joins */
	__u8 kind;      /* of what arrives, departs or moves, as in struct conn */
	__u8 left_kind; /* of what is aborted or joined */
	__u64 arrived;  /* when the request that moves or departs arrived */
	__u64 from;     /* window clock of the departure that moves, or of the one before this request; 0 for none */
	__u64 departed; /* monotonic clock of the same */
	__u64 residence;
	__u64 spent;    /* by those that depart, in all, where they did not arrive together; or that waited on purpose */
};

/* Extends the payload seen by this segment; false for a segment that was seen before: retransmissions, probes. */
static __always_inline bool advance(__u32 *high, bool seen, const struct segment *s, bool *gap)
{
	__u32 end = s->seq + s->length;

	*gap = false;
	if (seen) {
		if ((__s32)(end - *high) <= 0)
			return false;
		*gap = (__s32)(s->seq - *high) > 0;
	}
	*high = end;
	return true;
}

static __always_inline void end_answer(const struct conn *c, struct change *d)
{
	if (c->turn == TURN_ANSWERED || c->turn == TURN_REOPENED) {
		d->ended = 1;
		d->residence = c->departed - c->arrived;
	}
}

/* The same, if the answers after one that paused are followed. */
static __always_inline void end_pause(struct conn *c, struct change *d)
{
	end_answer(c, d);
	d->pauses = c->paused;
	c->paused = 0;
}

/* All requests under way leave without an answer. To wait for a greeting is none. */
static __always_inline void abort_all(struct conn *c, struct change *d)
{
	if (kinds_on)
		d->left_kind = c->kind;
	if (c->fresh == WAITS_FOR_GREETING)
		d->greeting = -1;
	else
		d->abort = in_flight(c);
	c->fresh = NOT_FRESH;
	c->outstanding = 0;
}

/* From here on the connection can't be measured. Its requests leave the queue: their end will not be seen. */
static __always_inline void give_up(struct conn *c, struct change *d)
{
	end_answer(c, d);
	abort_all(c, d);
	d->opaque = 1;
	c->turn = TURN_IDLE;
	c->protocol = PROTOCOL_OPAQUE;
}

static __always_inline void on_request(struct conn *c, const struct segment *s, const struct message *m, __u64 now,
				       struct change *d)
{
	__u8 kind = m->kind;
	bool gap;

	if (!advance(&c->request_seq, c->request_seen, s, &gap))
		return;
	c->request_seen = 1;
	c->protocol = m->protocol;
	c->tls = m->tls;
	if (m->protocol == PROTOCOL_MYSQL)
		c->silent_until = m->silent_until;
	c->alpn = m->alpn;
	if (m->login_turns)
		c->login_turns = m->login_turns;
	if (c->protocol == PROTOCOL_OPAQUE) {
		give_up(c, d);
		return;
	}
	/* The segment before this one is late: the information in its first bytes is not known. */
	if (gap && kind == KIND_MORE)
		kind = KIND_REQUEST;
	if (kind != KIND_REQUEST || c->turn == TURN_IN_FLIGHT)
		return;
	if (c->login_turns) {
		c->login_turns--;
		return;
	}
	end_answer(c, d);
	c->paused = 0;
	d->from = c->departed_at;
	d->departed = c->departed;
	c->guess = m->guess;
	c->turn = TURN_IN_FLIGHT;
	c->asks = m->asks;
	c->arrived = now;
	c->keeps = s->keeps & KEEPS_AFTER;
	if (kinds_on)
		c->kind = d->kind;
	d->arrival = 1;
}

#define SOON 1000000 /* ns that a client takes between parts of a request, and that need not be told apart */

/*
 * A request was not in the queue from a moment to now: that is taken back, as far as its windows are not handed out.
 * Returns the time that is.
 */
static __always_inline __u64 stay_away(struct conn *c, __u64 from, __u64 now, struct change *d)
{
	if (now - from > settle_ns)
		from = now - settle_ns;
	if (kinds_on)
		d->kind = c->kind;
	d->apart = 1;
	d->departed = from;
	c->arrived += now - from;
	return now - from;
}

/*
 * A request in flight goes on. Time that its client took for that is no time in the queue. Only now is it known if
 * it was the client: the time is taken back, as far as its windows are not handed out. `from` is where it begins.
 */
static __always_inline void on_more(struct conn *c, const struct segment *s, __u64 now, struct change *d)
{
	__u64 from = (__s64)(c->asked - c->arrived) > 0 ? c->asked : c->arrived;
	bool gap, kept = s->keeps & KEPT_BEFORE || c->keeps;

	if (!advance(&c->request_seq, c->request_seen, s, &gap))
		return;
	c->request_seen = 1;
	c->keeps = s->keeps & KEEPS_AFTER;
	if (c->turn != TURN_IN_FLIGHT || c->pipelined || !has_bodies(c->protocol) || (kept && (__s64)(now - from) < SOON))
		return;
	c->asked = now;
	if (kept)
		stay_away(c, from, now, d);
}

/*
 * Events, a log that is followed, music: such an answer goes on for as long as
 * its client listens. It counts as complete when it has gone on for this long,
 * without the time that its client took; the rest is no time in the queue.
 */
static __always_inline bool is_endless(const struct conn *c, __u64 now)
{
	return c->turn != TURN_IN_FLIGHT && has_bodies(c->protocol) && (__s64)(now - c->arrived) > (__s64)endless_ns;
}

static __always_inline void on_answer(struct conn *c, const struct segment *s, const struct message *m, __u64 now,
				      __u64 at, struct change *d)
{
	bool gap, kept = s->keeps & KEPT_BEFORE || c->keeps;

	if (!advance(&c->response_seq, c->response_seen, s, &gap))
		return;
	c->response_seen = 1;
	c->protocol = m->protocol;
	c->tls = m->tls;
	c->alpn = m->alpn;
	if (c->protocol == PROTOCOL_OPAQUE) {
		give_up(c, d);
		return;
	}
	if (m->kind == KIND_INTERIM && c->turn == TURN_IN_FLIGHT) { /* the server asks for the rest of the request */
		c->asked = now;
		c->keeps = KEEPS_AFTER;
	}
	if (m->kind != KIND_ANSWER || c->turn == TURN_IDLE)
		return;
	if (!kept && is_endless(c, now)) {
		c->paused = 0;
		return;
	}
	c->keeps = s->keeps & KEEPS_AFTER;
	if (kinds_on)
		d->kind = c->kind;
	d->arrived = c->arrived;
	d->from = c->departed_at;
	d->departed = c->departed;
	d->apart = kept && c->turn != TURN_IN_FLIGHT;
	if (d->apart)
		c->arrived += now - c->departed;
	if (c->turn == TURN_IN_FLIGHT) {
		c->turn = TURN_ANSWERED;
		d->departure = 1;
	} else if ((__s64)(at - c->departed_at) > (__s64)settle_ns || (__s64)(now - c->departed) > (__s64)settle_ns) {
		/* the second clock is for answers that go on after the wall clock was set back */
		d->reopened = !d->apart && c->turn == TURN_ANSWERED; /* of one answer the first pause */
		c->turn = TURN_REOPENED;
		c->paused |= !d->apart & has_pages(c->protocol);
	} else if (c->turn == TURN_ANSWERED) {
		d->move = 1;
	} else {
		d->extend = 1;
	}
	c->departed = now;
	c->departed_at = at;
	if (m->upgrades)
		give_up(c, d);
}

/*
 * Whether the connection counts among its station's. A client's connection leaves its tier when it can't be
 * measured any more (book_client() in slots.h), because it is not known if a request is under way on it.
 */
static __always_inline bool is_counted(const struct conn *c)
{
	return c->open && !(c->role == ROLE_SERVER && c->protocol == PROTOCOL_OPAQUE);
}

/* The connection is gone: a request without an answer leaves the queue as aborted. */
static __always_inline void on_close(struct conn *c, struct change *d)
{
	end_pause(c, d);
	abort_all(c, d);
	d->opened = -is_counted(c);
	c->turn = TURN_IDLE;
	c->pipelined = 0;
	c->open = 0;
	c->departed = c->departed_at = 0;
}

/* The connection gets its role, or another one: `left` changes its old station, `joined` its new one. */
static __always_inline void on_place(struct conn *c, __u8 role, __u32 station, __u8 protocol, struct change *left,
				     struct change *joined)
{
	if (c->role != ROLE_NONE && c->station != station)
		on_close(c, left); /* regrouped: the new station joins at the next turn */
	if (c->role == ROLE_NONE)
		c->request_seen = c->response_seen = c->request.known = 0; /* what passed meanwhile was not looked at */
	c->role = role;
	c->station = station;
	if (c->protocol == PROTOCOL_AUTO)
		c->protocol = protocol;
	if (!c->open && !c->left && (role == ROLE_CLIENT || (role == ROLE_SERVER && c->protocol != PROTOCOL_OPAQUE))) {
		c->open = 1;
		joined->opened = 1;
	}
}

#endif
