/* SPDX-License-Identifier: GPL-2.0-only */
/* One segment, from judgement to booking: the steps that all programs share. */
#ifndef NSTAR_APPLY_H
#define NSTAR_APPLY_H

#include "slots.h"

/*
 * The data of a segment's connection; the program that includes this file knows where they are kept. Cold paths look
 * the connection up again, so that they can be global functions: nothing that contains a lock may be passed to these.
 */
static __always_inline struct conn *connection_of(struct __sk_buff *skb);
/* Its requests, if it has several. */
static __always_inline struct pipe *pipe_of(struct __sk_buff *skb, bool create);
/* The same if its messages carry numbers. */
static __always_inline struct streams *streams_of(struct __sk_buff *skb);

#include "streams.h"
#include "tails.h"
#include "waits.h"

/*
 * A connection that has not shown its protocol takes that of its edge: the one that the
 * configuration gives for the destination, otherwise the one that another connection showed.
 */
static __always_inline __u8 protocol_of(const struct conn *c)
{
	struct edge_state *e;

	if (c->protocol != PROTOCOL_AUTO || c->role != ROLE_CLIENT)
		return c->protocol;
	e = edge_state_of(c->station);
	if (!e)
		return PROTOCOL_AUTO;
	return e->given != PROTOCOL_AUTO ? e->given : e->learned;
}

/* It is worth remembering what the middle of a connection may not show: messages that ask nothing can come first. */
static __always_inline void learn(const struct conn *c, __u8 before)
{
	struct edge_state *e;

	if (before != PROTOCOL_AUTO || c->role != ROLE_CLIENT)
		return;
	if (c->protocol != PROTOCOL_MYSQL && c->protocol != PROTOCOL_POSTGRES && !has_ids(c->protocol))
		return;
	e = edge_state_of(c->station);
	if (e && !e->shared)
		e->learned = c->protocol;
}

static __always_inline void start_message(const struct conn *c, struct message *m)
{
	__builtin_memset(m, 0, sizeof(*m));
	m->protocol = protocol_of(c);
	m->first = !c->request_seen;
	m->tls = c->tls;
	m->alpn = c->alpn;
	if (m->protocol == PROTOCOL_MYSQL)
		m->silent_until = c->silent_until;
	m->turn = c->turn;
}

/*
 * A segment changes the connection and the window of this moment under one lock, which keeps interrupts out as
 * well. Changes of other windows are written down after the lock, and so are the fields that only edges have.
 */
static __noinline void request(struct conn *c, const struct segment *s, const struct message *m, __u64 now)
{
	__u64 at = now + clock_offset;
	__u8 before = c->protocol;
	struct change d = {};
	struct page p;
	bool written;

	if (kinds_on)
		d.kind = FIRST_KIND + kind_at(c->station, m->node);
	open_page(&p, c->station, at);
	bpf_spin_lock(&c->lock);
	on_request(c, s, m, now, &d);
	written = c->station == p.station && write_arrival(&p, &d, at);
	p.station = c->station;
	bpf_spin_unlock(&c->lock);
	if (d.opaque)
		dropped(DROP_MULTIPLEXED_PROTOCOL);
	learn(c, before);
	finish_page(&p, &d, now, at, written);
}

static __noinline void answer(struct conn *c, const struct segment *s, const struct message *m, __u64 now)
{
	__u64 at = now + clock_offset;
	__u8 before = c->protocol;
	struct change d = {};
	struct page p;
	bool written;

	open_page(&p, c->station, at);
	bpf_spin_lock(&c->lock);
	/* stamped before it, and counted behind it: no request is answered before it came */
	if ((__s64)(now - c->arrived) < 0) {
		at += c->arrived - now;
		now = c->arrived;
	}
	on_answer(c, s, m, now, at, &d);
	written = c->station == p.station && write_departure(&p, &d, now, at);
	p.station = c->station;
	bpf_spin_unlock(&c->lock);
	if (m->failed && d.departure)
		book_errors(p.station, at, 1);
	if (d.opaque && (before == PROTOCOL_TLS || (before == PROTOCOL_AUTO && m->protocol == PROTOCOL_OPAQUE)))
		dropped(DROP_MULTIPLEXED_PROTOCOL);
	learn(c, before);
	finish_page(&p, &d, now, at, written);
}

/* Whether a segment has nothing new. */
static __always_inline bool is_old(__u32 high, bool seen, const struct segment *s)
{
	return seen && (__s32)(s->seq + s->length - high) <= 0;
}

/* Whether the receiver's window lets a segment in. The program that includes this file knows. */
int is_in_window(struct __sk_buff *skb, const struct segment *s);

/*
 * A segment behind a hole counts, because the missing part may just be late. A segment that
 * TCP itself refuses, beyond the window, does not count: all that follows would look old.
 */
static __always_inline bool is_stray(struct __sk_buff *skb, __u32 high, bool seen, const struct segment *s)
{
	return (!seen || (__s32)(s->seq - high) > 0) && !is_in_window(skb, s);
}

/* Several requests at once. */
static __noinline void requests(struct conn *c, struct pipe *p, const struct segment *s, const struct message *m,
				__u64 now)
{
	__u8 before = c->protocol;
	struct change d = {};
	__u32 station;

	if (kinds_on)
		d.kind = FIRST_KIND + kind_at(c->station, m->node);
	bpf_spin_lock(&c->lock);
	station = c->station;
	on_requests(c, p, s, m, now, &d);
	bpf_spin_unlock(&c->lock);
	book_waits(station, m->waits, 0, 0, now);
	learn(c, before);
	book(station, &d, now, now + clock_offset);
}

static __always_inline void take_end(struct conn *c, struct pipe *p, __u64 now);

/* The same for a segment. Global: rare, and looked at by the verifier once. */
__noinline int take_requests(struct __sk_buff *skb, const struct segment *s, const struct message *m, __u64 now)
{
	struct conn *c = connection_of(skb);
	struct pipe *p = pipe_of(skb, true);

	if (!skb || !c || !s || !m)
		return 0;
	if (p) {
		/* a server that marks no end of its answer, and then continues: the answer ended with its last part */
		if (m->begins && c->pipelined)
			take_end(c, p, now - c->asked > settle_ns ? now - settle_ns : c->asked);
		requests(c, p, s, m, now);
		return 0;
	}
	dropped(DROP_SOCKET_STORAGE);
	request(c, s, m, now);
	return 0;
}

/* Whether a segment towards the server continues a request in flight, which needs no judgement and no clock. */
static __always_inline bool goes_on(const struct conn *c, const struct segment *s)
{
	if (c->turn != TURN_IN_FLIGHT || c->protocol == PROTOCOL_AUTO || has_ids(c->protocol) || has_several(c->protocol))
		return false;
	return c->protocol != PROTOCOL_HTTP || c->asks == ASKS_TUNNEL || is_in_body(&c->request, s);
}

/* Whether a request may come while another is under way. */
static __always_inline bool may_join(__u8 protocol)
{
	return has_several(protocol) || protocol == PROTOCOL_HTTP;
}

/* A request in flight goes on. */
static __noinline void more(struct conn *c, const struct segment *s, __u64 now)
{
	struct change d = {};
	__u32 station;

	bpf_spin_lock(&c->lock);
	station = c->station;
	on_more(c, s, now, &d);
	bpf_spin_unlock(&c->lock);
	if (!d.apart)
		return;
	book_apart(station, &d, now);
	if (kinds_on)
		keep_kind(station, &d, now - d.departed);
}

/*
 * The answers of a connection are followed from its next request on, if that is one for a page. Global: rare, and
 * looked at by the verifier once.
 */
__noinline int follow(struct __sk_buff *skb, const struct segment *s)
{
	struct conn *c = connection_of(skb);
	struct pipe *p;
	__u8 b[PREFIX];

	if (!skb || !c || !s)
		return 0;
	load_prefix(skb, s, b);
	if (!(is_http_request(b, true) && !is_connect(b)) && !begins_fastcgi(b) && !is_ajp_forward(b, s->length))
		return 0;
	p = pipe_of(skb, true);
	if (!p)
		return 0;
	bpf_spin_lock(&c->lock);
	if (c->turn != TURN_IN_FLIGHT && !c->pipelined)
		start_pipe(c, p);
	bpf_spin_unlock(&c->lock);
	return 0;
}

/*
 * A segment towards the server. The coarse clock is enough if it continues a request in
 * flight; the caller asks for that once, because an answer may end the turn meanwhile.
 */
static __always_inline void take_request(struct __sk_buff *skb, struct conn *c, const struct segment *s, bool on,
					 __u64 now)
{
	struct message m;

	if (is_stray(skb, c->request_seq, c->request_seen, s))
		return;
	if (on) {
		more(c, s, now);
		return;
	}
	if (is_pausing(c))
		follow(skb, s);
	start_message(c, &m);
	if (has_ids(m.protocol))
		m.kind = KIND_SILENT;
	else if (c->turn != TURN_IN_FLIGHT || may_join(m.protocol)) {
		if (may_join(m.protocol) && is_old(c->request_seq, c->request_seen, s))
			return;
		if (m.protocol == PROTOCOL_HTTP && c->turn != TURN_IN_FLIGHT && !c->pipelined &&
		    is_one_http_request(skb, s, &c->request))
			m.kind = KIND_REQUEST;
		else
			read_request(skb, s, &c->request, &m);
		if (c->pipelined && m.kind == KIND_MORE)
			m.kind = KIND_SILENT; /* what begins on such a connection is known */
	} else if (m.protocol == PROTOCOL_AUTO) {
		read_more(skb, s, &m);
	}
	if (m.protocol == PROTOCOL_AUTO && !is_old(c->request_seq, c->request_seen, s)) {
		if (is_tail(skb, s->length, now))
			m.kind = KIND_SILENT;
		if (has_several_unknown(c))
			m.protocol = PROTOCOL_OPAQUE;
	}
	/* a body of which the length was not read */
	if (m.protocol == PROTOCOL_HTTP && c->turn == TURN_IN_FLIGHT && !c->pipelined && !m.begins &&
	    m.kind != KIND_REQUEST) {
		more(c, s, now);
		return;
	}
	if (has_ids(m.protocol) && !is_old(c->request_seq, c->request_seen, s)) {
		take_streams(skb, s, now, m.protocol);
		return;
	}
	if (kinds_on && m.kind == KIND_REQUEST && m.begins <= 1 && c->turn != TURN_IN_FLIGHT && c->station < max_tiers)
		m.node = find_node(skb, s, m.protocol);
	if (m.waits || (m.begins && (m.begins > 1 || c->turn == TURN_IN_FLIGHT || c->pipelined))) {
		take_requests(skb, s, &m, now);
		return;
	}
	request(c, s, &m, now);
}

/* Answers that end together. */
struct leaving {
	struct conn *c;
	struct pipe *p;
	__u64 now;
	__u32 left; /* at most, that have not left yet */
	bool lost;
};

/* Requests that arrived together leave. A callback; 1 when no more leave. */
static long leave_run(struct bpf_map *map, __u32 *key, __u32 *value, struct leaving *l)
{
	struct conn *c = l->c;
	struct change d = {};
	__u32 station, n;

	bpf_spin_lock(&c->lock);
	station = c->station;
	n = on_answers(c, l->p, l->left, l->lost, l->now, l->now + clock_offset, &d);
	bpf_spin_unlock(&c->lock);
	if (!n)
		return 1;
	if (!d.departure)
		book_waits(station, 0, d.spent, 0, l->now);
	book(station, &d, l->now, l->now + clock_offset);
	l->left -= n;
	return !l->left;
}

/* An answer of HTTP said that another protocol follows. */
static __noinline void enter_tunnel(struct conn *c, __u64 now)
{
	struct change d = {};
	__u32 station;

	bpf_spin_lock(&c->lock);
	station = c->station;
	give_up(c, &d);
	bpf_spin_unlock(&c->lock);
	book(station, &d, now, now + clock_offset);
}

/* How many answers of such a connection end in a segment, or LOST. Global, like take_requests(). */
__noinline int ending(struct __sk_buff *skb, const struct segment *s, __u64 now)
{
	struct conn *c = connection_of(skb);
	struct pipe *p = pipe_of(skb, false);
	int ends;

	if (!skb || !c || !s || !p)
		return 0;
	ends = walk_answers(skb, s, c->protocol, &p->answer, p->heads);
	return goes_on_for_long(c, p, now) ? LOST : ends;
}

/* The answers of a connection that has had several requests under way. Global, like take_requests(). */
__noinline int take_answers(struct __sk_buff *skb, const struct segment *s, __u64 now)
{
	struct leaving l = {.c = connection_of(skb), .p = pipe_of(skb, false), .now = now};
	struct change d = {};
	__u32 station;
	bool gap;
	int ends;

	if (!skb || !l.c || !s || !l.p || is_old(l.c->response_seq, l.c->response_seen, s))
		return 0;
	ends = ending(skb, s, now);
	l.lost = ends == LOST;
	l.left = l.lost ? 0xffffffff : (__u32)ends;
	bpf_spin_lock(&l.c->lock);
	advance(&l.c->response_seq, l.c->response_seen, s, &gap);
	l.c->response_seen = 1;
	station = l.c->station;
	on_kept(l.c, l.p, s, now, &d);
	bpf_spin_unlock(&l.c->lock);
	if (d.apart)
		book_apart(station, &d, now);
	if (kinds_on && d.apart)
		keep_kind(station, &d, now - d.departed);
	if (l.left)
		bpf_for_each_map_elem(&steps, leave_run, &l, 0);
	if (l.c->protocol == PROTOCOL_HTTP && l.p->answer.state == HTTP_TUNNEL)
		enter_tunnel(l.c, now);
	return 0;
}

/* Whether the server can't have ended the request yet, because its client has not. */
static __always_inline bool awaits_sync(const struct conn *c)
{
	return c->protocol == PROTOCOL_POSTGRES && c->request.id == PG_BATCH;
}

/* A segment from the server. */
static __always_inline void take_answer(struct __sk_buff *skb, struct conn *c, const struct segment *s, __u64 now)
{
	struct message m;

	if (is_stray(skb, c->response_seq, c->response_seen, s))
		return;
	if (has_ids(c->protocol)) {
		if (!is_old(c->response_seq, c->response_seen, s))
			take_streams(skb, s, now, PROTOCOL_AUTO);
		return;
	}
	if (c->pipelined) {
		take_answers(skb, s, now);
		return;
	}
	start_message(c, &m);
	m.kind = KIND_ANSWER;
	if (m.protocol == PROTOCOL_AUTO && !is_old(c->response_seq, c->response_seen, s) && is_push(skb, s->length, now))
		m.kind = KIND_SILENT;
	else if (awaits_sync(c))
		m.kind = KIND_INTERIM;
	else if (may_be_aside(&m) &&
	    !(m.protocol == PROTOCOL_HTTP && c->asks != ASKS_TUNNEL && is_plain_http_answer(skb, s, &m))) {
		m.guess = c->guess;
		m.asks = c->asks;
		read_answer(skb, s, &m);
	}
	answer(c, s, &m, now);
}

/*
 * All requests under way leave without an answer: on a connection whose messages carry numbers,
 * each by its own kind. `t` is NULL for other connections, and if kinds are not distinguished.
 */
static __always_inline void book_left(__u32 station, struct streams *t, const struct change *d, __u64 now)
{
	if (kinds_on && t) {
		leave_all(t, station, now);
		book_queue(station, d, now, now + clock_offset);
		return;
	}
	book(station, d, now, now + clock_offset);
}

/*
 * The server has ended the connection, and with it an answer that
 * has no other end; `p` is NULL if there are no answers to follow.
 */
static __always_inline void take_end(struct conn *c, struct pipe *p, __u64 now)
{
	struct leaving l = {.c = c, .p = p, .now = now, .left = 1};

	if (!p || !c->pipelined || c->protocol != PROTOCOL_HTTP || !lasts_until_close(&p->answer))
		return;
	p->answer.state = 0;
	leave_run(NULL, NULL, NULL, &l);
}

/* The connection ends, by its server's will or not; for `t` see book_left(). */
static __always_inline void take_leave(struct conn *c, struct streams *t, bool hung_up, __u64 now)
{
	struct change d = {};
	__u32 station;

	bpf_spin_lock(&c->lock);
	station = c->station;
	on_close(c, &d);
	c->left = 1;
	bpf_spin_unlock(&c->lock);
	if (hung_up && d.abort && fails_by_closing(c->protocol))
		book_errors(station, now + clock_offset, d.abort);
	book_left(station, t, &d, now);
}

/* The connection takes its place at a station, and leaves the one where it was; for `t` see book_left(). */
static __always_inline void take_place(struct conn *c, struct streams *t, __u8 role, __u32 station, __u8 protocol,
				       __u64 now)
{
	struct change left = {}, joined = {};
	__u32 old;

	bpf_spin_lock(&c->lock);
	old = c->station;
	on_place(c, role, station, protocol, &left, &joined);
	bpf_spin_unlock(&c->lock);
	book_left(old, old != station ? t : NULL, &left, now);
	book(station, &joined, now, now + clock_offset);
}

#endif
