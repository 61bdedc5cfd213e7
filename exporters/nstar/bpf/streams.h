/* SPDX-License-Identifier: GPL-2.0-only */
/* A connection whose messages carry numbers (numbered_messages.h): what each segment means for its queue. */
#ifndef NSTAR_STREAMS_H
#define NSTAR_STREAMS_H

#include "cassandra.h"
#include "header16.h"
#include "http2.h"
#include "kafka.h"
#include "stream_kinds.h"
#include "waits.h"

/* The connection took turns before, by an upgrade or by mistake. */
static __noinline void end_turns(struct conn *c, __u8 protocol, __u64 now)
{
	struct change d = {};
	__u32 station;

	bpf_spin_lock(&c->lock);
	station = c->station;
	end_answer(c, &d);
	abort_all(c, &d);
	c->kind = 0;
	c->protocol = protocol;
	c->turn = TURN_IDLE;
	bpf_spin_unlock(&c->lock);
	book(station, &d, now, now + clock_offset);
}

/* The connection after a walk. Streams that were answered or reset can't be more than were open. */
static __always_inline void on_streams(struct conn *c, const struct segment *s, const struct stream_counts *n,
				       bool lost, __u64 at, struct change *d)
{
	__u32 gone = n->answered + n->reset;
	bool gap;

	if (n->request) {
		advance(&c->request_seq, c->request_seen, s, &gap);
		c->request_seen = 1;
	} else {
		advance(&c->response_seq, c->response_seen, s, &gap);
		c->response_seen = 1;
	}
	if (n->opened) {
		d->joins = c->outstanding > 0;
		d->arrival = n->opened;
		d->from = c->departed_at;
		if (!d->joins)
			d->departed = c->departed;
		c->outstanding += n->opened;
	}
	if (gone > c->outstanding) { /* regrouped meanwhile */
		gone = 0;
	} else {
		c->outstanding -= gone;
		d->departure = n->answered;
		d->abort += n->reset;
		d->spent = n->spent;
	}
	if (lost && !n->request) {
		/* how the streams that were open ended was not seen */
		d->abort += c->outstanding;
		c->outstanding = 0;
	}
	if (n->hidden) {
		give_up(c, d);
		return;
	}
	if (d->departure) {
		c->departed = n->now;
		c->departed_at = at;
	}
	c->turn = c->outstanding ? TURN_IN_FLIGHT : TURN_IDLE;
}

/* Follows the messages of a segment; LOST if they can't be separated any more. */
static __always_inline int walk_streams(struct __sk_buff *skb, const struct segment *s, struct half *h,
					struct streams *t, const struct stream_counts *n)
{
	switch (n->protocol) {
	case PROTOCOL_HTTP2:
		return n->request ? walk_h2_requests(skb, s, h, t) : walk_h2_answers(skb, s, h, t);
	case PROTOCOL_KAFKA:
		return n->request ? walk_kafka_requests(skb, s, h, t) : walk_kafka_answers(skb, s, h, t);
	case PROTOCOL_CASSANDRA:
		return n->request ? walk_cql_requests(skb, s, h, t) : walk_cql_answers(skb, s, h, t);
	case PROTOCOL_MONGODB:
	case PROTOCOL_DUBBO:
		return n->request ? walk_requests16(skb, s, h, t) : walk_answers16(skb, s, h, t);
	case PROTOCOL_OPENWIRE:
		return n->request ? walk_requests16(skb, s, h, t) : walk_openwire_responses(skb, s, h, t);
	}
	return LOST;
}

/* A connection turns out to speak a protocol of this kind, with its first segment or in the middle. */
static __always_inline void begin_streams(struct __sk_buff *skb, struct conn *c, const struct segment *s,
					  struct streams *t, __u8 protocol)
{
	__u8 preface[H2_PREFACE];

	forget(&c->request);
	/* the request that is answered now began before, and is not known */
	t->answer.known = c->response_seen ? UNKNOWN : AT_NEXT_SEGMENT;
	c->request.known = AT_NEXT_SEGMENT;
	if (protocol == PROTOCOL_HTTP2 && s->length >= H2_PREFACE &&
	    bpf_skb_load_bytes(skb, s->offset, preface, H2_PREFACE) == 0 && is_h2_preface(preface)) {
		c->request.known = KNOWN;
		c->request.next = s->seq + H2_PREFACE;
		/* a server that has spoken before it (grpc-go does not wait) has sent whole SETTINGS */
		forget(&t->answer);
		t->answer.known = AT_NEXT_SEGMENT;
	}
}

/*
 * Whether messages of this direction must be found again, and one begins with this segment. Global, like walk_mysql().
 */
__noinline int begins_again(struct __sk_buff *skb, const struct segment *s, struct half *h, __u32 protocol)
{
	__u8 b[PREFIX];

	if (!skb || !s || !h || h->known)
		return 0;
	load_prefix(skb, s, b);
	return recognize(skb, s, (struct prefix *)b) == protocol;
}

/* Writes down the result of a walk. */
static __noinline int settle_streams(struct conn *c, const struct segment *s, struct streams *t,
				     const struct stream_counts *n, bool lost)
{
	__u64 at = n->now + clock_offset;
	struct change d = {};
	__u32 station;

	bpf_spin_lock(&c->lock);
	station = c->station;
	on_streams(c, s, n, lost, at, &d);
	if (lost && !n->request)
		t->era++;
	bpf_spin_unlock(&c->lock);
	if (!n->request && !t->answer.known)
		forget_fields(&t->fields);
	if (n->errors)
		book_errors(station, at, n->errors);
	if (n->refused)
		dropped(DROP_STREAM_TABLE);
	if (d.opaque)
		dropped(DROP_MULTIPLEXED_PROTOCOL);
	book_waits(station, n->waits, n->waited, n->commits, n->now);
	if (kinds_on && (n->hidden || (lost && !n->request)))
		leave_all(t, station, n->now);
	book_queue(station, &d, n->now, at); /* kinds were counted on the way */
	return 0;
}

/*
 * A segment of a connection whose messages carry numbers: towards the server one
 * of the protocol `asked`, otherwise PROTOCOL_AUTO. Global, like take_requests().
 */
__noinline int take_streams(struct __sk_buff *skb, const struct segment *s, __u64 now, __u32 asked)
{
	bool request = asked != PROTOCOL_AUTO;
	struct conn *c = connection_of(skb);
	struct streams *t = streams_of(skb);
	struct stream_counts *n;
	__u32 protocol;
	bool lost;

	if (!skb || !c || !s)
		return 0;
	protocol = request ? asked : c->protocol;
	if (!t) {
		dropped(DROP_SOCKET_STORAGE);
		return 0;
	}
	if (request && (c->protocol != protocol || !c->request_seen)) {
		begin_streams(skb, c, s, t, protocol);
		if (c->protocol != protocol)
			end_turns(c, protocol, now);
	}
	else if (request && begins_again(skb, s, &c->request, protocol))
		c->request.known = AT_NEXT_SEGMENT;
	n = &t->counts[request];
	__builtin_memset(n, 0, sizeof(*n));
	n->now = now;
	n->request = request;
	n->station = c->station;
	n->protocol = protocol;
	lost = walk_streams(skb, s, request ? &c->request : &t->answer, t, n) == LOST;
	return settle_streams(c, s, t, n, lost);
}

#endif
