/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Dubbo's own protocol; its other one, Triple, is gRPC. A client has one connection to a server as a rule, on which
 * all its threads ask. A request carries a number, which its answer repeats, in any order. One-way calls, and the
 * heartbeats of both sides, are no requests.
 */
#ifndef NSTAR_DUBBO_H
#define NSTAR_DUBBO_H

#include "numbered_messages.h"

#define DUBBO_HEADER 16 /* magic, flags, status, number (8 bytes), length of the body */
#define DUBBO_MAGIC 0xdabb
#define DUBBO_LENGTH_MAX 0x10000000

enum dubbo_flag {
	DUBBO_REQUEST = 0x80,
	DUBBO_ANSWERED = 0x40, /* a request that wants an answer */
	DUBBO_EVENT = 0x20,    /* a heartbeat, or that the server is about to end */
	DUBBO_ENCODING = 0x1f, /* of the body, never 0 */
};

/* A message's length, header included; 0 if this can't be its header. */
static __always_inline __u32 dubbo_length(const __u8 *b)
{
	__u32 body = be32(b + 12);

	if (be16(b) != DUBBO_MAGIC || !(b[2] & DUBBO_ENCODING) || body > DUBBO_LENGTH_MAX)
		return 0;
	return DUBBO_HEADER + body;
}

/* What a segment shows if it begins with a message of the client. */
static __always_inline bool looks_like_dubbo(const __u8 *b, __u32 length)
{
	return length >= DUBBO_HEADER && dubbo_length(b) && (b[2] & DUBBO_REQUEST || b[2] & DUBBO_EVENT);
}

static __always_inline void judge_dubbo_request(const __u8 *b, struct mark *m)
{
	m->length = dubbo_length(b);
	m->id = be32(b + 8);
	if ((b[2] & ~DUBBO_ENCODING) == (DUBBO_REQUEST | DUBBO_ANSWERED))
		m->does = DOES_OPEN;
}

static __always_inline void judge_dubbo_answer(const __u8 *b, struct mark *m)
{
	m->length = dubbo_length(b);
	m->id = be32(b + 8);
	if (!(b[2] & (DUBBO_REQUEST | DUBBO_EVENT)))
		m->does = DOES_ANSWER;
}

#endif
