/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Several requests under way on one connection, answered in their order. Their times of arrival are kept apart from the
 * connection, because most connections never need them. Here the end of an answer is known when it comes, so that no
 * departure moves.
 */
#ifndef NSTAR_PIPE_H
#define NSTAR_PIPE_H

#include "turn.h"

#define RUNS 32 /* a power of two */

/* Requests that came in one segment. */
struct run {
	__u64 arrived; /* monotonic, ns */
	__u32 count;
	__u32 waits;   /* they wait on purpose: they are answered in their order like others, and not counted */
};

struct pipe {
	struct half answer; /* towards the client */
	__u32 first;        /* the run of the oldest request outstanding */
	__u32 used;
	__u64 heads;        /* which requests outstanding are HTTP's HEAD, the oldest lowest */
	struct run runs[RUNS];
};

/* From now on answers are followed: all earlier answers are over, and no answer to an outstanding request has begun. */
static __always_inline void start_pipe(struct conn *c, struct pipe *p)
{
	c->pipelined = 1;
	p->answer.known = c->response_seen ? KNOWN : AT_NEXT_SEGMENT;
	p->answer.next = c->response_seq;
	p->answer.rest = 0;
	p->answer.held = p->answer.due = p->answer.state = 0;
	p->first = p->used = 0;
	p->heads = 0;
}

/*
 * n requests arrive; returns those that count. If the runs are full, the
 * last run takes them in, with its own time of arrival and its own kind.
 */
static __always_inline __u32 push(struct pipe *p, __u64 now, __u32 n, bool waits)
{
	__u32 last = (p->first + p->used - 1) & (RUNS - 1);

	if (!n)
		return 0;
	if (p->used < RUNS) {
		last = (last + 1) & (RUNS - 1);
		p->used++;
		p->runs[last].arrived = now;
		p->runs[last].count = 0;
		p->runs[last].waits = waits;
	}
	p->runs[last].count += n;
	return p->runs[last].waits ? 0 : n;
}

/* The oldest of up to n requests that arrived together leave; returns how many. */
static __always_inline __u32 pop(struct pipe *p, __u32 n, __u64 *arrived, bool *waits)
{
	struct run *r = &p->runs[p->first & (RUNS - 1)];

	if (!p->used || !n)
		return 0;
	if (n > r->count)
		n = r->count;
	*arrived = r->arrived;
	*waits = r->waits;
	r->count -= n;
	if (!r->count) {
		p->first = (p->first + 1) & (RUNS - 1);
		p->used--;
	}
	return n;
}

/*
 * The kind of requests that came. A single request has its own kind, until others join it: then they all leave as
 * "others". Beside requests of unknown kind no kind is known, because their leaving could not be told from its own.
 */
static __always_inline void tell_kind(struct conn *c, bool busy, __u32 counted, struct change *d)
{
	if (!busy && counted == 1) {
		c->kind = d->kind;
		return;
	}
	if (busy && counted && c->kind > FIRST_KIND + KIND_OTHER) {
		d->joins = JOINS_ANOTHER;
		d->arrived = c->arrived;
		d->left_kind = c->kind;
	}
	if (!busy || (counted && c->kind))
		c->kind = FIRST_KIND + KIND_OTHER;
	d->kind = c->kind;
}

/*
 * A segment with requests, on a connection that has others under way, or with more than one, or with some that wait on
 * purpose (these are taken to follow one another).
 */
static __always_inline void on_requests(struct conn *c, struct pipe *p, const struct segment *s,
					const struct message *m, __u64 now, struct change *d)
{
	bool gap, busy = c->turn == TURN_IN_FLIGHT;
	__u32 counted;

	if (!advance(&c->request_seq, c->request_seen, s, &gap))
		return;
	c->request_seen = 1;
	c->protocol = m->protocol;
	if (!busy) {
		end_pause(c, d);
		d->from = c->departed_at;
		d->departed = c->departed;
		c->arrived = now;
		c->turn = TURN_IDLE;
		c->outstanding = 0;
	}
	if (!c->pipelined) {
		start_pipe(c, p);
		p->heads = busy && c->asks == ASKS_HEAD;
		if (busy)
			c->outstanding = push(p, c->arrived, 1, false);
	}
	counted = push(p, now, m->before, false);
	counted += push(p, now, m->waits, true);
	counted += push(p, now, m->begins - m->before, false);
	if (c->outstanding < HTTP_HEADS)
		p->heads |= m->heads << c->outstanding;
	c->outstanding += counted;
	c->asks = 0;
	c->keeps = 0;
	c->asked = now;
	if (c->outstanding)
		c->turn = TURN_IN_FLIGHT;
	d->arrival = counted;
	d->joins = busy ? JOINS_OTHERS : JOINS_NONE;
	if (kinds_on)
		tell_kind(c, busy, counted, d);
}

/*
 * A part of the only answer that is due. The time that its client took
 * to make room for it, or to read earlier data, is no time in the queue.
 */
static __always_inline void on_kept(struct conn *c, struct pipe *p, const struct segment *s, __u64 now,
				    struct change *d)
{
	struct run *r = &p->runs[p->first & (RUNS - 1)];
	bool kept = s->keeps & KEPT_BEFORE || c->keeps;
	__u64 from = c->asked;

	c->keeps = s->keeps & KEEPS_AFTER;
	c->asked = now;
	if (!kept || !has_pages(c->protocol) || c->outstanding != 1 || (__s64)(from - r->arrived) <= 0)
		return;
	r->arrived += stay_away(c, from, now, d);
}

/* Whether the only answer that is due goes on for as long as is_endless() says, of one that is not followed. */
static __always_inline bool goes_on_for_long(const struct conn *c, const struct pipe *p, __u64 now)
{
	return has_pages(c->protocol) && c->outstanding == 1 &&
	       (__s64)(now - p->runs[p->first & (RUNS - 1)].arrived) > (__s64)endless_ns;
}

/*
 * Up to n answers end. If messages can't be separated any more, all of them have ended
 * (`last` stays with the connection: what follows may belong to its answer, as in turns).
 */
static __always_inline __u32 on_answers(struct conn *c, struct pipe *p, __u32 n, bool lost, __u64 now, __u64 at,
					struct change *d)
{
	__u64 arrived = now;
	bool waits = false;

	if (!c->pipelined)
		return 0;
	n = pop(p, n, &arrived, &waits);
	if (!n)
		return 0;
	p->heads = n < HTTP_HEADS ? p->heads >> n : 0;
	if (lost && !p->used)
		c->pipelined = 0;
	if (waits) {
		d->spent = (now - arrived) * n;
		return n;
	}
	if (kinds_on)
		d->kind = c->kind;
	c->outstanding -= n;
	d->departure = n;
	d->arrived = arrived;
	d->ended = n;
	d->residence = now - arrived;
	c->departed = now;
	c->departed_at = at;
	if (!c->outstanding)
		c->turn = TURN_IDLE;
	if (!c->pipelined) {
		c->turn = TURN_ANSWERED;
		c->outstanding = 0;
		c->arrived = arrived;
		d->ended = n - 1;
	}
	return n;
}

#endif
