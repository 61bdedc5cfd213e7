/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The streams of a connection that speaks HTTP/2 (http2.h). The client's half opens them, the server's half answers them, and
 * either may reset them; a place in the table belongs to whoever takes its number out.
 */
#ifndef NSTAR_STREAMS_H
#define NSTAR_STREAMS_H

#include "slots.h"

/* What a walk is told, and what it finds. */
struct stream_counts {
	__u64 now;
	__u64 spent; /* ns, by the streams that were answered */
	__u32 station;
	__u32 request; /* towards the server */
	__u32 opened, answered, reset;
	__u32 refused; /* no place in the table */
};

struct h2_walk {
	struct walk w;
	struct streams *t;
	struct stream_counts *n;
};

/* Where to look for a stream: numbers that follow one another, which live as long, are far apart. */
static __always_inline __u32 place_of(__u32 id, __u32 try)
{
	return (((id >> 1) * 0x9e3779b1u >> 24) + try * 37) & (H2_STREAMS - 1);
}

/* The place of an open stream, or one for a stream that opens; H2_STREAMS if there is none. Global, like walk_mysql(). */
__noinline int find_stream(const struct streams *t, __u32 id, __u32 opens)
{
	if (!t)
		return H2_STREAMS;
	for (int i = 0; i < H2_TRIES; i++) {
		__u32 place = place_of(id, i);
		bool open = t->at[place].id && t->at[place].era == t->era;

		if (opens ? !open : open && t->at[place].id == id)
			return place;
	}
	return H2_STREAMS;
}

/* Closes a stream; false if it is not open. */
static __always_inline bool close_stream(struct h2_walk *w, __u32 id, __u64 *arrived)
{
	__u32 place = find_stream(w->t, id, false);
	struct stream *s;

	if (place >= H2_STREAMS)
		return false;
	s = &w->t->at[place];
	*arrived = s->arrived;
	return __sync_val_compare_and_swap(&s->id, id, 0) == id; /* the other side may reset it now */
}

static __always_inline void open_stream(struct h2_walk *w, __u32 id)
{
	struct stream *s;
	__u32 place;

	if (!(id & 1) || id <= w->t->last)
		return; /* trailers */
	w->t->last = id;
	place = find_stream(w->t, id, true);
	if (place >= H2_STREAMS) {
		w->n->refused++;
		return;
	}
	s = &w->t->at[place];
	s->arrived = w->n->now;
	s->era = w->t->era;
	s->id = id;
	w->n->opened++;
}

static __always_inline void answer_stream(struct h2_walk *w, __u32 id)
{
	__u64 arrived = w->n->now;

	if (!close_stream(w, id, &arrived))
		return;
	w->n->answered++;
	w->n->spent += w->n->now - arrived;
	book_residence(w->n->station, w->n->now - arrived, 1);
}

/* What a frame means for its stream. The walk is behind it. */
static __always_inline void take_frame(struct h2_walk *w, __u8 type, __u8 flags, __u32 id)
{
	__u64 arrived;

	if (w->n->request) {
		if (type == H2_HEADERS)
			open_stream(w, id);
		else if (type == H2_RST_STREAM && close_stream(w, id, &arrived))
			w->n->reset++;
		return;
	}
	if (type != H2_RST_STREAM && !((type == H2_HEADERS || type == H2_DATA) && flags & H2_END_STREAM))
		return;
	if (w->w.at > w->w.s->length) {
		w->w.h->due = 1;
		w->w.h->rest = id;
		return;
	}
	answer_stream(w, id);
}

static __always_inline bool step_h2(struct h2_walk *w)
{
	struct half *h = w->w.h;
	__u32 held = h->held;
	__u8 b[HEAD_MAX] = {};

	if (w->w.at >= w->w.s->length)
		return false;
	if (held) {
		if (!complete(w->w.skb, w->w.s, h, H2_HEADER, b)) {
			w->w.at = w->w.s->length;
			return false;
		}
		h->held = 0;
		w->w.at -= held;
	} else if (w->w.at + H2_HEADER > w->w.s->length) {
		if (!w->w.sure)
			return lose(&w->w);
		hold(w->w.skb, w->w.s, h, w->w.at);
		w->w.at = w->w.s->length;
		return false;
	} else if (bpf_skb_load_bytes(w->w.skb, w->w.s->offset + w->w.at, b, H2_HEADER) < 0) {
		return lose(&w->w);
	}
	if (!is_h2_frame(b))
		return lose(&w->w);
	w->w.at += H2_HEADER + (be32(b) >> 8);
	take_frame(w, b[3], b[4], be32(b + 5));
	return true;
}

static long more_h2(struct bpf_map *map, __u32 *key, __u32 *value, struct h2_walk *w)
{
	return !step_h2(w);
}

/* The connection after a walk. Streams that were answered or reset can't be more than were open. */
static __always_inline void on_streams(struct conn *c, const struct segment *s, const struct stream_counts *n, bool lost, __u64 at,
				       struct change *d)
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
	if (c->protocol != PROTOCOL_HTTP2) { /* turns before, by an upgrade or by mistake */
		end_answer(c, d);
		d->abort = in_flight(c);
		c->outstanding = 0;
		c->protocol = PROTOCOL_HTTP2;
		c->turn = TURN_IDLE;
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
	if (d->departure) {
		c->departed = n->now;
		c->departed_at = at;
	}
	c->turn = c->outstanding ? TURN_IN_FLIGHT : TURN_IDLE;
}

/* Walks over the frames of a segment of HTTP/2. Global, like walk_mysql(). */
__noinline int walk_streams(struct __sk_buff *skb, const struct segment *s, struct half *h, struct streams *t, struct stream_counts *n)
{
	struct h2_walk w = {.w = {.skb = skb, .s = s, .h = h}, .t = t, .n = n};
	int due = 0;
	bool first;

	if (!s || !h || !t || !n)
		return 0;
	first = find_first(s, h, &w.w.at, &due);
	if (due) {
		__u32 id = h->rest;

		h->rest = 0;
		answer_stream(&w, id);
	}
	if (!first)
		return 0;
	w.w.sure = h->known;
	bpf_for_each_map_elem(&steps, more_h2, &w, 0);
	return finish(&w.w);
}

/* A connection turns out to speak HTTP/2, with its first segment or in the middle. */
static __always_inline void begin_streams(struct __sk_buff *skb, struct conn *c, const struct segment *s, struct streams *t)
{
	__u8 preface[H2_PREFACE];

	forget(&c->request);
	/* what is answered now began before, and is not known */
	t->answer.known = c->response_seen ? UNKNOWN : AT_NEXT_SEGMENT;
	c->request.known = AT_NEXT_SEGMENT;
	if (s->length >= H2_PREFACE && bpf_skb_load_bytes(skb, s->offset, preface, H2_PREFACE) == 0 && is_h2_preface(preface)) {
		c->request.known = KNOWN;
		c->request.next = s->seq + H2_PREFACE;
	}
}

/* A segment of HTTP/2. Global, like take_requests(). */
__noinline int take_streams(struct __sk_buff *skb, const struct segment *s, __u64 now, __u32 request)
{
	struct conn *c = connection_of(skb);
	struct streams *t = streams_of(skb);
	struct stream_counts n = {.now = now, .request = request};
	struct change d = {};
	__u32 station;
	bool lost;

	if (!c || !s)
		return 0;
	if (!t) {
		dropped(DROP_SOCKET_STORAGE);
		return 0;
	}
	n.station = c->station;
	if (request && (c->protocol != PROTOCOL_HTTP2 || !c->request_seen))
		begin_streams(skb, c, s, t);
	lost = walk_streams(skb, s, request ? &c->request : &t->answer, t, &n) == LOST;
	bpf_spin_lock(&c->lock);
	station = c->station;
	on_streams(c, s, &n, lost, now + clock_offset, &d);
	if (lost && !request)
		t->era++;
	bpf_spin_unlock(&c->lock);
	if (n.refused)
		dropped(DROP_STREAMS);
	book(station, &d, now, now + clock_offset);
	return 0;
}

#endif
