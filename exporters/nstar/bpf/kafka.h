/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kafka. A request carries a key, a version, a number that its answer repeats, and the client's name;
 * answers come in the order of the requests. Produce with acks=0 gets no answer. Fetch waits for new
 * records, JoinGroup and SyncGroup for the other members of a group: they are left out (waits.h).
 */
#ifndef NSTAR_KAFKA_H
#define NSTAR_KAFKA_H

#include "numbered_messages.h"

#define KAFKA_REQUEST_HEADER 14 /* length, key, version, number, length of the client's name */
#define KAFKA_ANSWER_HEADER 8   /* length, number */
#define KAFKA_LENGTH_MAX 0x10000000
#define KAFKA_KEY_MAX 127
#define KAFKA_VERSION_MAX 31
#define KAFKA_NAME_MAX 512

enum kafka_key {
	KAFKA_PRODUCE = 0,
	KAFKA_FETCH = 1,
	KAFKA_OFFSET_COMMIT = 8,
	KAFKA_JOIN_GROUP = 11,
	KAFKA_SYNC_GROUP = 14,
	KAFKA_TXN_OFFSET_COMMIT = 28,
	KAFKA_SHARE_FETCH = 78,
};

/* In the half towards the server: the last Produce asked for no answer. A producer does this always, or never. */
#define KAFKA_NO_ACKS 1

/* The length of the client's name, none included; beyond KAFKA_NAME_MAX if this is no request. */
static __always_inline __u32 kafka_name(const __u8 *b)
{
	__u32 length = be32(b), key = be16(b + 4), version = be16(b + 6), name = be16(b + 12);

	if (name == 0xffff) /* null */
		name = 0;
	if (length < KAFKA_REQUEST_HEADER - 4 + name || length > KAFKA_LENGTH_MAX || key > KAFKA_KEY_MAX ||
	    version > KAFKA_VERSION_MAX)
		return KAFKA_NAME_MAX + 1;
	return name;
}

/*
 * What a segment shows if it begins with a request: its client
 * has a name, in letters, and nothing else is in the segment.
 */
static __always_inline bool looks_like_kafka(const __u8 *b, __u32 length)
{
	__u32 name = kafka_name(b);

	if (name < 1 || name > KAFKA_NAME_MAX || length < KAFKA_REQUEST_HEADER + name || be32(b) + 4 < length || b[8] >> 7)
		return false;
	for (int i = 0; i < PREFIX - KAFKA_REQUEST_HEADER; i++) {
		__u8 c = b[KAFKA_REQUEST_HEADER + i];

		if (i < name && (c < ' ' || c > '~'))
			return false;
	}
	return true;
}

/* Global, see numbered_messages.h. */
__noinline int judge_kafka_request(struct half *h, const struct head *head, struct mark *m)
{
	__u32 name;

	if (!h || !head || !m)
		return 0;
	name = kafka_name(head->b);
	if (name > KAFKA_NAME_MAX)
		return 0;
	m->length = 4 + be32(head->b);
	m->id = be32(head->b + 8);
	m->hint = be16(head->b + 6);
	m->does = DOES_OPEN;
	if (kinds_on)
		m->code = head->b[5]; /* of the key, which is smaller than 128 */
	switch (be16(head->b + 4)) {
	case KAFKA_PRODUCE:
		m->peek = KAFKA_REQUEST_HEADER + name;
		break;
	case KAFKA_OFFSET_COMMIT:
	case KAFKA_TXN_OFFSET_COMMIT:
		m->commits = 1;
		break;
	case KAFKA_FETCH:
	case KAFKA_SHARE_FETCH:
	case KAFKA_JOIN_GROUP:
	case KAFKA_SYNC_GROUP:
		m->does = DOES_WAIT;
	}
	return 0;
}

/*
 * Produce: behind the header (which ends with tagged fields from version 9 on) an id of a transaction from version 3
 * on, then acks. A producer with transactions always asks for answers. Global, see numbered_messages.h.
 */
__noinline int judge_kafka_produce(struct half *h, const struct peeked *p, struct mark *m)
{
	__u32 acks;

	if (!h || !p || !m)
		return 0;
	if (p->length < 4) { /* in the next segment */
		acks = h->state & KAFKA_NO_ACKS ? 0 : 1;
	} else if (m->hint >= 9) {
		acks = p->b[0] || p->b[1] ? 1 : be16(p->b + 2);
	} else if (m->hint >= 3) {
		acks = be16(p->b) != 0xffff ? 1 : be16(p->b + 2);
	} else {
		acks = be16(p->b);
	}
	h->state = acks ? 0 : KAFKA_NO_ACKS;
	if (!acks)
		m->does = DOES_NOTHING;
	return 0;
}

/* Global, see numbered_messages.h. */
__noinline int judge_kafka_answer(struct half *h, const struct head *head, struct mark *m)
{
	__u32 length;

	if (!h || !head || !m)
		return 0;
	length = be32(head->b);
	if (length < KAFKA_ANSWER_HEADER - 4 || length > KAFKA_LENGTH_MAX)
		return 0;
	m->length = 4 + length;
	m->id = be32(head->b + 4);
	m->does = DOES_ANSWER;
	return 0;
}

/* Global, like walk_mysql(). */
__noinline int is_kafka(const struct prefix *p, __u32 length)
{
	return p && looks_like_kafka(p->b, length);
}

/* Global, like walk_mysql(). */
DEFINE_MARK_WALK(walk_kafka_requests, KAFKA_REQUEST_HEADER, true, judge_kafka_request, judge_kafka_produce)
DEFINE_MARK_WALK(walk_kafka_answers, KAFKA_ANSWER_HEADER, false, judge_kafka_answer, NULL)

#endif
