/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CQL's binary protocol, versions 3 to 5, as Cassandra and compatible servers speak it. A message
 * carries a stream's number, which its answer repeats, in any order; numbers are used again. Events
 * come by themselves. In version 5, everything after the log-in is in frames with checksums: a frame
 * holds whole messages, or a part of a message. If their content is compressed, nothing can be read.
 */
#ifndef NSTAR_CASSANDRA_H
#define NSTAR_CASSANDRA_H

#include "numbered_messages.h"

#define CQL_HEADER 9       /* version, flags, stream, opcode, length: shorter than any frame */
#define CQL_FRAME_HEADER 6 /* length of the content, whether it is whole, and their checksum */
#define CQL_FRAME_END 4    /* checksum of the content */
#define CQL_LENGTH_MAX 0x10000000
#define CQL_FLAGS_MAX 0x1f
#define CQL_STATEMENT_ID 16 /* bytes, of a prepared statement */

enum cql_opcode {
	CQL_STARTUP = 0x01,
	CQL_READY = 0x02,
	CQL_AUTHENTICATE = 0x03,
	CQL_OPTIONS = 0x05,
	CQL_QUERY = 0x07,
	CQL_PREPARE = 0x09,
	CQL_EXECUTE = 0x0a,
	CQL_REGISTER = 0x0b,
	CQL_EVENT = 0x0c,
	CQL_BATCH = 0x0d,
	CQL_AUTH_RESPONSE = 0x0f,
	CQL_LAST = 0x10,
};

/*
 * State of a half; empty if messages must be found again. `rest` is the rest of the frame, or of the message.
 */
#define CQL_PLAIN 1    /* messages follow one another */
#define CQL_FRAMED 2
#define CQL_CHECK 4    /* the first frame is to come: its checksum tells whether it can be read */
#define CQL_CONTENT 8  /* in a frame that holds whole messages */
#define CQL_PART 16    /* in one that holds the first part of a message */
#define CQL_GOES_ON 32 /* the next frame holds the next part of a message */

/* The checksum of a frame's header. */
static __always_inline __u32 cql_checksum(__u64 header, const __u32 bytes)
{
	__u32 crc = 0x875060;

	for (int i = 0; i < bytes * 8; i++) {
		if (i % 8 == 0)
			crc ^= (__u32)(header >> i & 0xff) << 16;
		crc = ((crc << 1) & 0xffffff) ^ (crc >> 23 & 1) * 0x974f0b;
	}
	return crc;
}

static __always_inline __u32 le24(const __u8 *b)
{
	return b[0] | (__u32)b[1] << 8 | (__u32)b[2] << 16;
}

static __always_inline bool is_cql_frame(const __u8 *b)
{
	return cql_checksum(le24(b), 3) == le24(b + 3);
}

/*
 * A message's length, header included; 0 if this can't be its header. The highest bit of the version is the direction.
 */
static __always_inline __u32 cql_length(const __u8 *b, __u8 direction)
{
	__u8 version = b[0] ^ direction;
	__u32 length = be32(b + 5);

	if (version < 3 || version > 5 || b[1] > CQL_FLAGS_MAX || b[4] > CQL_LAST || length > CQL_LENGTH_MAX)
		return 0;
	return CQL_HEADER + length;
}

/*
 * What a message of the client does: log-in, registering for events and the driver's heartbeat (OPTIONS) are no
 * requests.
 */
static __always_inline __u8 cql_request_does(__u8 opcode)
{
	switch (opcode) {
	case CQL_QUERY:
	case CQL_PREPARE:
	case CQL_EXECUTE:
	case CQL_BATCH:
		return DOES_OPEN;
	}
	return DOES_NOTHING;
}

/* The header of a frame; `does` is what its message does if a message ends in it. */
static __always_inline void read_cql_frame(struct half *h, const __u8 *b, struct mark *m, __u8 does)
{
	__u32 word = le24(b), content = word & 0x1ffff;
	bool whole = word >> 17;

	if (h->state & CQL_CHECK) {
		h->state &= ~CQL_CHECK;
		if (!is_cql_frame(b)) {
			m->length = 1;
			m->does = DOES_HIDE;
			return;
		}
	}
	if (h->state & CQL_GOES_ON) {
		if (whole || content > h->rest)
			return;
		m->length = CQL_FRAME_HEADER + content + CQL_FRAME_END;
		h->rest -= content;
		if (h->rest)
			return;
		h->state = CQL_FRAMED;
		m->id = h->id;
		m->does = does;
		return;
	}
	if (content < CQL_HEADER)
		return;
	m->length = CQL_FRAME_HEADER;
	h->rest = content;
	h->state = CQL_FRAMED | (whole ? CQL_CONTENT : CQL_PART);
}

/* The header of a message in a frame. */
static __always_inline void read_cql_content(struct half *h, const __u8 *b, struct mark *m, __u32 length)
{
	bool part = h->state & CQL_PART;

	if (!length || part != (length > h->rest))
		return;
	if (part) {
		m->length = h->rest + CQL_FRAME_END;
		h->rest = length - h->rest;
		h->id = be16(b + 2);
		h->state = CQL_FRAMED | CQL_GOES_ON;
		return;
	}
	m->length = length;
	h->rest -= length;
	if (!h->rest) {
		m->length += CQL_FRAME_END;
		h->state = CQL_FRAMED;
	}
}

/* If messages must be found again: a checksum that fits leaves no doubt. */
static __always_inline void find_cql(struct half *h, const __u8 *b, struct mark *m)
{
	__u64 lz4 = le24(b) | (__u64)b[3] << 24 | (__u64)b[4] << 32;

	if (h->state)
		return;
	h->state = CQL_PLAIN;
	if (is_cql_frame(b)) {
		m->sure = 1;
		h->state = CQL_FRAMED;
	} else if (cql_checksum(lz4, 5) == le24(b + 5)) {
		h->state = CQL_FRAMED | CQL_CHECK; /* compressed: it fails again */
	}
}

/* Global, see numbered_messages.h. */
__noinline int judge_cql_request(struct half *h, const struct head *head, struct mark *m)
{
	__u32 length;

	if (!h || !head || !m)
		return 0;
	find_cql(h, head->b, m);
	if (h->state & CQL_FRAMED && !(h->state & (CQL_CONTENT | CQL_PART))) {
		read_cql_frame(h, head->b, m, DOES_NOTHING);
		return 0;
	}
	length = cql_length(head->b, 0);
	if (h->state & CQL_FRAMED)
		read_cql_content(h, head->b, m, length);
	else
		m->length = length;
	m->id = be16(head->b + 2);
	m->does = cql_request_does(head->b[4]);
	if (kinds_on)
		m->code = head->b[4];
	m->reused = 1;
	if (h->state & CQL_PLAIN && head->b[0] == 5 && head->b[4] == CQL_STARTUP)
		h->state = CQL_FRAMED | CQL_CHECK;
	return 0;
}

/* Global, see numbered_messages.h. */
__noinline int judge_cql_answer(struct half *h, const struct head *head, struct mark *m)
{
	__u32 length;

	if (!h || !head || !m)
		return 0;
	find_cql(h, head->b, m);
	if (h->state & CQL_FRAMED && !(h->state & (CQL_CONTENT | CQL_PART))) {
		read_cql_frame(h, head->b, m, DOES_ANSWER);
		return 0;
	}
	length = cql_length(head->b, 0x80);
	if (h->state & CQL_FRAMED)
		read_cql_content(h, head->b, m, length);
	else
		m->length = length;
	m->id = be16(head->b + 2);
	if (!(h->state & CQL_GOES_ON) && head->b[4] != CQL_EVENT)
		m->does = DOES_ANSWER;
	if (h->state & CQL_PLAIN && head->b[0] == 0x85 && (head->b[4] == CQL_READY || head->b[4] == CQL_AUTHENTICATE))
		h->state = CQL_FRAMED | CQL_CHECK;
	return 0;
}

/* What a segment shows if it begins with a message of the client, or with a frame of messages. */
static __always_inline bool looks_like_cql(const __u8 *b, __u32 length)
{
	__u32 size = be32(b + 5);

	if (length > CQL_FRAME_HEADER + CQL_HEADER && b[6] == 5 && b[7] <= CQL_FLAGS_MAX && b[8] < 0x80 &&
	    b[10] <= CQL_LAST && is_cql_frame(b))
		return true;
	if (length < CQL_HEADER || !cql_length(b, 0) || b[2] >> 7 || CQL_HEADER + size > length)
		return false;
	switch (b[4]) {
	case CQL_OPTIONS:
		return size == 0;
	case CQL_STARTUP:
		return b[9] == 0 && b[10] > 0 && b[10] < 16 && CQL_HEADER + size == length;
	case CQL_QUERY:
	case CQL_PREPARE:
		return size > 4 && be32(b + 9) <= size - 4;
	case CQL_EXECUTE:
		return size > 2 && be16(b + 9) == CQL_STATEMENT_ID;
	}
	return false;
}

/* Global, like walk_mysql(). */
__noinline int is_cql(const struct prefix *p, __u32 length)
{
	return p && looks_like_cql(p->b, length);
}

/* Global, like walk_mysql(). */
DEFINE_MARK_WALK(walk_cql_requests, CQL_HEADER, true, judge_cql_request, NULL)
DEFINE_MARK_WALK(walk_cql_answers, CQL_HEADER, false, judge_cql_answer, NULL)

#endif
