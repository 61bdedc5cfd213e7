/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * OpenWire, the protocol of ActiveMQ Classic. A command has a length, a kind, flags and a number, which its response
 * repeats; the first flag says whether it wants a response. A producer waits for the responses to persistent messages
 * and to commits. Delivered messages and acknowledgements want none, so that a consumer has no requests.
 *
 * This is the tight encoding, in which the flags take `n` bytes. In the loose one each flag is where its value would
 * be. There the number comes first, and as it is below 2^24, 0 is where n would be: nothing more is read.
 */
#ifndef NSTAR_OPENWIRE_H
#define NSTAR_OPENWIRE_H

#include "numbered_messages.h"

/* Up to the number, where there are at most six bytes of flags. Only commands without a response are shorter. */
#define OPENWIRE_HEADER 16
#define OPENWIRE_RESPONSE_HEADER 15 /* the whole of a plain response: one byte of flags, and two numbers */
#define OPENWIRE_LENGTH_MAX 0x10000000
#define OPENWIRE_FLAGS 6 /* where they begin, behind length, kind and n */
#define OPENWIRE_NAMES 1024 /* that a connection can number */
#define OPENWIRE_FLAGS_MAX 63 /* bytes; n is longer for more */

enum openwire_kind {
	OPENWIRE_FORMAT = 1, /* the first one of each side */
	OPENWIRE_CONNECTION = 3, /* this one, sessions, consumers, producers and transactions */
	OPENWIRE_TRANSACTION = 7,
	OPENWIRE_KEEP_ALIVE = 10,
	OPENWIRE_REMOVE = 12,
	OPENWIRE_ACK = 22,
	OPENWIRE_MESSAGE = 23, /* the first of its kinds */
	OPENWIRE_LAST_MESSAGE = 29,
	OPENWIRE_RESPONSE = 30, /* the first of its kinds */
	OPENWIRE_LAST_RESPONSE = 34,
	OPENWIRE_LAST = 68,
};

/* Both sides say first what they can, behind a word. */
static __always_inline bool is_openwire_format(const __u8 *b)
{
	return b[4] == OPENWIRE_FORMAT && be32(b + 5) == 0x41637469 && be32(b + 9) == 0x76654d51; /* ActiveMQ */
}

/* A client that says nothing else for 10 s says that it is there. */
static __always_inline bool is_openwire_keep_alive(const __u8 *b, __u32 length)
{
	return length == 11 && be32(b) == 7 && b[4] == OPENWIRE_KEEP_ALIVE && b[5] == 1 && b[6] <= 1 && !b[7];
}

/* What clients send in the middle of a session. */
static __always_inline bool is_openwire_client_kind(__u8 kind)
{
	return (kind >= OPENWIRE_CONNECTION && kind <= OPENWIRE_TRANSACTION) || kind == OPENWIRE_REMOVE ||
	       kind == OPENWIRE_ACK || (kind >= OPENWIRE_MESSAGE && kind <= OPENWIRE_LAST_MESSAGE);
}

/*
 * In the middle of a session: a whole command in the tight encoding. After the flags, of which there are up to six
 * bytes, come small numbers: the command's own, and one that stands for a name; three of these in a message.
 */
static __always_inline bool is_openwire_traffic(const __u8 *b, __u32 length)
{
	__u64 at = OPENWIRE_FLAGS + b[5];

	if (length < PREFIX / 2 || length != be32(b) + 4 || !is_openwire_client_kind(b[4]))
		return false;
	barrier_var(at);
	if (at <= OPENWIRE_FLAGS || at > OPENWIRE_FLAGS + 6)
		return false;
	return !b[at] && b[at + 4] < OPENWIRE_NAMES / 256 &&
	       (b[4] < OPENWIRE_MESSAGE || (b[at + 6] < OPENWIRE_NAMES / 256 && b[at + 8] < OPENWIRE_NAMES / 256));
}

/* What a segment towards the server shows. */
static __always_inline bool looks_like_openwire(const __u8 *b, __u32 length)
{
	return is_openwire_format(b) || is_openwire_keep_alive(b, length) || is_openwire_traffic(b, length);
}

/* How far the next command is; 0 if this can't be one. */
static __always_inline __u32 openwire_length(const __u8 *b)
{
	__u32 size = be32(b);

	if (size < 2 || size > OPENWIRE_LENGTH_MAX || !b[4] || b[4] > OPENWIRE_LAST)
		return 0;
	if (b[4] != OPENWIRE_FORMAT && b[5] > OPENWIRE_FLAGS_MAX)
		return 0;
	return 4 + size;
}

/* A number that comes so many bytes behind the flags: in the header, or to be seen behind it. */
static __always_inline void find_openwire_number(const __u8 *b, __u32 behind, __u32 header, __u8 does, struct mark *m)
{
	__u64 at = OPENWIRE_FLAGS + b[5] + behind;

	/* The bound must be on at itself: verifiers before 6.12 don't follow one of at + 4 back to it. */
	barrier_var(at);
	if (at > header - 4) {
		m->peek = at;
		m->hint = does;
		return;
	}
	m->id = be32(b + at);
	m->does = does;
}

static __always_inline void judge_openwire_command(const __u8 *b, struct mark *m)
{
	m->length = openwire_length(b);
	if (!m->length || b[4] == OPENWIRE_FORMAT)
		return;
	if (!b[5])
		m->does = DOES_HIDE;
	else if (b[6] & 1)
		find_openwire_number(b, 0, OPENWIRE_HEADER, DOES_OPEN, m);
}

/* Global, see numbered_messages.h. */
__noinline int judge_openwire_response(struct half *h, const struct head *head, struct mark *m)
{
	if (!h || !head || !m)
		return 0;
	m->length = openwire_length(head->b);
	if (head->b[4] >= OPENWIRE_RESPONSE && head->b[4] <= OPENWIRE_LAST_RESPONSE)
		find_openwire_number(head->b, 4, OPENWIRE_RESPONSE_HEADER, DOES_ANSWER, m);
	return 0;
}

/* A number behind the header; the hint is what its message does. */
static __always_inline void take_openwire_number(const struct peeked *p, struct mark *m)
{
	if (p->length < 4)
		return;
	m->id = be32(p->b);
	m->does = m->hint;
}

/* Global, see numbered_messages.h. */
__noinline int judge_openwire_number(struct half *h, const struct peeked *p, struct mark *m)
{
	if (h && p && m)
		take_openwire_number(p, m);
	return 0;
}

/* Global, like walk_mysql(). */
DEFINE_MARK_WALK(walk_openwire_responses, OPENWIRE_RESPONSE_HEADER, false, judge_openwire_response,
		 judge_openwire_number)

#endif
