/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * HTTP/1.x: request lines and the status of answers.
 *
 * Hardly any client sends a second request before it has an answer, and looking for one in every head
 * would cost more than all else. So the lengths of heads that were read to their end are kept for a while
 * for each connection. A segment as long as those, and shorter than two of the shortest, is taken for one
 * request. Every 16th is still read, and all of them from the moment when several requests were under way.
 */
#ifndef NSTAR_HTTP_H
#define NSTAR_HTTP_H

#include "http1.h"

#define METHOD_MAX 20 /* the longest registered method has 17 letters */

static __always_inline bool is_connect(const __u8 *b)
{
	return b[0] == 'C' && b[1] == 'O' && b[2] == 'N' && b[3] == 'N';
}

/*
 * An HTTP request line. If the protocol is only guessed, the
 * target must look like one, too: SMTP has methods as well.
 */
static __always_inline bool is_http_request(const __u8 *b, bool guess)
{
	for (int i = 0; i < METHOD_MAX; i++) {
		if (b[i] == ' ')
			return i >= 3 && (!guess || b[i + 1] == '/' || b[i + 1] == '*' ||
					  (b[i + 1] == 'h' && b[i + 2] == 't') || is_connect(b));
		if ((b[i] < 'A' || b[i] > 'Z') && b[i] != '-')
			return false;
	}
	return false;
}

#define LINE_MAX 96 /* of a request line is looked through for its end */

/*
 * Whether a line that begins like a request line goes on like one: it ends with the
 * version of HTTP, or its end is still to come. If LINE_MAX bytes don't show it, the
 * answer must. Asked once in the life of most connections. Global, like walk_mysql().
 */
__noinline int find_http_version(struct __sk_buff *skb, const struct segment *s)
{
	__u8 b[LINE_MAX] = {};
	__u32 n, spaces = 0;

	if (!skb || !s)
		return 0;
	n = s->length < LINE_MAX ? s->length : LINE_MAX;
	if (load_bytes(skb, s->offset, b, n, LINE_MAX) < 0)
		return 0;
	/* a method, a target and a version, with a space between them */
	for (int i = 3; i + 8 < LINE_MAX; i++) {
		if (b[i] == '\n')
			return 0;
		if (b[i] == ' ' && ++spaces == 2)
			return b[i + 1] == 'H' && b[i + 2] == 'T' && (b[i + 6] == '1' || b[i + 6] == '2') && b[i + 7] == '.';
	}
	return n < LINE_MAX;
}

static __always_inline bool is_http_answer(const __u8 *b)
{
	return b[0] == 'H' && b[1] == 'T' && b[2] == 'T' && b[3] == 'P' && b[4] == '/';
}

/* Whether an answer is of the common kind: its status is not interim and not a tunnel's. `m` gets its class then. */
static __always_inline bool is_plain_http_answer(struct __sk_buff *skb, const struct segment *s, struct message *m)
{
	__u8 b[12];

	if (bpf_skb_load_bytes(skb, s->offset, b, sizeof(b)) < 0 || b[0] != 'H' || b[9] < '2' || b[9] > '5')
		return false;
	m->failed = b[9] == '5';
	return true;
}

/*
 * What is known about the heads on a connection, in `id` of the half towards the server: the shortest
 * and the longest head that was alone in its segment, and how many segments may pass unread.
 */
#define HEADS_UNREAD 15
#define HEADS_LENGTH 0x3fff

static __always_inline __u32 shortest_head(__u32 id)
{
	return id & HEADS_LENGTH;
}

static __always_inline __u32 longest_head(__u32 id)
{
	return id >> 14 & HEADS_LENGTH;
}

static __always_inline __u32 heads_unread(__u32 id)
{
	return id >> 28;
}

/* A segment was read to its end; the length if it is one head, otherwise 0. */
static __always_inline void learn_head(struct half *h, __u32 length)
{
	__u32 shortest = shortest_head(h->id), longest = longest_head(h->id);

	if (length && length <= HEADS_LENGTH) {
		if (!longest || length < shortest)
			shortest = length;
		if (length > longest)
			longest = length;
	}
	h->id = (__u32)HEADS_UNREAD << 28 | longest << 14 | shortest;
}

/* Whether a message may begin with the segment: it is not known to go on with one. */
static __always_inline bool may_begin(const struct half *h, const struct segment *s)
{
	return !h->known || (h->next == s->seq && !h->state && !h->held);
}

/*
 * Whether a segment is taken for the beginning of one request without reading it:
 * on a connection whose requests came one at a time, with a common method. With a
 * body it may have any length; what follows it is seen when such a segment is read.
 */
static __always_inline bool is_one_http_request(struct __sk_buff *skb, const struct segment *s, struct half *h)
{
	__u32 id = h->id;
	__u64 b;

	if (!heads_unread(id) || !may_begin(h, s) || bpf_skb_load_bytes(skb, s->offset, &b, sizeof(b)) < 0)
		return false;
	b = bpf_be64_to_cpu(b);
	if (b >> 32 == 0x47455420) { /* "GET " */
		if (s->length < shortest_head(id) || s->length > longest_head(id) || s->length >= 2 * shortest_head(id))
			return false;
		h->next = s->seq + s->length;
		h->known = KNOWN;
	} else if (b >> 24 == 0x504f535420 || b >> 32 == 0x50555420) { /* "POST ", "PUT " */
		h->known = UNKNOWN;
	} else {
		return false;
	}
	h->state = h->held = 0;
	h->id = id - (1u << 28);
	return true;
}

/* Whether a segment lies in the body of the request before it. */
static __always_inline bool is_in_body(const struct half *h, const struct segment *s)
{
	return h->known == KNOWN && (__s32)(s->seq + s->length - h->next) <= 0;
}

#define HEAD_PIECE 128
#define HEAD_PIECES 16

struct head_piece {
	__u8 b[HEAD_PIECE];
};

/*
 * Where the first blank line ends in n bytes, 0 if there is none.
 * Every fourth byte shows where it may be. Global, see resp.h.
 */
__noinline int find_blank_line(const struct head_piece *p, __u32 n)
{
	if (!p)
		return 0;
	for (__u32 i = 3; i < HEAD_PIECE - 4; i += 4) {
		const __u8 *b;

		barrier_var(i); /* else the compiler points in front of the piece first, which Linux 7 refuses */
		b = p->b + i;
		if (i >= n)
			return 0;
		if (*b > '\r')
			continue;
		/* perhaps one of its four bytes: which? */
		if (*b == '\n' && b[-1] == '\r' && b[-2] == '\n' && b[-3] == '\r')
			return i + 1;
		if (*b == '\r' && b[-1] == '\n' && b[-2] == '\r' && b[1] == '\n')
			return i + 2;
		if (*b == '\n' && b[-1] == '\r' && b[1] == '\r' && b[2] == '\n')
			return i + 3;
		if (*b == '\r' && b[1] == '\n' && b[2] == '\r' && b[3] == '\n')
			return i + 4;
	}
	return 0;
}

/* Whether the first head of a segment ends with it. Global, like walk_mysql(). */
__noinline int is_one_head(struct __sk_buff *skb, const struct segment *s)
{
	struct head_piece p = {};

	if (!skb || !s)
		return 0;
	for (__u32 piece = 0; piece < HEAD_PIECES; piece++) {
		__u32 from = piece * (HEAD_PIECE - 4), n = s->length - from, end;

		if (from + 4 > s->length)
			return 0;
		if (n > HEAD_PIECE)
			n = HEAD_PIECE;
		if (load_bytes(skb, s->offset + from, &p, n, HEAD_PIECE) < 0)
			return 0;
		end = find_blank_line(&p, n);
		if (end)
			return from + end == s->length;
	}
	return 0;
}

/* What the first bytes show of a segment that may begin with a request; false if all of it must be read. */
static __always_inline bool read_request_line(struct __sk_buff *skb, const struct segment *s, const __u8 *b,
					      struct half *h, struct message *m)
{
	if (!is_http_request(b, false)) {
		if (h->known && (b[0] == '\r' || b[0] == '\n'))
			return false;
		forget(h);
		m->kind = KIND_MORE; /* the rest of an upload that was answered early */
		return true;
	}
	if (b[0] == 'P' && b[1] == 'R' && b[2] == 'I' && b[3] == ' ') {
		m->protocol = PROTOCOL_HTTP2;
		m->kind = KIND_SILENT;
		return true;
	}
	if (is_connect(b)) {
		forget(h);
		m->asks = ASKS_TUNNEL;
	} else if (m->turn == TURN_IN_FLIGHT && !h->known && !find_http_version(skb, s)) {
		m->kind = KIND_MORE; /* of a body that begins like a request here */
		return true;
	} else if (be32(b) == 0x47455420 && is_one_head(skb, s)) { /* "GET " */
		h->known = KNOWN;
		h->next = s->seq + s->length;
		learn_head(h, s->length);
	} else {
		return false;
	}
	m->kind = KIND_REQUEST;
	m->begins = 1;
	return true;
}

/*
 * A segment towards the server. If framing was lost, a segment that
 * begins with a request line begins a request. Global, like walk_mysql().
 */
__noinline int read_http_request(struct __sk_buff *skb, const struct segment *s, const struct prefix *p, struct half *h,
				 struct message *m)
{
	bool fresh;
	int n;

	if (!skb || !s || !p || !h || !m)
		return 0;
	fresh = may_begin(h, s);
	if (is_in_body(h, s)) {
		m->kind = KIND_SILENT;
		return 0;
	}
	if (fresh && read_request_line(skb, s, p->b, h, m))
		return 0;
	if (!h->known)
		h->known = AT_NEXT_SEGMENT;
	n = walk_http_requests(skb, s, h, m);
	if (fresh && n == 1)
		learn_head(h, 0);
	m->begins = n;
	m->kind = n ? KIND_REQUEST : KIND_MORE;
	m->asks = m->heads & 1 ? ASKS_HEAD : 0;
	return 0;
}

/*
 * Status 101, or success for CONNECT, ends the turns; the other 1xx come before the answer and leave the request in the
 * queue.
 */
static __always_inline void read_http_answer(struct __sk_buff *skb, const struct segment *s, const __u8 *b,
					     struct message *m)
{
	__u8 tail[4];

	if (b[0] != 'H' || b[1] != 'T' || b[2] != 'T' || b[3] != 'P')
		return;
	m->failed = b[9] == '5';
	if (b[9] == '2')
		m->upgrades = m->asks == ASKS_TUNNEL;
	if (b[9] != '1')
		return;
	if (b[10] == '0' && b[11] == '1') {
		m->upgrades = 1;
		return;
	}
	/* An interim answer ends with its blank line; if more follows, the final answer is in the same segment. */
	if (b[11] == '0' && s->length > 25)
		return;
	if (s->length >= 4 && bpf_skb_load_bytes(skb, s->offset + s->length - 4, tail, 4) == 0 && tail[0] == '\r' &&
	    tail[2] == '\r')
		m->kind = KIND_INTERIM;
}

#endif
