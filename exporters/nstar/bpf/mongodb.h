/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * MongoDB's wire protocol. A message carries a number, which its answer repeats; OP_MSG has a
 * flag for messages without an answer. The server answers `hello` when something has changed,
 * and a cursor that awaits data when there are some: both wait on purpose (waits.h).
 */
#ifndef NSTAR_MONGODB_H
#define NSTAR_MONGODB_H

#include "numbered_messages.h"

#define MONGO_HEADER 16 /* length, number, the number that it answers, kind: little-endian */
#define MONGO_LENGTH_MAX 0x4000000
#define MONGO_MORE_TO_COME 2 /* flag of OP_MSG */
/*
 * Offsets behind the header of the name of a command: OP_MSG has flags, then a section; OP_QUERY flags, then
 * "admin.$cmd".
 */
#define MONGO_COMMAND 10
#define MONGO_LEGACY_COMMAND 28
#define MONGO_GET_MORE_OPTIONS 38 /* behind its cursor and the name "collection" */

enum mongo_kind {
	MONGO_REPLY = 1,
	MONGO_QUERY = 2004,
	MONGO_GET_MORE = 2005,
	MONGO_COMPRESSED = 2012,
	MONGO_MSG = 2013,
};

static __always_inline __u32 le32(const __u8 *b)
{
	return b[0] | (__u32)b[1] << 8 | (__u32)b[2] << 16 | (__u32)b[3] << 24;
}

/* What a segment shows if it begins with a request: it answers nothing. */
static __always_inline bool looks_like_mongodb(const __u8 *b, __u32 length)
{
	__u32 size = le32(b), kind = le32(b + 12);

	if (length < MONGO_HEADER + 10 || size < MONGO_HEADER + 10 || size > MONGO_LENGTH_MAX || le32(b + 8))
		return false;
	if (kind == MONGO_MSG)
		return b[17] == 0 && b[19] == 0 && b[20] <= 1;
	return kind == MONGO_QUERY || kind == MONGO_COMPRESSED;
}

static __always_inline bool is_hello(const __u8 *b)
{
	__u32 word = be32(b) | 0x20202020;

	/* hello, isMaster, ismaster */
	return (word == 0x68656c6c && b[4] == 'o' && !b[5]) || (word == 0x69736d61 && b[8] == 0);
}

static __always_inline void judge_mongo_request(const __u8 *b, struct mark *m)
{
	__u32 length = le32(b);

	if (length < MONGO_HEADER || length > MONGO_LENGTH_MAX)
		return;
	m->id = le32(b + 4);
	m->hint = le32(b + 12);
	switch (m->hint) {
	case MONGO_QUERY:
	case MONGO_MSG:
		m->peek = MONGO_HEADER;
		m->does = DOES_OPEN;
		break;
	case MONGO_COMPRESSED: /* whether it wants an answer can't be read: if it has none, the next request says so */
		m->does = DOES_OPEN;
		m->alone = 1;
		break;
	case MONGO_GET_MORE:
		m->does = DOES_OPEN;
		break;
	case 2001: /* update, insert, delete and killing cursors, before OP_MSG: no answer */
	case 2002:
	case 2006:
	case 2007:
		break;
	default:
		return;
	}
	m->length = length;
}

/* Whether a getMore bounds its time: only one that awaits data may do that. */
static __always_inline bool awaits_data(const __u8 *b)
{
	for (int i = MONGO_GET_MORE_OPTIONS; i < PEEK - 4; i++) {
		if (b[i] == 'm' && be32(b + i) == 0x6d617854) /* maxT */
			return true;
	}
	return false;
}

/* `b` is what follows the header. */
static __always_inline void judge_mongo_command(const __u8 *b, struct mark *m)
{
	if (m->hint == MONGO_QUERY) {
		if (is_hello(b + MONGO_LEGACY_COMMAND))
			m->does = DOES_WAIT;
		return;
	}
	if (b[0] & MONGO_MORE_TO_COME)
		m->does = DOES_NOTHING;
	else if (is_hello(b + MONGO_COMMAND))
		m->does = DOES_WAIT;
	else if (be32(b + MONGO_COMMAND) == 0x6765744d && awaits_data(b)) /* getM */
		m->does = DOES_WAIT;
}

static __always_inline void judge_mongo_answer(const __u8 *b, struct mark *m)
{
	__u32 length = le32(b), kind = le32(b + 12);

	if (length < MONGO_HEADER || length > MONGO_LENGTH_MAX ||
	    (kind != MONGO_REPLY && kind != MONGO_COMPRESSED && kind != MONGO_MSG))
		return;
	m->length = length;
	m->id = le32(b + 8);
	m->does = DOES_ANSWER;
}

#endif
