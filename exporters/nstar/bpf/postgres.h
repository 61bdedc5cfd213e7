/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PostgreSQL's protocol 3. A request is what the server closes with ReadyForQuery: a simple
 * query, a function call, or all that the client sends up to its Sync. It begins with the first
 * of these messages. An answer of the server before the Sync, to a Flush, does not end it. In a
 * pipeline each Sync ends a request; log-in, COPY's data, cancelling and Terminate are none.
 */
#ifndef NSTAR_POSTGRES_H
#define NSTAR_POSTGRES_H

#include "frames.h"

#define PG_HEADER 5 /* type, length without the type */
#define PG_LENGTH_MAX 0x40000000

#define PG_VERSION_3 3
#define PG_CANCEL_REQUEST 80877102
#define PG_SSL_REQUEST 80877103
#define PG_GSS_REQUEST 80877104

/* In the half towards the server: COPY's data has just ended. */
#define PG_COPIED 1

/*
 * In place of a message's id there: a batch has begun, and its Sync is still to come. This
 * stays valid over a gap in the data that was seen: what follows the gap is no other batch.
 */
#define PG_BATCH 1

/* The first message of a connection has no type: only its length, then a version or a code. */
static __always_inline bool is_pg_startup(const __u8 *b, __u32 length)
{
	__u32 code = be32(b + 4);

	return length >= 8 && be32(b) == length && length < 10000 &&
	       (code >> 16 == PG_VERSION_3 || code == PG_SSL_REQUEST || code == PG_GSS_REQUEST ||
		code == PG_CANCEL_REQUEST);
}

/*
 * What a standby reports while the server streams its log to it: how far it has written, or which transactions it
 * reads. A connection that is joined in the middle of replication shows nothing else.
 */
static __always_inline bool is_pg_standby(const __u8 *b, __u32 length)
{
	__u32 size = be32(b + 1);

	if (b[0] != 'd' || length < 1 + size)
		return false;
	return (b[5] == 'r' && size == 38) || (b[5] == 'h' && (size == 21 || size == 29));
}

static __always_inline __u32 pg_length(const __u8 *b)
{
	__u32 length = be32(b + 1);

	return length >= 4 && length < PG_LENGTH_MAX ? 1 + length : 0;
}

static __always_inline struct frame judge_pg_request(const __u8 *b, struct half *h)
{
	struct frame f = {.length = pg_length(b)};
	bool copied = h->state == PG_COPIED, batch = h->id == PG_BATCH;

	h->state = 0;
	switch (b[0]) {
	case 0: /* the startup packet, also behind a refused request for TLS */
		f.length = b[1] == 0 ? be32(b) : 0;
		return f;
	case 'S':
		/* A COPY of the extended protocol ends with a second Sync: the server ignored the first as part of the data. */
		f.counts = !copied && !batch;
		h->id = 0;
		return f;
	case 'Q':
	case 'F':
		f.counts = !batch; /* what a client began and left is answered with it */
		h->id = 0;
		return f;
	case 'c':
	case 'f':
		h->state = PG_COPIED;
		return f;
	case 'B':
	case 'C':
	case 'D':
	case 'E':
	case 'P':
		f.counts = !batch;
		h->id = PG_BATCH;
		return f;
	case 'H':
	case 'X':
	case 'd':
	case 'p':
		return f;
	}
	f.length = 0;
	return f;
}

static __always_inline struct frame judge_pg_answer(const __u8 *b, struct half *h)
{
	struct frame f = {.length = pg_length(b), .counts = b[0] == 'Z'};

	if (b[0] < '1' || b[0] > 'v')
		f.length = 0;
	return f;
}

static __always_inline bool ends_with_sync(struct __sk_buff *skb, const struct segment *s)
{
	__u8 b[PG_HEADER];

	return s->length >= sizeof(b) && bpf_skb_load_bytes(skb, s->offset + s->length - sizeof(b), b, sizeof(b)) == 0 &&
	       b[0] == 'S' && be32(b + 1) == 4;
}

/* ReadyForQuery: idle, in a transaction, or in a failed one. */
static __always_inline bool ends_with_ready(struct __sk_buff *skb, const struct segment *s)
{
	__u8 b[PG_HEADER + 1];

	return s->length >= sizeof(b) && bpf_skb_load_bytes(skb, s->offset + s->length - sizeof(b), b, sizeof(b)) == 0 &&
	       b[0] == 'Z' && be32(b + 1) == 5 && (b[5] == 'I' || b[5] == 'T' || b[5] == 'E');
}

/* Global, like walk_mysql(). */
DEFINE_WALK(walk_pg_requests, step_any_frame(&w, PG_HEADER, false, judge_pg_request))
DEFINE_WALK(walk_pg_answers, step_any_frame(&w, PG_HEADER, true, judge_pg_answer))

/*
 * What a connection shows if it is joined in the middle: a
 * simple query, or a batch with its Sync. The answer must agree.
 */
static __always_inline bool looks_like_pg(struct __sk_buff *skb, const struct segment *s, const __u8 *b)
{
	if (b[0] == 'Q')
		return pg_length(b) == s->length;
	return (b[0] == 'P' || b[0] == 'B') && pg_length(b) && pg_length(b) < s->length && ends_with_sync(skb, s);
}

static __always_inline void read_pg_request(struct __sk_buff *skb, const struct segment *s, struct half *h,
					    struct message *m)
{
	int n = walk_pg_requests(skb, s, h, NULL);

	m->begins = n > 0 ? n : 0;
	m->kind = m->begins ? KIND_REQUEST : KIND_SILENT;
}

static __always_inline bool is_whole(const __u8 *b, __u32 length)
{
	return pg_length(b) == length;
}

/* Notices, notifications and parameters come at any time; CopyInResponse calls for the data of the request. */
static __always_inline void read_pg_answer(const __u8 *b, const struct segment *s, struct message *m)
{
	__u32 at = 0;

	switch (b[0]) {
	case 'A':
	case 'N':
	case 'S':
		if (is_whole(b, s->length))
			m->kind = KIND_INTERIM;
		return;
	case 'W': /* replication: a stream in both directions */
		if (is_whole(b, s->length)) {
			m->protocol = PROTOCOL_OPAQUE;
			m->kind = KIND_SILENT;
		}
		return;
	}
	/* ParseComplete, BindComplete, NoData: five bytes each, in front of it in the extended protocol */
	for (int i = 0; i < 3; i++) {
		if (b[at] != '1' && b[at] != '2' && b[at] != 'n')
			break;
		at += PG_HEADER;
	}
	if (b[at] == 'G' && pg_length(b + at) + at == s->length)
		m->kind = KIND_INTERIM;
}

#endif
