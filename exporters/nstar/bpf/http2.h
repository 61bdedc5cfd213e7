/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * HTTP/2 in clear, and with it gRPC (RFC 9113). A request is a stream that the client
 * opens with HEADERS; it ends with the last byte of the server's frame with END_STREAM,
 * or is reset. Streams end in any order, so that each has a place in a table.
 */
#ifndef NSTAR_HTTP2_H
#define NSTAR_HTTP2_H

#include "hpack.h"
#include "numbered_messages.h"

#define H2_HEADER 9
#define H2_PREFACE 24

enum h2_type {
	H2_DATA = 0,
	H2_HEADERS = 1,
	H2_RST_STREAM = 3,
	H2_SETTINGS = 4,
	H2_PUSH_PROMISE = 5,
	H2_PING = 6,
	H2_WINDOW_UPDATE = 8,
	H2_CONTINUATION = 9,
	H2_LAST_TYPE = 0x1f, /* extensions included */
};

#define H2_END_STREAM 1
#define H2_END_HEADERS 4
#define H2_PADDED 8
#define H2_PRIORITY 0x20
#define H2_HEADERS_FLAGS 0x2d

/* Whether nine bytes can be the header of a frame. */
static __always_inline bool is_h2_frame(const __u8 *b)
{
	__u32 length = be32(b) >> 8, id = be32(b + 5);

	if (b[3] > H2_LAST_TYPE || id >> 31)
		return false;
	switch (b[3]) {
	case H2_DATA:
	case H2_HEADERS:
		return id;
	case H2_RST_STREAM:
		return id && length == 4;
	case H2_WINDOW_UPDATE:
		return length == 4;
	case H2_PING:
		return !id && length == 8;
	case H2_SETTINGS:
		return !id && length % 6 == 0;
	}
	return true;
}

static __always_inline bool is_h2_preface(const __u8 *b)
{
	return b[0] == 'P' && b[1] == 'R' && b[2] == 'I' && b[3] == ' ' && b[4] == '*' && b[11] == '2' && b[18] == 'S' &&
	       b[19] == 'M';
}

/*
 * What shows HTTP/2 in the middle of a connection: HEADERS of one piece, or other frames
 * that clients send. Segments of other protocols are unlikely to begin like this.
 */
static __always_inline bool looks_like_h2(const __u8 *b, __u32 length)
{
	__u32 size = be32(b) >> 8;

	if (length < H2_HEADER || !is_h2_frame(b))
		return false;
	switch (b[3]) {
	case H2_HEADERS:
		return (b[4] & ~H2_HEADERS_FLAGS) == 0 && b[4] & H2_END_HEADERS && b[8] & 1 && size > 4 && size <= 16384 &&
		       H2_HEADER + size <= length;
	case H2_SETTINGS:
		return b[4] == 1 && size == 0;
	case H2_PING:
		return b[4] <= 1;
	case H2_WINDOW_UPDATE:
		return b[4] == 0 && !(b[9] >> 7);
	}
	return false;
}

static __always_inline void read_h2_frame(const __u8 *b, struct mark *m)
{
	m->length = is_h2_frame(b) ? H2_HEADER + (be32(b) >> 8) : 0;
	m->id = be32(b + 5);
}

/*
 * Streams of the client have odd numbers that only grow: HEADERS of one that it opened before are trailers. Global, see
 * numbered_messages.h.
 */
__noinline int judge_h2_request(struct half *h, const struct head *head, struct mark *m)
{
	if (!h || !head || !m)
		return 0;
	read_h2_frame(head->b, m);
	m->rises = 1;
	if (head->b[3] == H2_HEADERS && m->id & 1)
		m->does = DOES_OPEN;
	else if (head->b[3] == H2_RST_STREAM)
		m->does = DOES_RESET;
	else if (head->b[3] == H2_DATA && !h->state)
		m->peek = H2_HEADER;
	return 0;
}

/*
 * Whether the beginning of a request's content is a message of gRPC: not compressed, and as long as the frame. That is
 * asked until it was so once. Global, see numbered_messages.h.
 */
__noinline int judge_h2_content(struct half *h, const struct peeked *p, struct mark *m)
{
	if (!h || !p || !m)
		return 0;
	m->grpc = p->length >= 5 && !p->b[0] && be32(p->b + 1) + 5 + H2_HEADER == m->length;
	h->state = m->grpc;
	return 0;
}

/* Global, see numbered_messages.h. */
__noinline int judge_h2_answer(struct half *h, const struct head *head, struct mark *m)
{
	__u8 type;

	if (!h || !head || !m)
		return 0;
	read_h2_frame(head->b, m);
	type = head->b[3];
	if (type == H2_RST_STREAM || ((type == H2_HEADERS || type == H2_DATA) && head->b[4] & H2_END_STREAM))
		m->does = DOES_ANSWER;
	if (type == H2_RST_STREAM)
		m->peek = H2_HEADER;
	if (type == H2_HEADERS && (head->b[4] & (H2_END_HEADERS | H2_PADDED | H2_PRIORITY)) == H2_END_HEADERS)
		m->fields = head->b[4] & H2_END_STREAM ? LAST_FIELDS : FIELDS;
	else if (type == H2_HEADERS || type == H2_CONTINUATION || type == H2_PUSH_PROMISE)
		m->fields = UNREAD_FIELDS;
	return 0;
}

/* Codes with which a server resets a stream that has not failed: NO_ERROR, STREAM_CLOSED, CANCEL. */
#define H2_HARMLESS (1 << 0 | 1 << 5 | 1 << 8)

/* Why the server resets a stream. Global, see numbered_messages.h. */
__noinline int judge_h2_reset(struct half *h, const struct peeked *p, struct mark *m)
{
	__u32 code;

	if (!h || !p || !m)
		return 0;
	code = be32(p->b);
	m->failed = p->length >= 4 && (code >= 32 || !(H2_HARMLESS >> (code & 31) & 1));
	return 0;
}

/* Global, like walk_mysql(). */
DEFINE_MARK_WALK(walk_h2_requests, H2_HEADER, true, judge_h2_request, judge_h2_content)
DEFINE_MARK_WALK(walk_h2_answers, H2_HEADER, false, judge_h2_answer, judge_h2_reset)

#endif
