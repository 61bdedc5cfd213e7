/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages that carry a number, by which an answer finds its request: several are
 * under way on a connection, and some requests get no answer, or wait on purpose. Each
 * direction is followed by its own walk; open requests are in a table (streams.h).
 *
 * A protocol brings a judge for each direction, which reads a header of fixed length.
 * Judges are global functions that see only bytes and the half of the connection: the
 * verifier looks at each of them once. docs/protocols.md has the steps to add one.
 */
#ifndef NSTAR_NUMBERED_MESSAGES_H
#define NSTAR_NUMBERED_MESSAGES_H

#include "frames.h"
#include "stream_table.h"

enum does {
	DOES_NOTHING = 0,
	DOES_OPEN = 1,    /* a request */
	DOES_ANSWER = 2,
	DOES_RESET = 3,   /* the client gives a request up */
	DOES_WAIT = 4,    /* a request that waits on purpose: waits.h */
	DOES_HIDE = 5,    /* from here on nothing can be read */
};

/* What a header says about its message. */
struct mark {
	__u32 length; /* how far the next header is; 0 if this can't be one */
	__u32 id;
	__u32 peek;   /* where, from the header on, more must be seen; 0 for nowhere */
	__u32 hint;   /* the protocol's own, for that */
	__u8 does;
	__u8 rises;   /* numbers only grow: a smaller one opens nothing */
	__u8 reused;  /* numbers are used again, so that one that opens may be open still: its answer was not seen */
	__u8 sure;    /* beyond doubt, wherever it was found */
	__u8 alone;   /* a request that comes when the one before was answered, or gets no answer */
	__u8 code;    /* what is asked, where kinds are told apart by that (stream_kinds.h) */
	__u8 commits; /* the client has done what it took before */
	__u8 protocol; /* of the connection: header16.h */
	__u8 fields;  /* enum fields_there, of an answer */
	__u8 failed;  /* an answer that says that the server failed */
	__u8 grpc;    /* a part of a call of gRPC */
};

enum fields_there {
	NO_FIELDS = 0,
	FIELDS = 1,
	LAST_FIELDS = 2,   /* that end the answer */
	UNREAD_FIELDS = 3, /* in several parts, or padded: few servers do that */
};

struct head {
	__u8 b[HEAD_MAX];
};

/* slots.h */
int book_residence(__u32 station, __u64 ns, __u32 n);

/* hpack.h */
int read_fields(struct __sk_buff *skb, struct streams *t, __u32 from, __u32 length, __u32 last);

/* stream_kinds.h */
int kind_of_code(__u32 station, __u32 protocol, __u32 code);
int arrive_kind(__u32 station, __u32 kind, __u64 now);
int leave_kind(__u32 station, __u64 stamp, __u64 now, __u32 answered);

struct mark_walk {
	struct walk w;
	struct streams *t;
	struct stream_counts *n;
};

static __always_inline bool waits_on_purpose(const struct mark_walk *w, __u64 stamp)
{
	return w->n->station >= max_tiers && stamp & STREAM_WAITS;
}

static __always_inline void answer_stream(struct mark_walk *w, __u32 id)
{
	__u64 arrived = w->n->now;

	if (!close_stream(w->t, id, &arrived))
		return;
	if (waits_on_purpose(w, arrived)) {
		w->n->waited += w->n->now - stream_time(arrived);
		return;
	}
	if (kinds_on) {
		leave_kind(w->n->station, arrived, w->n->now, true);
		arrived = stream_time(arrived);
	}
	w->n->answered++;
	w->n->spent += w->n->now - arrived;
	book_residence(w->n->station, w->n->now - arrived, 1);
}

/* The client gives a request up, or its answer was not seen. */
static __always_inline void reset_stream(struct mark_walk *w, __u32 id)
{
	__u64 arrived = 0;

	if (!close_stream(w->t, id, &arrived) || waits_on_purpose(w, arrived))
		return;
	if (kinds_on)
		leave_kind(w->n->station, arrived, w->n->now, false);
	w->n->reset++;
}

/* 1 if the request found a place. */
static __always_inline int begin_stream(struct mark_walk *w, const struct mark *m)
{
	__u64 stamp = w->n->now;
	__u32 kind = 0;
	int opened;

	if (kinds_on && w->n->station < max_tiers) {
		kind = kind_of_code(w->n->station, w->n->protocol, m->code);
		stamp |= (__u64)(FIRST_KIND + kind) << STREAM_KIND_SHIFT;
	}
	opened = open_stream(w->t, m->id, stamp) & 1;
	if (kinds_on && opened)
		arrive_kind(w->n->station, kind, w->n->now);
	return opened;
}

static __always_inline void take_request_mark(struct mark_walk *w, const struct mark *m)
{
	int opened;

	w->n->commits += m->commits;
	w->t->fields.grpc |= m->grpc;
	switch (m->does) {
	case DOES_OPEN:
		if (m->rises && m->id <= w->t->last)
			return;
		if (m->alone)
			reset_stream(w, w->t->last);
		w->t->last = m->id;
		if (m->reused)
			reset_stream(w, m->id);
		opened = begin_stream(w, m);
		w->n->opened += opened;
		w->n->refused += !opened;
		return;
	case DOES_RESET:
		reset_stream(w, m->id);
		return;
	case DOES_WAIT:
		w->n->waits++;
		if (w->n->station >= max_tiers)
			open_stream(w->t, m->id, w->n->now | STREAM_WAITS);
		return;
	case DOES_HIDE:
		w->n->hidden = 1;
	}
}

/* The walk is behind the message. */
static __always_inline void take_answer_mark(struct mark_walk *w, const struct mark *m)
{
	if (m->does == DOES_HIDE)
		w->n->hidden = 1;
	if (m->does != DOES_ANSWER)
		return;
	if (w->w.p->at > w->w.s->length) {
		w->w.h->due = 1;
		w->w.h->id = m->id;
		return;
	}
	answer_stream(w, m->id);
}

/* Whether the answer is one of a tier that failed; read before the walk goes on. */
static __always_inline void take_failure(struct mark_walk *w, const __u32 header, const struct mark *m)
{
	bool failed = m->failed;

	if (w->n->station >= max_tiers)
		return;
	if (m->fields == UNREAD_FIELDS)
		forget_fields(&w->t->fields);
	else if (m->fields)
		failed |= read_fields(w->w.skb, w->t, w->w.s->offset + w->w.p->at + header, m->length - header,
				      m->fields == LAST_FIELDS);
	if (failed)
		w->n->errors += is_open(w->t, m->id);
}

/* The header of the next message; false when the walk is over, or the next segment goes on with it. */
static __always_inline bool load_head(struct walk *w, const __u32 header, __u8 *b)
{
	__u32 held = w->h->held;

	if (!goes_further(w))
		return false;
	if (held) {
		if (!complete(w->skb, w->s, w->h, header, b)) {
			w->p->at = w->s->length;
			return false;
		}
		w->h->held = 0;
		w->p->at -= held;
		return true;
	}
	if (w->p->at + header > w->s->length) {
		if (!w->p->sure)
			return lose(w);
		hold(w->skb, w->s, w->h, w->p->at);
		w->p->at = w->s->length;
		return false;
	}
	return bpf_skb_load_bytes(w->skb, w->s->offset + w->p->at, b, header) == 0 || lose(w);
}

/* A header that is shorter than the held bytes: the rest of these begins the next one. Global, see above. */
__noinline int keep_held(struct half *h, __u32 held, __u32 taken)
{
	if (!h)
		return 0;
	for (__u32 i = 0; i < HEAD_MAX; i++)
		h->head[i] = h->head[(i + taken) & (2 * HEAD_MAX - 1)];
	h->held = held - taken;
	return 0;
}

/* The part of the message in the segment, from the point where the judge wants to see more. */
static __always_inline void load_peeked(struct walk *w, __u32 from, struct peeked *p)
{
	__u32 at = w->p->at + from, n = w->s->length - at;

	__builtin_memset(p, 0, sizeof(*p));
	if (at >= w->s->length)
		return;
	if (n > PEEK)
		n = PEEK;
	if (load_bytes(w->skb, w->s->offset + at, p->b, n, PEEK) == 0)
		p->length = n;
}

/*
 * One message; false when the walk is over. If it is not known that a message begins here, the number of
 * a request that waits for its answer shows it, at the beginning of the answer as well as at its end.
 */
static __always_inline bool step_mark(struct mark_walk *w, const __u32 header, const bool request,
				      int (*const judge)(struct half *h, const struct head *head, struct mark *m),
				      int (*const judge_more)(struct half *h, const struct peeked *p, struct mark *m))
{
	struct peeked *p = &w->t->peeked[request];
	__u32 held = w->w.h->held;
	struct head head = {};
	struct mark m = {.protocol = w->n->protocol};

	if (!load_head(&w->w, header, head.b))
		return false;
	judge(w->w.h, &head, &m);
	if (!m.length)
		return lose(&w->w);
	if (judge_more && m.peek) {
		load_peeked(&w->w, m.peek, p);
		judge_more(w->w.h, p, &m);
	}
	if (m.sure || (!request && !w->w.p->sure && is_open(w->t, m.id)))
		w->w.p->sure = true;
	if (!request && (m.fields | m.failed))
		take_failure(w, header, &m);
	w->w.p->at += m.length;
	if (m.length < held) {
		keep_held(w->w.h, held, m.length);
		w->w.p->at = 0;
	}
	if (request)
		take_request_mark(w, &m);
	else
		take_answer_mark(w, &m);
	return !w->n->hidden && goes_further(&w->w);
}

/* Makes the global function `name`, which follows the messages of a segment, or returns LOST; see struct walk. */
#define DEFINE_MARK_WALK(name, header, request, judge, judge_more) \
	__noinline int name##_step(struct __sk_buff *skb, const struct segment *s, struct half *h, struct streams *t, \
				   struct progress *p) \
	{ \
		struct mark_walk w = {.w = {.skb = skb, .s = s, .h = h, .p = p}, .t = t}; \
\
		if (!skb || !s || !h || !t || !p) \
			return 0; \
		w.n = &t->counts[request]; \
		return step_mark(&w, header, request, judge, judge_more); \
	} \
	static long name##_more(struct bpf_map *map, __u32 *key, __u32 *value, struct mark_walk *w) \
	{ \
		return stop_unless(name##_step(w->w.skb, w->w.s, w->w.h, w->t, w->w.p)); \
	} \
	__noinline int name(struct __sk_buff *skb, const struct segment *s, struct half *h, struct streams *t) \
	{ \
		struct progress p = {}; \
		struct mark_walk w = {.w = {.skb = skb, .s = s, .h = h, .p = &p}, .t = t}; \
		int due = 0; \
		bool first; \
\
		if (!skb || !s || !h || !t) \
			return 0; \
		w.n = &t->counts[request]; \
		first = find_first(s, h, &p.at, &due); \
		if (due) \
			answer_stream(&w, h->id); \
		if (!first) \
			return 0; \
		p.sure = h->known; \
		if (name##_step(skb, s, h, t, &p)) \
			bpf_for_each_map_elem(&steps, name##_more, &w, 0); \
		return w.n->hidden ? 0 : finish(&w.w); \
	}

#endif
